"""Options that are given twice, and names that begin with a dash."""

import json
from pathlib import Path

import pytest

from groupwise import File, InputError, evaluate
from groupwise.evaluator.cli.commands import COMMANDS
from tests.cli.conftest import RUNNING, Groupwise, Write

DASHED = "-m.json"
MAPPED = [{"key": "q1", "gold": [["a"]], "found": ["x", "a"]}]


def test_the_parts_of_a_map_are_merged(groupwise: Groupwise, write: Write) -> None:
    name = write("m.json", MAPPED)
    parts = ["--map", "id=key,ground_truth=gold", "--map", "results=found", "--map", "id=key"]
    done = groupwise("evaluate", name, *parts, "-m", "recall", "--format", "json")
    assert json.loads(done.out)["scores"] == {"recall": 1.0}


def test_a_map_may_be_about_one_file(groupwise: Groupwise, write: Write) -> None:
    truth = write("truth.json", [{"id": "no", "key": "q1", "gold": [["a"]]}])
    run = write("run.json", [{"id": "q1", "key": "no", "found": ["x", "a"]}])
    shown = ["-m", "recall", "--format", "json"]
    maps = ["--map", "truth:id=key,ground_truth=gold", "--map", "run:results=found"]
    done = groupwise("evaluate", truth, run, *maps, *shown)
    assert json.loads(done.out)["scores"] == {"recall": 1.0}
    common = ["--map", "id=key,ground_truth=gold,results=found", "--map", "run:id=id"]
    assert groupwise("evaluate", truth, run, *common, *shown).out == done.out
    whole = write("m.json", MAPPED)
    both = ["--map", "truth:ground_truth=gold", "--map", "run:results=found", "--map", "id=key"]
    assert json.loads(groupwise("evaluate", whole, *both, *shown).out)["scores"] == {"recall": 1.0}


def test_a_map_about_one_file_may_be_automatic(groupwise: Groupwise, write: Write) -> None:
    truth = write("truth.json", [{"id": "q1", "gold": [["a"]]}])
    run = write("run.json", [{"qid": "q1", "retrieved_docs": ["x", "a"]}])
    maps = ["--map", "truth:ground_truth=gold", "--map", "run:auto"]
    done = groupwise("evaluate", truth, run, *maps, "-m", "recall", "--format", "json")
    assert json.loads(done.out)["scores"] == {"recall": 1.0}
    assert groupwise("evaluate", truth, run, *maps, "--map", "run:id=qid").code == 2


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
        evaluate(File(name, map={"id": "key", "qid": "gold"}))


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
        ["check", "--update", "--dry-run", "--", DASHED],
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
    assert done.out.splitlines()[-1] == "mean,,1.0"
    done = groupwise("validate", truth, "--", DASHED, "--select")
    assert (done.code, "--select: no such file" in done.err) == (3, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["evaluate", "--"], "required: FILE"),
        (["evaluate", "--format", "--", "first.json"], "--format: expected one argument"),
        (["evaluate", "--bogus", "--", "first.json"], "no option '--bogus'"),
        (["demo", "--", "--fixture"], "unexpected arguments: --fixture"),
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
        (["evaluate", "--gat=recall>1"], "did you mean '--gate'?"),
        (["validate", "--unsafe-fix"], "did you mean '--unsafe-fixes'?"),
        (["check", "--zzz"], "no option '--zzz'\n"),
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


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["evaluate", "--metrcs", "recall"], "no option '--metrcs'; did you mean '--metrics'?"),
        (["evaluate", "--metrcs=recall"], "no option '--metrcs'; did you mean '--metrics'?"),
        (["evaluate", "--gat=recall > 1"], "no option '--gat'; did you mean '--gate'?"),
        (["evaluate", "--Help"], "no option '--Help'; did you mean '--help'?"),
        (["evaluate", "-output", "x"], "no option '-output'; did you mean '--output'?"),
        (["check", "-x"], "no option '-x'"),
        (["validate", "--quite"], "no option '--quite'; did you mean '--quiet'?"),
        (["metrics", "--profil", "trec"], "no option '--profil'; did you mean '--profile'?"),
    ],
)
def test_a_mistyped_option_is_named_though_files_are_missing(
    groupwise: Groupwise, words: list[str], said: str
) -> None:
    see = f"see: groupwise {words[0]} --help\n"
    assert groupwise(*words) == (2, "", f"error: {said}\n{see}")


def test_help_is_given_whatever_else_is_wrong(groupwise: Groupwise) -> None:
    assert groupwise("evaluate", "--metrcs", "--help") == groupwise("evaluate", "--help")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["evalute"], "no command 'evalute'; did you mean 'evaluate'?"),
        (["version"], "no command 'version'; did you mean '--version'?"),
        (["xyz"], f"no command 'xyz'; choose from {', '.join(COMMANDS)}"),
        (["--verison"], "no option '--verison'; did you mean '--version'?"),
        (["-v"], "no option '-v'; choose from --help, --version"),
        (
            ["-q", "validate", "x.json"],
            "options come after the command, such as 'groupwise validate -q'",
        ),
    ],
)
def test_a_mistyped_command_is_answered_with_the_nearest(
    groupwise: Groupwise, words: list[str], said: str
) -> None:
    assert groupwise(*words) == (2, "", f"error: {said}\nsee: groupwise --help\n")


@pytest.mark.parametrize("command", ["evaluate", "validate", "metrics"])
def test_the_profiles_are_in_the_help_and_in_the_refusal(
    groupwise: Groupwise, command: str
) -> None:
    assert "--profile autorag|trec|coverage" in groupwise(command, "--help").out
    done = groupwise(command, "x.json", "--profile", "trek")
    assert (done.code, "did you mean 'trec'?" in done.err) == (2, True)


@pytest.mark.parametrize("metric", ["recall@0", "trek:recall", "trec:rbp(p=7)", "recal"])
def test_a_metric_that_cannot_be_is_a_usage_error(
    groupwise: Groupwise, fixture: str, metric: str
) -> None:
    assert groupwise("evaluate", fixture, "-m", metric).code == 2
    assert groupwise("evaluate", fixture, "--gate", f"{metric} >= 0").code == 2


def test_in_a_fixture_it_is_invalid_input(groupwise: Groupwise, write: Write) -> None:
    for metric in ("recall@0", "trek:recall", "trec:rbp(p=7)", "recal"):
        name = write("bad.json", {**RUNNING, "metrics": [metric]})
        for command in ("evaluate", "check"):
            done = groupwise(command, name)
            assert (done.code, done.err.startswith("error: bad.json: ")) == (3, True)
