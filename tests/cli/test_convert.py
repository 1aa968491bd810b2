"""``groupwise convert``: what is written, and what is said to be lost before it is."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import RUNNING, Groupwise, Write
from tests.cli.shell import names_in
from tests.paths import FIXTURES

FORMATS = FIXTURES / "formats"
TRUTH: list[dict[str, Any]] = [
    {"id": "q1", "ground_truth": [["a", "b"], ["c"]]},
    {"id": "q2", "ground_truth": [["d"], ["e", {"id": "f", "grade": 2.0}]]},
]


def lines(records: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


def read(name: str) -> list[Any]:
    return [json.loads(line) for line in Path(name).read_text("utf-8").splitlines()]


def test_groups_go_through_trec_and_a_table_and_come_back(
    groupwise: Groupwise, write: Write
) -> None:
    write("truth.jsonl", lines(TRUTH))
    done = groupwise("convert", "truth.jsonl", "truth.qrels", "--subtopics")
    assert (done.code, done.out, done.err) == (0, "truth.qrels: 2 queries, trec-diversity\n", "")
    assert Path("truth.qrels").read_text() == (
        "q1 1 a 1\nq1 1 b 1\nq1 2 c 1\nq2 1 d 1\nq2 2 e 1\nq2 2 f 2\n"
    )
    assert groupwise("convert", "truth.qrels", "truth.csv", "--subtopics").code == 0
    assert groupwise("convert", "truth.csv", "back.jsonl").code == 0
    assert read("back.jsonl") == TRUTH


def test_what_is_lost_is_listed_and_nothing_is_written(groupwise: Groupwise, write: Write) -> None:
    rich: list[dict[str, Any]] = [
        {
            "id": "q1",
            "query": "?",
            "ground_truth": [
                {"alternatives": [{"id": "a", "text": "t"}], "weight": 2, "label": "vital"},
                ["b", "c"],
            ],
            "metadata": {"year": 2003},
        },
        {"id": "q2", "answerable": False},
    ]
    write("rich.jsonl", lines(rich))
    done = groupwise("convert", "rich.jsonl", "flat.qrels")
    assert (done.code, done.out) == (1, "")
    assert names_in() == ["rich.jsonl"]
    assert done.err.splitlines() == [
        "TREC qrels cannot carry everything; nothing was written. It would lose:",
        "- which alternatives belong together in a group: 1 query, such as 'q1'",
        "- weights of groups: 1 query, such as 'q1'",
        "- labels of groups: 1 query, such as 'q1'",
        "- unanswerable queries: 1 query, such as 'q2'",
        "- the text of queries: 1 query, such as 'q1'",
        "- metadata of queries: 1 query, such as 'q1'",
        "- the text of documents: 1 query, such as 'q1'",
        "write anyway with --lossy",
    ]
    done = groupwise("convert", "rich.jsonl", "flat.qrels", "--lossy")
    assert done.code == 0
    assert len(done.err.splitlines()) == 7
    assert Path("flat.qrels").read_text() == "q1 0 a 1\nq1 0 b 1\nq1 0 c 1\n"


def test_flat_to_flat_raises_no_question(groupwise: Groupwise) -> None:
    assert groupwise("convert", str(FORMATS / "beir"), "t.qrels", "--lossy").code == 0
    assert Path("t.qrels").read_text() == "t1 0 d1 2\nt1 0 d2 1\nt2 0 d2 1\nt2 0 d1 0\n"
    done = groupwise("convert", "t.qrels", "t.jsonl")
    assert done.code == 3
    assert "Say --flat all" in done.err
    assert groupwise("convert", "t.qrels", "t.jsonl", "--flat", "all").code == 0
    assert read("t.jsonl")[1] == {"id": "t2", "ground_truth": [["d2"]], "not_relevant": ["d1"]}


def test_a_run_goes_through_trec(groupwise: Groupwise, write: Write) -> None:
    write("run.json", {"q1": {"a": 0.5, "b": 0.75}, "q2": {"c": 1}})
    assert groupwise("convert", "run.json", "run.run", "--role", "run").code == 0
    assert Path("run.run").read_text() == (
        "q1 Q0 b 1 0.75 groupwise\nq1 Q0 a 2 0.5 groupwise\nq2 Q0 c 1 1 groupwise\n"
    )
    assert groupwise("convert", "run.run", "run.tsv").code == 0
    assert Path("run.tsv").read_text() == (
        "query_id\trank\tid\tscore\nq1\t1\tb\t0.75\nq1\t2\ta\t0.5\nq2\t1\tc\t1\n"
    )


def test_what_can_be_either_is_asked(groupwise: Groupwise, write: Write) -> None:
    write("map.json", {"q1": {"a": 1}})
    done = groupwise("convert", "map.json", "out.jsonl")
    assert done.code == 3
    assert done.err.strip() == (
        "error: map.json: this can be ground truth or results; say --role ground_truth "
        "or --role run"
    )


def test_what_comes_from_a_pipe_is_read_once(groupwise: Groupwise) -> None:
    qrels = (FORMATS / "diversity.qrels").read_bytes()
    done = groupwise("convert", "-", "t.jsonl", "--subtopics", stdin=qrels)
    assert (done.code, done.out) == (0, "t.jsonl: 2 queries, jsonl\n")
    assert [one["id"] for one in read("t.jsonl")] == ["51", "52"]


def test_a_part_of_a_fixture(groupwise: Groupwise, write: Write) -> None:
    write("first.json", RUNNING)
    assert groupwise("convert", "first.json", "t.qrels", "--subtopics").code == 1
    for words in (["--role", "ground_truth"], ["--lossy"]):
        assert groupwise("convert", "first.json", "t.qrels", "--subtopics", *words).code == 0
        assert Path("t.qrels").read_text() == "q1 1 test-1 1\nq1 1 test-2 1\nq1 2 test-3 1\n"
    assert groupwise("convert", "first.json", "r.run", "--role", "run").code == 0
    whole = groupwise("evaluate", "first.json", "--format", "json")
    parts = groupwise("evaluate", "t.qrels", "r.run", "--subtopics", "--format", "json")
    assert json.loads(parts.out)["scores"] == json.loads(whole.out)["scores"]


def test_whole_numbers_become_text_only_when_asked(groupwise: Groupwise, write: Write) -> None:
    write("t.json", {"q1": [[1, 2], [3]]})
    done = groupwise("convert", "t.json", "t.csv")
    assert done.code == 1
    assert "that ids are whole numbers" in done.err
    assert groupwise("convert", "t.json", "t.csv", "--ids", "text").code == 0
    assert groupwise("convert", "t.json", "t.jsonl").code == 0
    assert read("t.jsonl") == [{"id": "q1", "ground_truth": [[1, 2], [3]]}]


def test_kinds_that_differ_between_files_are_told_with_the_fix(
    groupwise: Groupwise, write: Write
) -> None:
    write("t.json", {"301": [[1, 2]]})
    write("r.txt", "301 Q0 1 1 9 t\n301 Q0 3 2 8 t\n")
    done = groupwise("evaluate", "t.json", "r.txt")
    assert done.code == 3
    assert "ids of both kinds" in done.err
    assert "--ids text" in done.err
    assert groupwise("evaluate", "t.json", "r.txt", "--ids", "text").code == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["t.jsonl", "out.xyz"], 3, "out.xyz: no format for ground truth has this extension"),
        (["t.jsonl", "out.xyz", "--to", "cvs"], 2, "no format 'cvs'; did you mean 'csv'"),
        (["t.jsonl", "out.run"], 3, "out.run: no format for ground truth has this extension"),
        (["t.jsonl", "t.csv", "--to", "trec-run"], 3, "(trec-run) cannot hold ground truth"),
        (["t.jsonl", "t.jsonl"], 3, "the target is the source"),
        (["t.jsonl", "-"], 2, "OUT must be a file or a folder, not standard output"),
        (["t.jsonl", "none/out.csv"], 2, "there is no folder 'none'"),
        (["none.jsonl", "out.csv"], 3, "none.jsonl: no such file"),
        (["broken.jsonl", "out.csv"], 3, "broken.jsonl:1"),
        (["space.jsonl", "out.qrels"], 3, "the id 'a b' has white space"),
    ],
)  # fmt: skip
def test_what_cannot_be_converted_is_told_in_a_line(
    groupwise: Groupwise, write: Write, words: list[str], code: int, said: str
) -> None:
    write("t.jsonl", '{"id": "q", "ground_truth": [["a"]]}\n')
    write("broken.jsonl", '{"id": "q", "ground_truth": [["a"]}\n')
    write("space.jsonl", '{"id": "q", "ground_truth": [["a b"]]}\n')
    before = names_in()
    done = groupwise("convert", *words)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert names_in() == before


def test_a_folder_of_beir_is_written(groupwise: Groupwise, write: Write) -> None:
    write("t.jsonl", '{"id": "q", "query": "why?", "ground_truth": [["a", "b"]]}\n')
    assert groupwise("convert", "t.jsonl", "data", "--to", "beir").code == 0
    assert Path("data/qrels/test.tsv").read_text() == (
        "query-id\tcorpus-id\tscore\nq\ta\t1\nq\tb\t1\n"
    )
    assert read("data/queries.jsonl") == [{"_id": "q", "text": "why?"}]
    assert [one["_id"] for one in read("data/corpus.jsonl")] == ["a", "b"]


def test_compressed_output_has_the_same_bytes_each_time(groupwise: Groupwise, write: Write) -> None:
    write("t.jsonl", lines(TRUTH))
    assert groupwise("convert", "t.jsonl", "one.csv.gz").code == 0
    assert groupwise("convert", "t.jsonl", "two.csv.gz").code == 0
    assert Path("one.csv.gz").read_bytes() == Path("two.csv.gz").read_bytes()
    assert groupwise("convert", "one.csv.gz", "back.jsonl").code == 0
    assert read("back.jsonl") == TRUTH
