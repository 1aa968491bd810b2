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
