"""Bad days: signals, closed pipes, full disks. The old file is whole, and no other file stays."""

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import RUNNING, Write
from tests.cli.shell import COMMAND, names_in, spawn

SLOW_DISK = """
import os, sys, time
def fsync(descriptor):
    print("writing", file=sys.stderr, flush=True)
    time.sleep(60)
os.fsync = fsync
from groupwise.evaluator.cli import run
sys.exit(run(sys.argv[1:]))
"""
OLD = b"the old report\n"
SIGNALS = [(signal.SIGTERM, 143, "terminated\n"), (signal.SIGINT, 130, "interrupted\n")]
WRITES = {
    "evaluate -o": ("evaluate", "first.json", "-o", "report.txt"),
    "check --update": ("check", "--update", "wrong.json"),
}


@pytest.fixture
def folder(write: Write) -> dict[str, bytes]:
    """Files to be written anew, and others."""
    write("first.json", RUNNING)
    write("wrong.json", {**RUNNING, "expected": {"recall": 0.1}})
    Path("report.txt").write_bytes(OLD)
    return content()


def content() -> dict[str, bytes]:
    return {name: Path(name).read_bytes() for name in names_in()}


@pytest.mark.parametrize(("number", "code", "said"), SIGNALS)
def test_a_signal_while_writing(
    folder: dict[str, bytes], number: int, code: int, said: str
) -> None:
    words = WRITES["evaluate -o" if number == signal.SIGTERM else "check --update"]
    with subprocess.Popen(
        [sys.executable, "-c", SLOW_DISK, *words],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        assert process.stderr.readline() == "writing\n"
        assert len(names_in()) == len(folder) + 1
        process.send_signal(number)
        assert process.stderr.read() == said
        assert process.wait() == code
    assert content() == folder


STOPS_ITSELF = """
import os, signal, time
for _ in range({times}):
    os.kill(os.getpid(), signal.{name})
    time.sleep(0.05)
open("imported", "w").close()
"""


@pytest.mark.parametrize(("number", "code", "said"), SIGNALS)
def test_a_signal_during_an_import_waits_for_its_end(
    write: Write, number: int, code: int, said: str
) -> None:
    """An exception in the middle of the import of numpy crashes the interpreter."""
    write("first.json", RUNNING)
    write("mine.py", STOPS_ITSELF.format(times=1, name=signal.Signals(number).name))
    done = spawn("evaluate", "first.json", "--plugin", "mine.py")
    assert (done.code, done.out, done.err) == (code, "", said)
    assert Path("imported").exists()


def test_a_second_signal_during_an_import_does_not_wait(write: Write) -> None:
    write("first.json", RUNNING)
    write("mine.py", STOPS_ITSELF.format(times=2, name="SIGINT"))
    done = spawn("evaluate", "first.json", "--plugin", "mine.py")
    assert (done.code, done.out, done.err) == (130, "", "interrupted\n")
    assert not Path("imported").exists()


def test_signals_in_a_row_do_not_disturb_the_clean_up(folder: dict[str, bytes]) -> None:
    words = WRITES["evaluate -o"]
    with subprocess.Popen(
        [sys.executable, "-c", SLOW_DISK, *words], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        process.stderr.readline()
        for number in (signal.SIGTERM, signal.SIGTERM, signal.SIGTERM):
            process.send_signal(number)
        # A signal that comes when all is cleaned up ends the process at once; to a shell it is 143.
        assert process.wait() in (143, -signal.SIGTERM)
    assert content() == folder


def stop(process: subprocess.Popen[str], number: int) -> int:
    """Send a signal until the process ends.

    One that arrives between a check for signals and the system call that waits is seen only after
    that call, and no other program of Python's sees it earlier.
    """
    for _ in range(10):
        process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(timeout=5)
    return process.wait(timeout=5)


@pytest.mark.parametrize(("number", "code", "said"), SIGNALS)
def test_a_signal_while_waiting_for_input(
    folder: dict[str, bytes], number: int, code: int, said: str
) -> None:
    """The reader of a pipe whose writer keeps it waiting."""
    os.mkfifo("pipe.json")
    words = ("evaluate", "pipe.json", "-o", "report.txt")
    with subprocess.Popen([*COMMAND, *words], stderr=subprocess.PIPE, text=True) as process:
        with Path("pipe.json").open("wb"):  # opening waits for the reader
            assert stop(process, number) == code
        assert process.stderr is not None
        assert process.stderr.read() == said
    Path("pipe.json").unlink()
    assert content() == folder


def big(write: Write) -> tuple[str, str]:
    queries = [f"query-{n:06}" for n in range(20_000)]
    write("g.jsonl", "".join(f'{{"id": "{q}", "ground_truth": [["a"]]}}\n' for q in queries))
    write("r.jsonl", "".join(f'{{"id": "{q}", "results": ["x", "a"]}}\n' for q in queries))
    return "g.jsonl", "r.jsonl"


@pytest.mark.parametrize(("gate", "code"), [("recall >= 1", 0), ("mrr >= 1", 1)])
def test_a_closed_pipe_is_silent_and_keeps_the_exit_code(
    write: Write, gate: str, code: int
) -> None:
    words = [*COMMAND, "evaluate", *big(write), "--format", "jsonl", "--gate", gate]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["query"] == "query-000000"
        process.stdout.close()
        said = process.stderr.read().decode()
        assert process.wait() == code
    assert said.count("\n") == 1
    assert said.startswith("gate ")


def test_a_pipe_that_is_closed_from_the_start() -> None:
    for words in (["--help"], ["demo"]):
        line = f"{' '.join(COMMAND)} {' '.join(words)} | true; exit ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", line], capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    "words",
    [["--help"], ["evaluate", "first.json"], ["evaluate", "first.json", "--format", "json"]],
)
def test_stdout_on_a_full_disk(folder: dict[str, bytes], words: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, *words], stdout=full, stderr=subprocess.PIPE, check=False, text=True
        )
    assert done.returncode == 4
    said = "error: standard output cannot be written: No space left on device\n"
    assert done.stderr == said
    assert content() == folder


