"""Wherever an evaluation with a journal is interrupted, it goes on to the report of one go."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groupwise import InputError, evaluate
from groupwise.evaluator.evaluation.journal import parts
from groupwise.evaluator.evaluation.partial import Partial
from groupwise.evaluator.intake.rows import Rows
from tests.evaluate.journal.data import (
    build_results,
    build_truths,
    cuts_of,
    join,
    read_ids,
    read_journal,
    spread,
    write_lines,
)

COUNT = 60
METRICS = [
    "precision", "recall@2", "ndcg", "map", "first_hit", "completion_rank@4", "trec:map",
    "trec:bpref", "trec:judged@5", "coverage:ndcg", "recall(label=vital)", "recall@40t",
]  # fmt: skip
OPTIONS: dict[str, dict[str, Any]] = {
    "metrics": {},
    "means only": {"per_query": False},
    "slices": {"by": ["kind", "hops", "groups", "label"]},
    "slices of means": {"by": "kind", "per_query": False},
    "intervals": {"confidence": 0.9},
    "intervals of slices": {"confidence": 0.95, "by": ["kind", "hops"], "per_query": False},
    "ceilings": {"ceilings": True, "by": "label"},
    "gates": {"gates": ["lower(recall@2) >= 0.1", "kind=x: precision >= 0.9", "mrr >= 0"]},
    "ties": {"profile": "trec", "ties": "report"},
    "curve and bands": {"curve": 5, "bands": True},
    "skipped": {"empty_results": "skip", "unanswerable": "zero", "missing": "skip"},
    "explained": {"explain": 3, "by": "kind"},
    "normalised": {"matching": {"type": "normalised", "case": "fold"}},
    "fingerprints": {"provenance": True},
}
Inputs = tuple[str, ...]


def lay_out(folder: Path) -> dict[str, Inputs]:
    """The same data in several layouts."""
    truths, results = build_truths(COUNT), build_results(COUNT)
    shuffled = random.Random(3).sample(results, len(results))  # noqa: S311
    other = [{**record, "id": f"extra {number}"} for number, record in enumerate(results[:3])]
    (folder / "both.json").write_text(json.dumps({"queries": join(truths, results)}))
    (folder / "truth.json").write_text(json.dumps(truths))
    gt = write_lines(folder / "truth.jsonl", truths)
    return {
        "both": (write_lines(folder / "both.jsonl", join(truths, results)),),
        "both, compressed": (write_lines(folder / "both.jsonl.gz", join(truths, results)),),
        "a fixture": (str(folder / "both.json"),),
        "a pair": (gt, write_lines(folder / "run.jsonl", results)),
        "a pair, one compressed": (gt, write_lines(folder / "run.jsonl.gz", results)),
        "another order": (gt, write_lines(folder / "shuffled.jsonl", shuffled)),
        "missing and extra": (
            gt, write_lines(folder / "holes.jsonl", [*results[:20], *other, *results[30:]]),
        ),
        "missing at the end": (gt, write_lines(folder / "short.jsonl", results[:45])),
        "a document and lines": (
            str(folder / "truth.json"), write_lines(folder / "again.jsonl", results),
        ),
    }  # fmt: skip


LAYOUTS = [
    "both", "both, compressed", "a fixture", "a pair", "a pair, one compressed", "another order",
    "missing and extra", "missing at the end", "a document and lines",
]  # fmt: skip


@pytest.fixture
def layouts(tmp_path: Path) -> dict[str, Inputs]:
    return lay_out(tmp_path)


def check_cuts(inputs: Inputs, journal: Path, options: dict[str, Any], count: int) -> None:
    """The report is the same without a journal, with one, and from any beginning of it."""
    asked: dict[str, Any] = {"metrics": METRICS, **options}
    plain = evaluate(*inputs, **asked).to_json()
    assert evaluate(*inputs, **asked, resume=journal).to_json() == plain
    data, ids = journal.read_bytes(), read_ids(journal)
    assert len(read_journal(journal)) > 4
    assert len({*ids}) == len(ids) > 40
    for cut in spread(cuts_of(data), count):
        journal.write_bytes(data[:cut])
        assert evaluate(*inputs, **asked, resume=journal).to_json() == plain
        assert read_ids(journal) == ids  # nothing twice, nothing lost


MANY = ("both", "a pair", "missing and extra")
SOME = ("metrics", "intervals of slices", "explained")
CHOSEN = [
    (layout, name) for layout in LAYOUTS for name in OPTIONS if layout in MANY or name in SOME
]


@pytest.mark.parametrize(("layout", "name"), CHOSEN)
def test_the_report_is_that_of_one_go(
    layouts: dict[str, Inputs], layout: str, name: str, tmp_path: Path
) -> None:
    check_cuts(layouts[layout], tmp_path / "journal.jsonl", OPTIONS[name], 4)


@pytest.mark.nightly
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_the_report_is_that_of_one_go_from_many_places(
    layouts: dict[str, Inputs], layout: str, options: dict[str, Any], tmp_path: Path
) -> None:
    check_cuts(layouts[layout], tmp_path / "journal.jsonl", options, 100)


def check_every_cut(inputs: Inputs, journal: Path, step: int) -> None:
    plain = evaluate(*inputs, metrics="recall").to_json()
    evaluate(*inputs, metrics="recall", resume=journal)
    data, ids = journal.read_bytes(), read_ids(journal)
    assert len(read_journal(journal)) == 4
    for cut in range(0, len(data) + 1, step):
        journal.write_bytes(data[:cut])
        assert evaluate(*inputs, metrics="recall", resume=journal).to_json() == plain
        assert read_ids(journal) == ids


def write_three(folder: Path) -> dict[str, Inputs]:
    truths, results = build_truths(3), build_results(3)
    pair = write_lines(folder / "t.jsonl", truths), write_lines(folder / "r.jsonl", results)
    return {"both": (write_lines(folder / "b.jsonl", join(truths, results)),), "a pair": pair}


@pytest.mark.parametrize(("kind", "step"), [("both", 7), ("a pair", 11)])
def test_a_journal_cut_anywhere(
    kind: str, step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "QUERIES_AT_ONCE", 1)
    check_every_cut(write_three(tmp_path)[kind], tmp_path / "journal.jsonl", step)


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ["both", "a pair"])
def test_a_journal_cut_at_every_byte(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "QUERIES_AT_ONCE", 1)
    check_every_cut(write_three(tmp_path)[kind], tmp_path / "journal.jsonl", 1)


@pytest.mark.parametrize("layout", ["both", "a pair"])
def test_any_changed_byte_is_refused_or_changes_nothing(
    layouts: dict[str, Inputs], layout: str, tmp_path: Path
) -> None:
    inputs, journal = layouts[layout], tmp_path / "journal.jsonl"
    asked: dict[str, Any] = {"metrics": "recall", "per_query": False}
    plain = evaluate(*inputs, **asked, resume=journal).to_json()
    data = journal.read_bytes()
    last = data.rindex(b"\n", 0, len(data) - 1) + 1
    source = random.Random(1)  # noqa: S311
    for place in source.sample(range(len(data)), 150):
        changed = bytearray(data)
        changed[place] ^= 1 << source.randrange(7)
        journal.write_bytes(changed)
        if place >= last - 1:  # a broken last line is done again
            assert evaluate(*inputs, **asked, resume=journal).to_json() == plain
        else:
            with pytest.raises(InputError, match="journal"):
                evaluate(*inputs, **asked, resume=journal)
            assert journal.read_bytes() == changed


@given(data=st.data())
@settings(max_examples=30)
def test_any_lines_removed_repeated_or_moved_are_refused(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("journal")
    inputs, journal = lay_out(folder)["both"], folder / "journal.jsonl"
    plain = evaluate(*inputs, metrics="recall", resume=journal).to_json()
    written = journal.read_bytes().splitlines(keepends=True)
    order = data.draw(st.lists(st.sampled_from(range(len(written))), min_size=1, max_size=9))
    journal.write_bytes(b"".join(written[number] for number in order))
    whole = next((n for n, number in enumerate(order) if n != number), len(order))
    if whole >= len(order) - 1 and whole:  # at most a last line is out of place
        assert evaluate(*inputs, metrics="recall", resume=journal).to_json() == plain
    else:
        with pytest.raises(InputError, match="journal"):
            evaluate(*inputs, metrics="recall", resume=journal)


class Counted:
    """Counts the queries that are scored."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.queries = 0
        score: Callable[[Partial, Rows], None] = Partial._score

        def count(partial: Partial, rows: Rows) -> None:
            self.queries += len(rows)
            score(partial, rows)

        monkeypatch.setattr(Partial, "_score", count)

    def take(self) -> int:
        found, self.queries = self.queries, 0
        return found


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_in_the_journal_is_not_scored_again(
    layouts: dict[str, Inputs], layout: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inputs, journal = layouts[layout], tmp_path / "journal.jsonl"
    counted = Counted(monkeypatch)
    evaluate(*inputs, resume=journal, missing="skip", unanswerable="zero")
    whole, data = counted.take(), journal.read_bytes()
    evaluate(*inputs, resume=journal, missing="skip", unanswerable="zero")
    assert counted.take() == 0
    half = data.index(b"\n", len(data) // 2) + 1
    journal.write_bytes(data[:half])
    done = len(read_ids(journal))
    evaluate(*inputs, resume=journal, missing="skip", unanswerable="zero")
    assert 0 < done < whole
    assert counted.take() == whole - done


def test_the_sources_are_not_parsed_again(
    layouts: dict[str, Inputs], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = tmp_path / "journal.jsonl"
    evaluate(*layouts["a pair"], resume=journal)
    monkeypatch.setattr("groupwise.evaluator.reading.jsonl.orjson", None)
    for path in layouts["a pair"]:
        assert Path(path).stat().st_size > 4096
    with pytest.raises(AttributeError):
        evaluate(*layouts["a pair"], resume=tmp_path / "other.jsonl")
    assert evaluate(*layouts["a pair"], resume=journal).counts.queries == COUNT


@pytest.mark.parametrize("matcher", ["span", "text"])
def test_ids_looked_up_in_a_corpus(matcher: str, tmp_path: Path) -> None:
    if matcher == "text":
        pytest.importorskip("rapidfuzz")
    source = random.Random(5)  # noqa: S311
    names = [f"c{number}" for number in range(30)]
    chunks = [
        {"id": name, "document": "d", "start": 100 * n, "end": 100 * n + 100,
         "text": " ".join(source.choices(["retrieval", "group", "rank", "recall", "hit"], k=12))}
        for n, name in enumerate(names)
    ]  # fmt: skip
    corpus = write_lines(tmp_path / "corpus.jsonl", chunks)
    records = [
        {"id": f"q{n}", "ground_truth": [[source.choice(names)], [source.choice(names)]],
         "results": source.sample([*names, "unknown"], 20)}
        for n in range(42)
    ]  # fmt: skip
    inputs = (write_lines(tmp_path / "both.jsonl", records),)
    options = {"corpus": corpus, "matching": matcher, "metrics": "recall@5"}
    check_cuts(inputs, tmp_path / "journal.jsonl", options, 5)
    check_cuts(inputs, tmp_path / "explained.jsonl", {**options, "explain": 2}, 3)


def test_vectors(tmp_path: Path) -> None:
    inputs = lay_out(tmp_path)["both"]
    vectors = [{"id": letter, "vector": [1, n]} for n, letter in enumerate("abcdefgh")]
    options = {"vectors": write_lines(tmp_path / "v.jsonl", vectors), "metrics": ["ild", "recall"]}
    check_cuts(inputs, tmp_path / "journal.jsonl", options, 8)


def test_flat_lists_that_repeat_ids_are_counted(tmp_path: Path) -> None:
    records = [
        {"id": f"q{n}", "query": "?" * 50, "ground_truth": [*"aab"][n % 2 :], "results": ["b"]}
        for n in range(90)
    ]  # fmt: skip
    inputs = (write_lines(tmp_path / "flat.jsonl", records),)
    check_cuts(inputs, tmp_path / "journal.jsonl", {"flat": "all", "metrics": "recall"}, 20)


def test_lines_without_a_last_break_blank_lines_and_a_mark(tmp_path: Path) -> None:
    file, journal = tmp_path / "both.jsonl", tmp_path / "journal.jsonl"
    name = write_lines(file, join(build_truths(COUNT), build_results(COUNT)))
    data = file.read_bytes()
    for changed in (
        data[:-1],
        data.replace(b"\n", b"\r\n\n"),
        b"\xef\xbb\xbf" + data,
        data + b"\n\n",
    ):
        file.write_bytes(changed)
        journal.unlink(missing_ok=True)
        check_cuts((name,), journal, {"metrics": "recall"}, 12)


def test_records_added_to_a_file_are_evaluated(tmp_path: Path) -> None:
    file, journal = tmp_path / "both.jsonl", tmp_path / "journal.jsonl"
    records = join(build_truths(COUNT), build_results(COUNT))
    for count in (1, 20, 21, 21, 60):
        write_lines(file, records[:count])
        if count != 60:
            file.write_bytes(file.read_bytes()[:-1])  # the last line is not ended yet
        found = evaluate(file, resume=journal).to_json()
        assert found == evaluate(file).to_json()
    assert len(read_ids(journal)) == COUNT


@pytest.mark.parametrize("layout", ["both", "a pair"])
@pytest.mark.parametrize("line", ['{"id": "q999", "results": 7}\n', "{\n", "the fourth line again"])
def test_problems_are_reported_as_in_one_go(
    layouts: dict[str, Inputs], layout: str, line: str, tmp_path: Path
) -> None:
    inputs, journal = layouts[layout], tmp_path / "journal.jsonl"
    file = Path(inputs[-1])
    text = file.read_text()
    file.write_text(text + (line if "{" in line else text.splitlines()[3]))
    with pytest.raises(InputError) as plain:
        evaluate(*inputs)
    for _ in range(3):
        with pytest.raises(InputError) as found:
            evaluate(*inputs, resume=journal)
        assert str(found.value) == str(plain.value)
    assert len(read_ids(journal)) > 30
    if "{" in line:
        file.write_text(text)
        assert evaluate(*inputs, resume=journal) == evaluate(*inputs)


def test_ids_of_both_kinds_are_found_across_an_interruption(tmp_path: Path) -> None:
    file, journal = tmp_path / "both.jsonl", tmp_path / "journal.jsonl"
    texts = [{"id": f"q{n}", "ground_truth": [["a"]], "results": ["a"]} for n in range(200)]
    write_lines(file, texts)
    evaluate(file, resume=journal)
    write_lines(file, [*texts, {"id": "q", "ground_truth": [[1]], "results": [1]}])
    with pytest.raises(InputError, match="ids of both kinds: the string 'a'") as found:
        evaluate(file, resume=journal)
    with pytest.raises(InputError) as plain:
        evaluate(file)
    assert str(found.value) == str(plain.value)


def test_a_report_can_be_explained_afterwards(layouts: dict[str, Inputs], tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    evaluate(*layouts["both"], resume=journal)
    report = evaluate(*layouts["both"], resume=journal)
    assert report.explain("q007") == evaluate(*layouts["both"]).explain("q007")


def test_other_formats_are_read_again(tmp_path: Path) -> None:
    qrels, run = tmp_path / "a.qrels", tmp_path / "a.run"
    qrels.write_text("".join(f"q{n} 0 d{n % 7} 1\n" for n in range(300)))
    run.write_text("".join(f"q{n} Q0 d{r} {r} {1 / r} x\n" for n in range(300) for r in (1, 2, 3)))
    inputs = str(qrels), str(run)
    check_cuts(inputs, tmp_path / "j.jsonl", {"metrics": "trec:map", "profile": "trec"}, 10)
