"""Options that are given twice, and names that begin with a dash."""

import json
from pathlib import Path

import pytest

from groupwise import InputError, evaluate
from tests.cli.conftest import RUNNING, Groupwise, Write

DASHED = "-m.json"
MAPPED = [{"key": "q1", "gold": [["a"]], "found": ["x", "a"]}]


def test_the_parts_of_a_map_are_merged(groupwise: Groupwise, write: Write) -> None:
    name = write("m.json", MAPPED)
    parts = ["--map", "id=key,ground_truth=gold", "--map", "results=found", "--map", "id=key"]
    done = groupwise("evaluate", name, *parts, "-m", "recall", "--format", "json")
    assert json.loads(done.out)["scores"] == {"recall": 1.0}


@pytest.mark.parametrize(
    "words",
    [
        ["--map", "id=key", "--map", "id=gold"],
        ["--map", "id=key,id=gold"],
        ["--map", "id=key,query_id=gold"],
        ["--map", "id=key", "--map", "qid=gold"],
    ],
)
def test_a_map_that_contradicts_itself(
    groupwise: Groupwise, write: Write, words: list[str]
) -> None:
    done = groupwise("evaluate", write("m.json", MAPPED), *words)
    assert done.code == 2
    assert "given twice: 'key' and 'gold'" in done.err


def test_a_map_that_contradicts_itself_in_the_library(write: Write) -> None:
    name = write("m.json", MAPPED)
    with pytest.raises(InputError, match="id is given twice: 'key' and 'gold'"):
        evaluate(name, fields={"id": "key", "qid": "gold"})


@pytest.mark.parametrize(
    "words",
    [
        ["--profile", "trec", "--profile", "coverage"],
        ["-o", "a.json", "--output", "b.json"],
        ["--format", "csv", "--format=json"],
        ["--flat", "any", "--flat", "all"],
        ["--curve", "3", "--curve"],
        ["--match", "span", "--match-option", "threshold=1", "--match-option", "threshold=0.5"],
        ["--max-bytes", "1G", "--max-bytes", "2G"],
    ],
)
def test_two_values_for_one_option_are_refused(
    groupwise: Groupwise, fixture: str, words: list[str]
) -> None:
    done = groupwise("evaluate", fixture, *words)
    assert (done.code, done.out) == (2, "")
    assert "given twice: " in done.err


@pytest.mark.parametrize("word", ["--corpus", "--run", "--baseline", "-k"])
def test_validate_does_not_drop_a_file(groupwise: Groupwise, fixture: str, word: str) -> None:
    done = groupwise("validate", fixture, word, "1", word, "2")
    assert done.code == 2
    assert "given twice: " in done.err


def test_the_same_value_twice_and_lists_are_welcome(groupwise: Groupwise, fixture: str) -> None:
    words = ["--profile", "trec", "--profile", "trec", "-m", "recall", "-m", "map,recall"]
    gates = ["--gate", "map>=0", "--gate", "recall>=0", "-k", "1", "-k", "2"]
    done = groupwise("evaluate", fixture, *words, *gates, "--format", "json")
    assert done.code == 0
    assert list(json.loads(done.out)["scores"]) == [
        "recall@1", "recall@2", "map@1", "map@2", "map", "recall",
    ]  # fmt: skip


@pytest.fixture
def dashed(write: Write) -> str:
    """A file whose name looks like an option."""
    return write(DASHED, RUNNING)


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "--", DASHED],
        ["evaluate", "--format", "csv", "--", DASHED],
        ["evaluate", "-m", "recall", "--", DASHED],
        ["evaluate", "--curve", "--", DASHED],
        ["validate", "--format", "json", "--", DASHED],
        ["validate", "--", DASHED],
        ["check", "--", DASHED],
        ["check", "--update", "--dry", "--", DASHED],
        ["convert", "--role", "run", "--", DASHED, "-o.jsonl"],
        ["fingerprint", "--corpus=-c.jsonl", "--check", "--", DASHED],
    ],
)
@pytest.mark.usefixtures("dashed")
def test_after_two_dashes_every_word_is_a_file(
    groupwise: Groupwise, write: Write, words: list[str]
) -> None:
    write("-c.jsonl", '{"id": "a", "text": "one"}\n')
    done = groupwise(*words)
    assert done.code == (1 if words[0] == "fingerprint" else 0)
    assert "required" not in done.err