def test_stdout_that_is_closed(folder: dict[str, bytes]) -> None:
    line = f"{' '.join(COMMAND)} evaluate first.json >&-"
    done = subprocess.run(["bash", "-c", line], capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (
        4, "error: standard output cannot be written: it is closed\n",
    )  # fmt: skip
    assert content() == folder


def test_stderr_on_a_full_disk_changes_nothing(folder: dict[str, bytes]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*COMMAND, "evaluate", "no.json"], stderr=full, check=False)
    assert done.returncode == 3
    assert content() == folder


def test_a_file_that_may_not_grow(folder: dict[str, bytes]) -> None:
    """A limit on the size of files fails as a full disk does, where none can be mounted."""
    done = subprocess.run(
        [*COMMAND, *WRITES["evaluate -o"]],
        capture_output=True, check=False, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)),
    )  # fmt: skip
    assert done.returncode == 4
    assert "cannot be written: File too large" in done.stderr
    assert content() == folder


@contextlib.contextmanager
def small_disk(path: Path) -> Iterator[None]:
    """A file system of 64 KiB at this path; skipped where we may not mount one."""
    path.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(path)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("mounting a file system is not allowed here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(path)], check=True)


def test_a_full_disk_while_writing_a_report(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ground_truth, run = (str(tmp_path / name) for name in big(write))
    with small_disk(tmp_path / "disk"), monkeypatch.context() as patch:
        patch.chdir(tmp_path / "disk")
        Path("report.csv").write_bytes(OLD)
        done = subprocess.run(
            [*COMMAND, "evaluate", ground_truth, run, "-o", "report.csv"],
            capture_output=True, check=False, text=True,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (
            4, "error: report.csv: cannot be written: No space left on device\n",
        )  # fmt: skip
        assert content() == {"report.csv": OLD}


def test_a_full_disk_while_updating_a_fixture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    query = {"id": "q", "ground_truth": [["a"]], "results": ["a", *map(str, range(6_000))]}
    wrong = json.dumps({"queries": [query], "expected": {"recall": 0}})
    with small_disk(tmp_path / "disk"), monkeypatch.context() as patch:
        patch.chdir(tmp_path / "disk")
        Path("fixture.json").write_text(wrong, encoding="utf-8")
        before = content()
        assert len(wrong) > 1 << 15
        done = subprocess.run(
            [*COMMAND, "check", "--update", "fixture.json"],
            capture_output=True, check=False, text=True,
        )  # fmt: skip
        assert done.returncode == 4
        assert done.stderr == "error: fixture.json: cannot be written: No space left on device\n"
        assert content() == before
