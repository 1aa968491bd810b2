"""The data of four retrievers: what its README says of it, and the script that made it."""

import json
import math
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest

from benchmarks import retrievers as build
from groupwise import evaluate, validate
from tests.paths import RETRIEVERS, ROOT

RUNS = ("bm25", "fusion", "tfidf", "trigrams")


def read(name: str) -> list[dict[str, Any]]:
    text = (RETRIEVERS / f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_the_data_is_as_its_readme_says() -> None:
    queries = read("ground_truth")
    groups = [group for query in queries for group in query["ground_truth"]]
    assert (len(queries), len(groups)) == (250, 352)
    assert sum(len(query["ground_truth"]) > 1 for query in queries) == 71
    assert Counter(map(len, groups)) == {1: 231, 2: 121}
    assert set(Counter(query["metadata"]["corpus"] for query in queries).values()) == {50}
    assert {query["metadata"]["references"] for query in queries} == {1, 2, 3, 4, 5}


@pytest.mark.parametrize("name", RUNS)
def test_a_run_is_whole_and_its_order_is_that_of_its_scores(name: str) -> None:
    run = read(name)
    assert [record["id"] for record in run] == [query["id"] for query in read("ground_truth")]
    for record in run:
        pairs = list(zip(record["scores"], record["results"], strict=True))
        assert len(pairs) == len(set(record["results"])) == 20
        assert pairs == sorted(pairs, reverse=True)


def test_nothing_is_found_in_the_data() -> None:
    truth, *runs = [RETRIEVERS / f"{name}.jsonl" for name in ("ground_truth", *RUNS)]
    for run in runs:
        assert not validate(truth, run=run).findings


@pytest.mark.parametrize("name", RUNS)
def test_recall_of_a_run_is_the_mean_share_of_groups(name: str) -> None:
    found = {record["id"]: set(record["results"][:5]) for record in read(name)}
    shares = [
        sum(not found[query["id"]].isdisjoint(group) for group in query["ground_truth"])
        / len(query["ground_truth"])
        for query in read("ground_truth")
    ]
    report = evaluate(
        RETRIEVERS / "ground_truth.jsonl", RETRIEVERS / f"{name}.jsonl", metrics=["recall@5"]
    )
    assert report.scores["recall@5"] == pytest.approx(math.fsum(shares) / 250, abs=1e-12)


def test_chunks_overlap_by_half_and_end_where_the_text_does() -> None:
    text = "".join(map(str, range(500)))
    chunks = build.cut("d", text)
    assert [chunk.start for chunk in chunks] == [0, 300, 600, len(text) - 600]
    assert all(chunk.text == text[chunk.start : chunk.end] for chunk in chunks)
    assert [chunk.start for chunk in build.cut("d", "short")] == [0]


def test_a_span_is_a_group_of_the_chunks_that_hold_it() -> None:
    chunks = build.cut("d", "x" * 1500)
    assert build.find_groups(chunks, 350, 500) == [["d-0000", "d-0001"]]
    assert build.find_groups(chunks, 200, 310) == [["d-0000"]]
    assert build.find_groups(chunks, 290, 601) == [["d-0000"], ["d-0002"]]


def test_a_group_that_another_one_implies_is_left_out() -> None:
    assert build.drop_implied([["a", "b"], ["b"], ["b"], ["c", "d"]]) == [["b"], ["c", "d"]]
    assert build.are_apart([["b"], ["c", "d"]])
    assert not build.are_apart([["a", "b"], ["b", "c"]])


def test_the_retrievers_follow_their_formulas() -> None:
    chunks = [build.Chunk(str(at), 0, text) for at, text in enumerate(["a a b", "b c", "c d e f"])]
    words = build.Index(chunks, build.split_words)
    bm25 = build.build_bm25(words)("A, b?")
    idf_a, idf_b = math.log(1 + 2.5 / 1.5), math.log(1 + 1.5 / 2.5)
    assert bm25 == pytest.approx({
        "0": idf_a * 2 * 2.2 / (2 + 1.2) + idf_b * 2.2 / (1 + 1.2),
        "1": idf_b * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 3)),
    })  # fmt: skip
    a, b, c = math.log(3), math.log(1.5), math.log(1.5)
    cosine = build.build_cosine(words)("b")
    assert cosine == pytest.approx({
        "0": b / math.hypot((1 + math.log(2)) * a, b),
        "1": b / math.hypot(b, c),
    })  # fmt: skip
    fusion = build.build_fusion(build.build_bm25(words), build.build_cosine(words))("a b")
    assert fusion == pytest.approx({"0": 2 / 61, "1": 2 / 62})
    assert build.split_trigrams("Ab c") == [" ab", "ab ", " c "]


def test_equal_scores_are_ordered_by_id_descending() -> None:
    scores = {"a": 0.1000001, "b": 0.1, "c": 0.2}
    assert build.rank_best(scores, 3) == [("c", 0.2), ("b", 0.1), ("a", 0.1)]


def test_the_script_writes_the_same_bytes_whatever_the_hash_seed(tmp_path: Any) -> None:
    source = tmp_path / "source"
    (source / "corpora").mkdir(parents=True)
    for corpus in ("one", "two"):
        text = " ".join(f"{corpus}{number % 90}" for number in range(600))
        (source / "corpora" / f"{corpus}.md").write_text(text)
    rows = ["question,references,corpus_id"]
    for number in range(60):
        start = number * 40
        span = [{"content": "", "start_index": start, "end_index": start + 60}]
        references = json.dumps(span).replace('"', '""')
        rows += [f'one{number} two{number}?,"{references}",{c}' for c in ("one", "two")]
    (source / "questions_df.csv").write_text("\n".join(rows) + "\n")
    for seed in ("1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        words = [sys.executable, "-m", "benchmarks.retrievers", str(source), str(folder)]
        subprocess.run(words, cwd=ROOT, env={"PYTHONHASHSEED": seed}, check=True)
    written = sorted(path.name for path in (tmp_path / "1").iterdir())
    assert written == sorted(f"{name}.jsonl" for name in ("ground_truth", *RUNS))
    for name in written:
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()
