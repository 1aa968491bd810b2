"""The file of a journal: whole lines are kept, a cut line is dropped, all else is refused."""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from groupwise import InputError
from groupwise.evaluator.errors import OutputError
from groupwise.evaluator.evaluation.journal import pace
from groupwise.evaluator.evaluation.journal.file import SCHEMA, JournalFile
from groupwise.evaluator.evaluation.journal.lines import Chain

HEADER = {"schema": SCHEMA, "kind": "a test"}
BODIES: list[dict[str, Any]] = [HEADER, {"a": 1}, {"b": ["ü", None, 0.1]}, {"c": {}}]
HOLD = """
import sys
from groupwise.evaluator.evaluation.journal.file import JournalFile
JournalFile(sys.argv[1])
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


def write(path: Path, bodies: list[dict[str, Any]]) -> bytes:
    with closing(JournalFile(path)) as file:
        assert [*file.read()] == []
        for body in bodies:
            file.append(body)
    return path.read_bytes()


def read(path: Path) -> list[Any]:
    with closing(JournalFile(path)) as file:
        return [*file.read()]


def test_lines_are_json_with_a_checksum(path: Path) -> None:
    write(path, BODIES)
    found = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line.pop("checksum") for line in found] != []
    assert found == BODIES
    assert read(path) == BODIES


def test_every_cut_leaves_the_whole_lines_before_it(path: Path) -> None:
    data = write(path, BODIES)
    ends = [0, *(place + 1 for place, byte in enumerate(data) if byte == ord("\n"))]
    for cut in range(len(data) + 1):
        path.write_bytes(data[:cut])
        whole = sum(end <= cut for end in ends) - 1
        assert read(path) == BODIES[:whole]
        assert path.read_bytes() == data[: ends[whole]]


def test_lines_are_added_after_a_cut(path: Path) -> None:
    data = write(path, BODIES)
    path.write_bytes(data[:-9])
    with closing(JournalFile(path)) as file:
        assert [*file.read()] == BODIES[:-1]
        file.append(BODIES[-1])
    assert path.read_bytes() == data


def test_every_changed_byte_before_the_last_line_is_found(path: Path) -> None:
    data = write(path, BODIES)
    last = data.rindex(b"\n", 0, len(data) - 1) + 1
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 1
        path.write_bytes(changed)
        if place == last - 1:  # two lines become one, the last
            assert read(path) == BODIES[:-2]
        elif place < last:
            with pytest.raises(InputError, match="journal"):
                read(path)
            assert path.read_bytes() == changed
        else:
            assert read(path) == BODIES[:-1]


def test_what_a_power_cut_leaves_is_dropped(path: Path) -> None:
    data = write(path, BODIES)
    path.write_bytes(data + b"\0" * 5000)
    assert read(path) == BODIES
    path.write_bytes(b'{"schema":"groupwise.jou')
    assert read(path) == []


@pytest.mark.parametrize(
    "content", [b"{}\n", b'{"id": "q1", "ground_truth": [["a"]]}\n', b"\x1f\x8b", b"\n", b"\0" * 40]
)
def test_other_files_are_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"journal\.jsonl: this is not a journal of groupwise"):
        read(path)
    assert path.read_bytes() == content


def test_journals_of_another_format_are_refused(path: Path) -> None:
    path.write_bytes(Chain().seal({"schema": "groupwise.journal/2"}))
    with pytest.raises(InputError, match="another format"):
        read(path)


def test_a_folder_is_no_journal(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a journal"):
        JournalFile(tmp_path)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="there is no folder"):
        JournalFile(tmp_path / "none" / "journal.jsonl")


def test_one_at_a_time(path: Path) -> None:
    data = write(path, BODIES)
    busy = pytest.raises(OutputError, match="another evaluation is writing this journal")
    with closing(JournalFile(path)), busy:
        JournalFile(path)
    assert read(path) == BODIES
    assert path.read_bytes() == data


def test_another_process_has_it_until_it_is_killed(path: Path) -> None:
    write(path, BODIES)
    words = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"locked\n"
        with pytest.raises(OutputError, match="another evaluation"):
            JournalFile(path)
        process.kill()
    assert read(path) == BODIES


def test_a_full_disk_leaves_the_lines_before(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_plainly = os.write
    room = 150

    def write_little(descriptor: int, data: bytes) -> int:
        nonlocal room
        if not room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = write_plainly(descriptor, bytes(data)[:room])
        room -= written
        return written

    with closing(JournalFile(path)) as file:
        assert [*file.read()] == []
        monkeypatch.setattr(os, "write", write_little)
        file.append(HEADER)
        with pytest.raises(OutputError, match="No space left on device; the journal holds what"):
            file.append({"much": "x" * 100})
        monkeypatch.undo()
    assert read(path) == [HEADER]


def test_each_line_is_on_disk_before_the_next(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    with closing(JournalFile(path)) as file:
        [*file.read()]
        monkeypatch.setattr(os, "fsync", lambda d: synced.append(os.fstat(d).st_size))
        file.append(HEADER)
        first = path.stat().st_size
        file.append({"a": 1})
    assert synced[0] == first
    assert synced[-1] == path.stat().st_size > first


def test_entries_cost_a_twentieth_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(pace, "monotonic", lambda: now)
    monkeypatch.setattr(pace, "SHORTEST", 0.1)
    monkeypatch.setattr(pace, "SHARE", 20)
    clock = pace.Pace()
    assert not clock.is_due()
    now += 0.1
    assert clock.is_due()
    with clock.measure():
        now += 0.5
    now += 9.9
    assert not clock.is_due()
    now += 0.2
    assert clock.is_due()


@pytest.fixture(autouse=True)
def _file_by_file() -> Iterator[None]:
    """Descriptors are closed: none is left over."""
    before = count_open()
    yield
    assert count_open() <= before


def count_open() -> int:
    folder = Path("/proc/self/fd")
    return len([*folder.iterdir()]) if folder.exists() else 0
