"""What ``--quiet`` leaves out, and what it never does."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import RUNNING, Groupwise, Write
from tests.paths import ROOT

MESSY = {"q1": [["a"], []], "q2": [["a", "a"]]}
QUIET = pytest.mark.parametrize("flag", ["-q", "--quiet"])


@QUIET
def test_validate_prints_nothing_about_clean_data(
    groupwise: Groupwise, fixture: str, flag: str
) -> None:
    assert groupwise("validate", fixture, flag) == (0, "", "")


@QUIET
def test_validate_prints_the_findings_and_nothing_else(
    groupwise: Groupwise, write: Write, flag: str
) -> None:
    name = write("messy.json", MESSY)
    done = groupwise("validate", name, flag)
    assert (done.code, done.err) == (1, "")
    assert [line.split()[1] for line in done.out.splitlines()] == ["GT004", "GT007"]
    assert done.out.splitlines() == groupwise("validate", name).out.splitlines()[:2]


def test_validate_counts_by_rule_if_asked(groupwise: Groupwise, write: Write) -> None:
    done = groupwise("validate", write("messy.json", MESSY), "-q", "--statistics")
    assert [line.split()[:2] for line in done.out.splitlines()] == [["1", "GT004"], ["1", "GT007"]]


def test_validate_says_how_many_are_omitted(groupwise: Groupwise, write: Write) -> None:
    name = write("many.json", {f"q{n}": [[]] for n in range(30)})
    done = groupwise("validate", name, "-q")
    assert len(done.out.splitlines()) == 21
    assert "10 more" in done.out.splitlines()[-1]


@pytest.mark.parametrize("form", ["json", "jsonl", "github", "gitlab", "sarif", "junit"])
def test_formats_for_programs_stay_as_they_are(
    groupwise: Groupwise, write: Write, form: str
) -> None:
    words = ["validate", write("messy.json", MESSY), "--format", form]
    assert groupwise(*words, "-q") == groupwise(*words)


def test_validate_does_not_report_what_it_fixed_or_wrote(
    groupwise: Groupwise, write: Write
) -> None:
    name = write("messy.json", {"q2": [["a", "a"]]})
    assert groupwise("validate", name, "-q", "--write-baseline", "known.json") == (
        0, groupwise("validate", name, "-q").out, "",
    )  # fmt: skip
    assert groupwise("validate", name, "-q", "--fix") == (0, "", "")
    assert json.loads(Path(name).read_text()) == {"q2": [["a"]]}


def test_the_hook_of_pre_commit_is_quiet() -> None:
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    assert "entry: groupwise validate --quiet\n" in hooks


@QUIET
def test_evaluate_prints_means_counts_and_warnings(
    groupwise: Groupwise, fixture: str, flag: str
) -> None:
    done = groupwise("evaluate", fixture, flag, "--gate", "recall >= 0.5")
    plain = groupwise("evaluate", fixture, "--gate", "recall >= 0.5")
    assert (done.code, done.err) == (0, "")
    assert "1 query, 1 scored" in done.out
    assert "q1" in plain.out
    assert "q1" not in done.out
    assert plain.out.startswith(done.out)


def test_evaluate_tells_a_gate_that_fails(groupwise: Groupwise, fixture: str) -> None:
    words = ["evaluate", fixture, "-q", "--gate", "recall >= 0.9", "--gate", "mrr >= 0.1"]
    done = groupwise(*words)
    assert done.code == 1
    assert [line for line in done.err.splitlines() if "gate" in line] == done.err.splitlines()[:1]
    assert "recall >= 0.9" in done.err


def test_check_prints_what_fails(groupwise: Groupwise, write: Write) -> None:
    write("folder/good.json", RUNNING)
    write("folder/other.json", {"a": 1})
    assert groupwise("check", "-q", "folder") == (0, "", "")
    write("folder/wrong.json", {**RUNNING, "expected": {"recall": 1.0}})
    done = groupwise("check", "-q", "folder")
    assert (done.code, done.out.splitlines()[0].split()[0]) == (1, "failed")
    assert not {"ok", "skipped", "files:"} & set(done.out.split())


def test_check_says_that_nothing_was_checked(groupwise: Groupwise, write: Write) -> None:
    write("folder/other.json", {"a": 1})
    done = groupwise("check", "-q", "folder")
    assert (done.code, done.out, "nothing was checked" in done.err) == (3, "", True)


def test_convert_prints_nothing_but_losses(groupwise: Groupwise, write: Write) -> None:
    name = write("truth.jsonl", {"id": "q1", "ground_truth": [["a", "b"], ["c"]]})
    assert groupwise("convert", name, "truth.csv", "-q") == (0, "", "")
    done = groupwise("convert", name, "truth.qrels", "-q", "--lossy")
    assert (done.code, done.out, "lost: " in done.err) == (0, "", True)
