"""What the tests of the command line share."""

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groupwise.evaluator.cli import run
from tests.cli.shell import Outcome

Groupwise = Callable[..., Outcome]
Write = Callable[[str, Any], str]


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", os.fspath(tmp_path))
    homes = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "ZDOTDIR")
    for name in ("NO_COLOR", "FORCE_COLOR", "GROUPWISE_DEBUG", *homes):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def groupwise(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Groupwise:
    """Runs the command line in this process."""

    def call(*words: str, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        code = run(words)
        return Outcome(code, *capsys.readouterr())

    return call


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file into the current folder: text as it is, all else as JSON."""

    def into(name: str, content: Any) -> str:
        text = content if isinstance(content, str) else json.dumps(content)
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        return name

    return into


@pytest.fixture
def fixture(write: Write) -> str:
    """The running example as a file, with the values of the semantics page."""
    return write("first.json", RUNNING)


GROUND_TRUTH = [["test-1", "test-2"], ["test-3"]]
RESULTS = ["test-1", "pred-1", "test-2", "pred-3"]
SIX = {
    "precision": 0.5,
    "recall": 0.5,
    "f1": 0.5,
    "mrr": 0.5,
    "map": 0.41666666666666663,
    "ndcg": 0.7039180890341347,
}
RUNNING = {
    "queries": [{"id": "q1", "ground_truth": GROUND_TRUTH, "results": RESULTS}],
    "expected": SIX,
}
