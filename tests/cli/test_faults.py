"""Whatever fails while a command writes: the old file is whole, or the new one is."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Groupwise, Write
from tests.cli.shell import names_in
from tests.paths import ROOT

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals and pipes")

TRUTH = '{"id": "q1", "ground_truth": [["a", "b", "a"], ["c"]]}\n'
RUN = '{"id": "q1", "results": ["a", "x"]}\n'
OLD = b"what was there before\n"
WRITERS = {
    "evaluate": ["evaluate", "truth.jsonl", "run.jsonl", "-q", "-o", "out.json"],
    "convert": ["convert", "truth.jsonl", "out.json", "-q", "--to", "json"],
    "fix": ["validate", "truth.jsonl", "-q", "--fix"],
}
"""A new file, a conversion, and an edit in place."""
STEPS = ("open", "fsync", "replace")
FULL = Path("/dev/full")


@pytest.fixture(params=WRITERS)
def words(request: pytest.FixtureRequest, write: Write) -> list[str]:
    write("truth.jsonl", TRUTH)
    write("run.jsonl", RUN)
    Path("out.json").write_bytes(OLD)
    return WRITERS[request.param]


def read_all() -> dict[str, bytes]:
    return {name: Path(name).read_bytes() for name in names_in()}


def watch(step: str, act: Callable[[], None]) -> Callable[..., Any]:
    """Return a function of the system that acts first, if it is about a temporary file."""
    original = getattr(os, step)

    def watched(first: Any, *rest: Any, **more: Any) -> Any:
        if isinstance(first, int) or Path(first).name.startswith(".groupwise-"):
            act()
        return original(first, *rest, **more)

    return watched


@pytest.mark.parametrize("step", STEPS)
def test_an_error_is_one_line_and_changes_nothing(
    words: list[str], step: str, groupwise: Groupwise, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = read_all()
    monkeypatch.setattr(os, step, watch(step, fail))
    done = groupwise(*words)
    assert done.code == 4
    assert done.err.count("error: ") == done.err.count("\n") == 1
    assert "cannot be written: No space left on device" in done.err
    assert read_all() == before


def kill_at(step: str, words: list[str]) -> None:
    """Run a command; this process is killed at a step. Called in a process of its own."""
    from groupwise.evaluator.cli import run  # noqa: PLC0415

    setattr(os, step, watch(step, lambda: os.kill(os.getpid(), signal.SIGKILL)))
    run(words)


@pytest.mark.parametrize("words", ["evaluate"], indirect=True)
@pytest.mark.parametrize("step", STEPS)
def test_a_killed_process_leaves_one_file_that_is_removed_a_day_later(
    words: list[str], step: str, groupwise: Groupwise
) -> None:
    before = read_all()
    code = f"from tests.cli.test_faults import kill_at; kill_at({step!r}, {words!r})"
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(ROOT)}, check=False)
    assert done.returncode == -signal.SIGKILL
    left = read_all()
    more = left.keys() - before.keys()
    assert len(more) == (step != "open")
    assert {name: content for name, content in left.items() if name not in more} == before
    for name in more:
        os.utime(name, (0, 0))
    assert groupwise(*words).code in (0, 1)
    assert read_all().keys() == before.keys()
    assert read_all() != before


def test_a_folder_is_refused_and_left_alone(groupwise: Groupwise, write: Write) -> None:
    words = ("evaluate", write("truth.jsonl", TRUTH), write("run.jsonl", RUN), "-o", "out.json")
    Path("out.json").mkdir()
    done = groupwise(*words)
    assert done.code == 2
    assert "out.json: this is a folder, not a file" in done.err
    assert names_in("out.json") == []


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_a_pipe_gets_the_bytes_of_a_file_of_that_name(
    name: str, groupwise: Groupwise, write: Write
) -> None:
    words = ("convert", write("truth.jsonl", TRUTH), name, "-q")
    assert groupwise(*words).code == 0
    expected = Path(name).read_bytes()
    Path(name).unlink()
    os.mkfifo(name)
    with ThreadPoolExecutor(1) as pool:
        received = pool.submit(Path(name).read_bytes)
        assert groupwise(*words).code == 0
        assert received.result(timeout=60) == expected
