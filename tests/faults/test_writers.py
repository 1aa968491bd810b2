"""Whatever fails while a file is written: the old file is whole, or the new one is.

A full disk, a read-only folder, a failing device, and kill -9 at each step of every writer.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from groupwise.evaluator.reading.temporary import PATTERN
from tests.faults.seam import ROOT, find_calls, find_other_ways
from tests.faults.writers import WRITERS, Writer

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs fork and signals")


@pytest.fixture(params=WRITERS)
def tried(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Writer, dict[str, Any]]:
    """A writer, and what came of it with each fault."""
    return WRITERS[request.param], drive(request.param, tmp_path)


def drive(name: str, folder: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.faults.driver", name, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_no_fault_does_harm(tried: tuple[Writer, dict[str, Any]]) -> None:
    writer, found = tried
    assert writer.calls in found["called"]
    assert found["runs"]
    for runs in found["runs"]:
        whole = runs["whole"]
        assert whole["code"] in (0, 1), whole["err"]
        assert whole["files"] != runs["before"]
        assert {"open", "write", "fsync", "close", "replace"} <= set(runs["steps"])
        for fault in runs["faults"]:
            check_fault(writer, fault, runs)
        for killed in runs["killed"]:
            check_killed(writer, killed, runs)


def check_fault(writer: Writer, fault: dict[str, Any], runs: dict[str, Any]) -> None:
    """Either it says in one line what is wrong and changes nothing, or all is written."""
    check_files(fault, runs)
    assert not leftovers(fault), fault["step"]
    if fault["files"] == runs["whole"]["files"]:
        assert fault["code"] == runs["whole"]["code"], fault["step"]
        return
    assert fault["code"] == writer.failed, (fault["step"], fault["err"])
    if writer.failed == 4:
        errors = [line for line in fault["err"].splitlines() if line.startswith("error: ")]
        assert len(errors) == 1, fault["err"]
        assert "Traceback" not in fault["err"]


def check_killed(writer: Writer, killed: dict[str, Any], runs: dict[str, Any]) -> None:
    """Few files are left over; their names say what they are, and the next run removes them."""
    assert killed["code"] == -9, killed["step"]
    check_files(killed, runs)
    assert len(leftovers(killed)) <= writer.leftovers, killed["step"]
    if again := killed.get("again"):
        assert again["code"] == runs["whole"]["code"], (killed["step"], again["err"])
        assert again["files"] == runs["whole"]["files"], killed["step"]


def check_files(ended: dict[str, Any], runs: dict[str, Any]) -> None:
    """Every file is as it was before, or as it is if nothing fails; none is cut."""
    before, whole = runs["before"], runs["whole"]["files"]
    for name, content in ended["files"].items():
        if not PATTERN.fullmatch(Path(name).name):
            assert content in (before.get(name), whole.get(name)), (ended["step"], name)
    assert before.keys() <= ended["files"].keys(), ended["step"]


def leftovers(ended: dict[str, Any]) -> list[str]:
    return [name for name in ended["files"] if PATTERN.fullmatch(Path(name).name)]


def test_every_call_that_writes_is_a_writer() -> None:
    """A new call of `reading/writing.py` needs a case in `writers.py`."""
    assert {writer.calls for writer in WRITERS.values()} == find_calls()


def test_nothing_writes_past_the_seam() -> None:
    assert find_other_ways() == set()
