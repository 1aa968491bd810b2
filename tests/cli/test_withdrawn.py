"""Names of earlier versions are refused, and say what to do instead."""

import pytest

from groupwise import Evaluator, OptionError, evaluate
from tests.cli.conftest import Groupwise

QUERY = {"q": [["a"]]}


def test_an_argument() -> None:
    with pytest.raises(OptionError, match="resume is withdrawn: evaluate the files again"):
        evaluate(QUERY, {"q": ["a"]}, resume="journal.jsonl")  # type: ignore[call-arg]
    with pytest.raises(OptionError, match="resume is withdrawn"):
        Evaluator(QUERY, resume=None)  # type: ignore[call-arg]


@pytest.mark.parametrize("words", [["--resume", "journal.jsonl"], ["--resume=journal.jsonl"]])
def test_an_option(groupwise: Groupwise, words: list[str]) -> None:
    done = groupwise("evaluate", "qa.json", *words)
    assert done.code == 2
    assert "--resume is withdrawn: evaluate the files again" in done.err


@pytest.mark.parametrize("command", ["validate", "convert"])
def test_jobs_are_for_evaluate_only(groupwise: Groupwise, command: str) -> None:
    done = groupwise(command, "qa.json", "--jobs", "2")
    assert (done.code, done.err.splitlines()[0]) == (
        2, "error: --jobs is withdrawn: this reads in one process; evaluate splits JSON Lines"
    )  # fmt: skip
