"""Parts of a file of JSON Lines hold its records in order."""

import gzip
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError
from groupwise.evaluator.formats.opening import records_in
from groupwise.evaluator.reading.jsonl import JsonLines
from groupwise.evaluator.reading.records import Reading, Records
from groupwise.evaluator.reading.source import MemorySource, Source
from tests.jobs import through_pickle

LINES = st.sampled_from(
    [
        b'{"id": "q1", "results": ["a", "b"]}',
        b'  {"id": "\xc3\xa9\xf0\x9f\x98\x80"}  ',
        b'{"id": "long", "text": "' + b"x" * 300 + b'"}',
        b"[1, 2",
        b"7",
        b"",
    ]
)
QUERY = b'{"id": "q"}\n'


def read(records: Records) -> list[Any]:
    """Return the values, and the messages of all problems."""
    reading = Reading()
    values = [value for batch in records.batches(reading) for value in batch.values]
    return [*values, *(problem.message for problem in reading.problems)]


def write(path: Path, content: bytes) -> JsonLines:
    path.write_bytes(content)
    return JsonLines(Source(path))


@given(
    lines=st.lists(LINES, max_size=12),
    mark=st.sampled_from([b"", b"\xef\xbb\xbf"]),
    is_ended=st.booleans(),
    count=st.integers(1, 9),
)
def test_parts_hold_what_the_file_holds(
    lines: list[bytes], mark: bytes, is_ended: bool, count: int
) -> None:
    content = mark + b"\n".join(lines) + b"\n" * is_ended
    with tempfile.TemporaryDirectory() as folder:
        records = write(Path(folder, "data.jsonl"), content)
        parts = records.split(count)
        found = [value for part in parts for value in read(through_pickle(part))]
        assert sorted(map(str, found)) == sorted(map(str, read(records)))
    assert 1 <= len(parts) <= count


def test_a_line_longer_than_a_part(tmp_path: Path) -> None:
    long = b'{"id": "a", "text": "' + b"x" * 3_000_000 + b'"}'
    parts = write(tmp_path / "data.jsonl", long + b'\n{"id": "b"}\n').split(8)
    assert [[value["id"] for value in read(part)] for part in parts] == [["a"], ["b"]]


def test_fewer_lines_than_parts(tmp_path: Path) -> None:
    assert len(write(tmp_path / "data.jsonl", b'{"id": "a"}\n{"id": "b"}').split(50)) == 2


def test_what_cannot_be_cut_is_one_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = write(tmp_path / "data.jsonl.gz", gzip.compress(QUERY * 100))
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "data.json").write_text('[{"id": "q1", "results": []}]')
    pipe, memory = JsonLines(Source(tmp_path / "fifo")), JsonLines(MemorySource("m", QUERY * 9))
    for records in (packed, pipe, memory, records_in(tmp_path / "data.json")):
        assert list(records.split(4)) == [records]


@pytest.mark.parametrize("change", ["longer", "shorter", "replaced", "touched", "gone"])
def test_a_file_that_changed_is_refused(tmp_path: Path, change: str) -> None:
    path = tmp_path / "data.jsonl"
    parts = write(path, QUERY * 9).split(2)
    if change == "longer":
        with path.open("ab") as file:
            file.write(b"\n")
    elif change == "shorter":
        os.truncate(path, 30)
    elif change == "touched":
        os.utime(path, ns=(1, 1))
    else:
        (tmp_path / "new").write_bytes(path.read_bytes())
        (tmp_path / "new").replace(path)
        path.unlink() if change == "gone" else None
    for part in parts:
        with pytest.raises(InputError, match=r"changed while it was read|no such file"):
            read(part)
