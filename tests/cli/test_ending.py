"""The program ends at once, but does all that it would do if the interpreter took it apart."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "fixtures" / "examples" / "running-example.json"
PROGRAM = """
import sys
{before}
from groupwise.__main__ import start
sys.argv = ["groupwise", *{words!r}]
start()
"""
COMMAND = ["evaluate", str(EXAMPLE), "--quiet"]
THREAD = """
import threading
def wait():
    threading.main_thread().join()
    print("a thread has ended")
threading.Thread(target=wait).start()
"""


def run(before: str, words: list[str]) -> subprocess.CompletedProcess[str]:
    """What a program says that does something before it runs the command."""
    program = PROGRAM.format(before=before, words=words)
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )


def test_modules_are_not_taken_apart() -> None:
    class_with_end = "class Kept:\n    def __del__(self): print('taken apart')\nkept = Kept()"
    done = run(class_with_end, COMMAND)
    assert done.returncode == 0
    assert "ndcg" in done.stdout
    assert "taken apart" not in done.stdout


def test_what_was_registered_for_the_exit_is_called() -> None:
    done = run("import atexit; atexit.register(print, 'registered', end='')", COMMAND)
    assert done.returncode == 0
    assert done.stdout.endswith("registered")


def test_other_threads_are_waited_for() -> None:
    assert run(THREAD, COMMAND).stdout.endswith("a thread has ended\n")


@pytest.mark.parametrize(("words", "code"), [(COMMAND, 0), (["evaluate"], 2), (["rule", "?"], 2)])
def test_the_code_is_that_of_the_command(words: list[str], code: int) -> None:
    assert run("", words).returncode == code


def test_a_profiler_tells_what_it_measured() -> None:
    words = [sys.executable, "-m", "cProfile", "-m", "groupwise", *COMMAND]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "function calls" in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_what_cannot_be_written_is_said_by_the_interpreter() -> None:
    program = PROGRAM.format(before="sys.stdout.write('left')", words=["evaluate"])
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONUNBUFFERED": ""},
            stdout=full, stderr=subprocess.PIPE, check=False,
        )  # fmt: skip
    assert done.returncode == 120
    assert b"No space left" in done.stderr
