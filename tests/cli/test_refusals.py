"""Refusals on the command line: one line, and what to type."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Groupwise

FILES = {
    "gt.json": json.dumps({"q1": [["a"]], "q2": [["c"]]}),
    "run.json": json.dumps({"q1": ["a"], "q2": ["c"]}),
    "lfs.jsonl": "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 1\n",
    "page.json": "<!doctype html>\n<html></html>\n",
    "corpus.jsonl": '{"id": "a", "text": "one"}\n',
    "qrels": "q1 0 a 1\nq2 0 c 1\n",
    "subtopics": "q1 1 a 1\nq1 2 a 0\nq2 1 c 1\n",
    "flat.jsonl": "".join(f'{{"id": "q{n}", "ground_truth": ["a", "b"]}}\n' for n in range(20)),
    "many.qrels": "q 0 a 1\n" * 20 + "".join(f"q{n} 0 a{n} one\n" for n in range(20)),
}


@pytest.fixture(autouse=True)
def _files(_in_an_empty_folder: None) -> None:
    for name, content in FILES.items():
        Path(name).write_text(content)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["evaluate", "lfs.jsonl", "run.json"], 3, "fetch the file (git lfs pull)\n"),
        (["evaluate", "gt.json", "lfs.jsonl"], 3, "fetch the file (git lfs pull)\n"),
        (["convert", "lfs.jsonl", "o.json"], 3, "fetch the file (git lfs pull)\n"),
        (["evaluate", "page.json", "run.json"], 3, "page.json: this is a web page (HTML)"),
        (["evaluate", "run.json", "gt.json"], 3, "are ground truth and run swapped?\n"),
        (["evaluate", "corpus.jsonl", "run.json"], 3, "give them as --corpus FILE"),
        (["evaluate", "qrels", "run.json"], 3, "or say --profile trec, where groups do not matter"),
        (["evaluate", "subtopics", "run.json", "--profile", "trec"], 3, "say --subtopics, which"),
        (["evaluate", "gt.json", "run.json", "-m", "alpha_ndcg"], 2, "'coverage:alpha_ndcg'\n"),
        (["evaluate", "gt.json", "run.json", "--from", "trec-qrels"], 3,
         "this is JSON, not TREC qrels (trec-qrels); leave out --from trec-qrels\n"),
    ],
)  # fmt: skip
def test_a_refusal_is_one_line_that_says_what_to_do(
    groupwise: Groupwise, words: list[str], code: int, message: str
) -> None:
    done = groupwise(*words)
    assert (done.code, done.out) == (code, "")
    assert message in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "gt.json", "run.json"],
        ["evaluate", "qrels", "run.json", "--profile", "trec"],
        ["evaluate", "subtopics", "run.json", "--subtopics"],
        ["evaluate", "gt.json", "run.json", "-m", "coverage:alpha_ndcg"],
        ["validate", "gt.json", "--corpus", "corpus.jsonl", "--ignore", "CP"],
    ],
)
def test_what_a_refusal_says_works(groupwise: Groupwise, words: list[str]) -> None:
    assert groupwise(*words).code == 0


def test_the_same_problem_in_many_places_is_one_line(groupwise: Groupwise) -> None:
    done = groupwise("evaluate", "flat.jsonl", "run.json")
    assert done.err.count("\n") == 1
    assert done.err.startswith("error: flat.jsonl:1:30: query 'q0', /ground_truth: a flat list")
    assert done.err.endswith("(… and 19 more like it: lines 2, 3, 4, 5, 6, …)\n")


def test_lines_with_the_same_mistake_are_one_line(groupwise: Groupwise) -> None:
    """What a message quotes from a line is no other mistake."""
    done = groupwise("evaluate", "many.qrels", "run.json", "--profile", "trec")
    assert done.err.count("\n") == 1
    assert done.err.startswith("error: many.qrels:21: the relevance 'one' in 'q0 0 a0 one'")
    assert done.err.endswith("(… and 19 more like it: lines 22, 23, 24, 25, 26, …)\n")


def test_a_corpus_that_is_a_pointer_is_a_finding(groupwise: Groupwise) -> None:
    done = groupwise("validate", "gt.json", "--corpus", "lfs.jsonl")
    assert done.code == 1
    assert "lfs.jsonl: IO001 this is a Git LFS pointer" in done.out


def test_validate_notes_swapped_files(groupwise: Groupwise) -> None:
    done = groupwise("validate", "run.json", "--run", "gt.json")
    assert "note: run.json: expected ground truth, got results; gt.json: expected" in done.err


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "other.jsonl", "run.json"],
        ["explain", "other.jsonl", "run.json"],
        ["power", "other.jsonl", "run.json"],
        ["suggest", "other.jsonl", "--run", "run.json", "-o", "sheet.csv"],
    ],
)
def test_fields_of_another_name_are_answered_with_the_command_that_reads_them(
    groupwise: Groupwise, words: list[str]
) -> None:
    records = [{"question_id": f"q{n}", "expected_doc_ids": ["a"]} for n in (1, 2)]
    Path("other.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))
    done = groupwise(*words)
    added = ["--map", "id=question_id,ground_truth=expected_doc_ids", "--flat", "any"]
    assert (done.code, f"try:\n  {' '.join(['groupwise', *words, *added])}\n" in done.err) == (
        3,
        True,
    )
    assert groupwise(*words, *added).code == 0