@pytest.mark.usefixtures("dashed")
def test_files_before_and_after_two_dashes_keep_their_order(
    groupwise: Groupwise, write: Write
) -> None:
    truth = write("truth.json", {"q": [["a"]]})
    write("-r.json", {"q": ["a"]})
    done = groupwise("evaluate", truth, "--format", "csv", "-m", "recall", "--", "-r.json")
    assert done.out.splitlines()[-1] == "mean,1.0"
    done = groupwise("validate", truth, "--", DASHED, "--select")
    assert (done.code, "--select: no such file" in done.err) == (3, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["evaluate", "--"], "required: FILE"),
        (["evaluate", "--format", "--", "first.json"], "--format: expected one argument"),
        (["evaluate", "--bogus", "--", "first.json"], "unrecognized arguments: --bogus"),
        (["demo", "--", "--fixture"], "unrecognized arguments: --fixture"),
        (["evaluate", "first.json", "--plugin", "--"], "--plugin: expected one argument"),
    ],
)
def test_two_dashes_take_no_part_in_options(
    groupwise: Groupwise, fixture: str, words: list[str], said: str
) -> None:
    done = groupwise(*words)
    assert (done.code, said in done.err, Path(fixture).exists()) == (2, True, True)


@pytest.mark.parametrize("number", ["0", "-1", "1.5", "1e3", "\u0663", "1234567890123456789", ""])
@pytest.mark.parametrize("words", [["evaluate", "-k"], ["evaluate", "--curve"], ["validate", "-k"]])
def test_numbers_are_not_cut(
    groupwise: Groupwise, fixture: str, words: list[str], number: str
) -> None:
    command, flag = words
    done = groupwise(command, fixture, f"{flag}{number}" if flag == "-k" else f"{flag}={number}")
    assert (done.code, done.out) == (2, "")


def test_leading_zeros_are_no_digits(groupwise: Groupwise, fixture: str) -> None:
    done = groupwise("evaluate", fixture, "-m", "recall", "-k", "0" * 30 + "2", "--format", "json")
    assert list(json.loads(done.out)["scores"]) == ["recall@2"]


def test_a_curve_has_a_limit(groupwise: Groupwise, fixture: str) -> None:
    done = groupwise("evaluate", fixture, "--curve", "100000000000")
    assert (done.code, done.err) == (
        2, "error: expected at most 10,000 cutoffs in a curve, got 100,000,000,000\n",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["evaluate", "--metric", "recall"], "; did you mean '--metrics'?"),
        (["evaluate", "--gates=recall>1"], "did you mean '--gate'?"),
        (["validate", "--unsafe-fix"], "did you mean '--unsafe-fixes'?"),
        (["check", "--zzz"], "unrecognized arguments: --zzz\n"),
        (["convert", "--to", "nope", "x.json"], "--to: no format 'nope'"),
        (["convert", "--to", "hotpotqa", "x.json"], "--to: hotpotqa cannot be written"),
        (["evaluate", ""], "an argument is empty; is a variable of the shell not set?"),
        (["evaluate", "-o", ""], "an argument is empty"),
        (["validate", "--select", ","], "--select: expected codes"),
    ],
)
def test_a_usage_error_helps(
    groupwise: Groupwise, fixture: str, words: list[str], said: str
) -> None:
    command, *others = words
    done = groupwise(command, fixture, *others)
    assert (done.code, said in done.err) == (2, True)
