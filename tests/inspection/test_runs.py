"""Ground truth and a run, inspected together: the printed commands evaluate both."""

import json
import shlex
from pathlib import Path

import pytest

from groupwise import inspect
from tests.cli.shell import spawn

GOLDEN = {
    "examples": [
        {"q": "How many days of leave?", "correct_chunks": ["hr-01", "hr-17"]},
        {"q": "Who approves travel?", "correct_chunks": ["tr-02", "tr-03"]},
    ]
}
FOUND = [["hr-17", "zz"], ["aa", "bb"]]
"""One of the two questions is answered."""


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (["How many days of leave?", "Who approves travel?"], "examples[].q"),
        (["1", "2"], "#"),
        (["a", "b"], "#"),
    ],
)
def test_queries_are_named_as_the_run_names_them(
    tmp_path: Path, ids: list[str], expected: str
) -> None:
    golden, run = tmp_path / "golden.json", tmp_path / "run.json"
    golden.write_text(json.dumps(GOLDEN))
    run.write_text(json.dumps(dict(zip(ids, FOUND, strict=True))))
    found = inspect(golden, run)
    assert [proposal.map["id"] for proposal in found.proposals] == [expected, expected]
    assert any("id=#" in note for note in found.notes) == (expected == "#")
    for proposal in found.proposals:
        assert spawn(*shlex.split(proposal.command)[1:]).code == 0


def test_the_printed_command_evaluates_a_run_by_question(tmp_path: Path) -> None:
    golden, run = tmp_path / "golden.json", tmp_path / "run.json"
    golden.write_text(json.dumps(GOLDEN))
    ids = [record["q"] for record in GOLDEN["examples"]]
    run.write_text(json.dumps(dict(zip(ids, FOUND, strict=True))))
    scores = {}
    for proposal in inspect(golden, run).proposals:
        (command,) = proposal.then
        done = spawn(*shlex.split(command)[1:], "-m", "recall", "--format", "json")
        scores[proposal.flat] = json.loads(done.out)["scores"]["recall"]
    assert scores == {"any": 0.5, "all": 0.25}
