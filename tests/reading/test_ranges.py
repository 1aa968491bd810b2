"""Parts of a file of JSON Lines hold its records in order, and place problems in the whole file."""

import gzip
import io
import os
import pickle
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError
from groupwise.evaluator.errors import Problem
from groupwise.evaluator.formats.opening import records_in
from groupwise.evaluator.reading.jsonl import JsonLines
from groupwise.evaluator.reading.ranges import CHANGED
from groupwise.evaluator.reading.records import Reading, Records
from groupwise.evaluator.reading.source import MemorySource, Source

Read = tuple[list[tuple[Any, tuple[int, int]]], list[Problem]]
LINES = st.sampled_from(
    [
        b'{"id": "q1", "results": ["a", "b"]}',
        b'  {"id": "\xc3\xa9\xf0\x9f\x98\x80"}  ',
        b'{"id": "long", "text": "' + b"x" * 300 + b'"}',
        b'{"id": 1, "id": 2}',
        b"[1, 2",
        b"\xff",
        b"7",
        b"",
        b"\r",
    ]
)


def read(records: Records) -> Read:
    """Return the values with their places, and the problems of the text."""
    reading, found = Reading(), []
    for batch in records.batches(reading):
        found += [(value, batch.place(at, ())) for at, value in enumerate(batch.values)]
    return found, reading.problems


def read_parts(records: Records, count: int) -> tuple[Read, int]:
    """Return what the parts hold, each sent as to another process, and how many there are."""
    parts = records.split(count)
    outcomes = [read(pickle.loads(pickle.dumps(part))) for part in parts]  # noqa: S301
    values = [value for found, _ in outcomes for value in found]
    return (values, [problem for _, problems in outcomes for problem in problems]), len(parts)


def write(path: Path, content: bytes) -> JsonLines:
    path.write_bytes(content)
    return JsonLines(Source(path))


@given(
    lines=st.lists(LINES, max_size=12),
    ending=st.sampled_from([b"\n", b"\r\n"]),
    mark=st.sampled_from([b"", b"\xef\xbb\xbf"]),
    is_ended=st.booleans(),
    count=st.integers(1, 9),
)
def test_parts_hold_what_the_file_holds(
    lines: list[bytes], ending: bytes, mark: bytes, is_ended: bool, count: int
) -> None:
    content = mark + ending.join(lines) + ending * is_ended
    with tempfile.TemporaryDirectory() as folder:
        records = write(Path(folder, "data.jsonl"), content)
        parts, number = read_parts(records, count)
        whole = read(records)
        assert parts[0] == whole[0]
        assert sorted(parts[1]) == sorted(whole[1])  # within a block, broken lines come first
    assert 1 <= number <= count


def test_parts_are_about_equal_and_none_is_empty(tmp_path: Path) -> None:
    records = write(tmp_path / "data.jsonl", b'{"id": "q"}\n' * 1000)
    sizes = [part.source.size for part in records.split(7) if isinstance(part, JsonLines)]
    assert len(sizes) == 7
    assert sum(sizes) == 12_000
    assert max(sizes) - min(sizes) <= 12


def test_fewer_lines_than_parts(tmp_path: Path) -> None:
    records = write(tmp_path / "data.jsonl", b'{"id": "a"}\n{"id": "b"}')
    assert len(records.split(50)) == 2


def test_a_line_longer_than_a_part(tmp_path: Path) -> None:
    long = b'{"id": "a", "text": "' + b"x" * 3_000_000 + b'"}'
    records = write(tmp_path / "data.jsonl", long + b'\n{"id": "b"}\n')
    (values, problems), parts = read_parts(records, 8)
    assert [value["id"] for value, _ in values] == ["a", "b"]
    assert (problems, parts) == ([], 2)


def test_lines_are_those_of_the_whole_file(tmp_path: Path) -> None:
    records = write(tmp_path / "data.jsonl", b'{"id": "q"}\n\n' * 400 + b"[1\n")
    *_, last = records.split(5)
    assert read(last)[1][0].line == 801


def test_compressed_and_piped_data_is_one_part(tmp_path: Path) -> None:
    lines = b'{"id": "q"}\n' * 100
    packed = write(tmp_path / "data.jsonl.gz", gzip.compress(lines))
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for records in (packed, JsonLines(Source(fifo)), JsonLines(MemorySource("m", lines))):
        assert list(records.split(4)) == [records]


def test_standard_input_is_one_part(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(b'{"id": "q", "results": ["a"]}\n' * 9))
    monkeypatch.setattr("sys.stdin", stdin)
    records = records_in("-")
    assert list(records.split(4)) == [records]


def test_json_documents_are_one_part(tmp_path: Path) -> None:
    (tmp_path / "data.json").write_text(
        '[{"id": "q1", "results": []}, {"id": "q2", "results": []}]'
    )
    records = records_in(tmp_path / "data.json")
    assert list(records.split(4)) == [records]


def test_a_file_that_is_gone_is_a_problem_of_the_input(tmp_path: Path) -> None:
    records = write(tmp_path / "data.jsonl", b'{"id": "q"}\n' * 9)
    parts = records.split(2)
    (tmp_path / "data.jsonl").unlink()
    with pytest.raises(InputError, match="no such file"):
        read(parts[1])


@pytest.mark.parametrize("change", ["longer", "shorter", "replaced", "touched"])
def test_a_file_that_changed_is_refused(tmp_path: Path, change: str) -> None:
    path = tmp_path / "data.jsonl"
    parts = write(path, b'{"id": "q"}\n' * 9).split(2)
    if change == "longer":
        with path.open("ab") as file:
            file.write(b"\n")
    elif change == "shorter":
        os.truncate(path, 30)
    elif change == "replaced":
        (tmp_path / "new").write_bytes(path.read_bytes())
        (tmp_path / "new").replace(path)
    else:
        os.utime(path, ns=(1, 1))
    for part in parts:
        with pytest.raises(InputError, match=CHANGED):
            read(part)


def test_a_change_in_the_middle_is_noticed_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    parts = write(path, b'{"id": "q"}\n' * 100_000).split(2)
    batches = parts[0].batches(Reading())
    next(iter(batches))
    with path.open("ab") as file:
        file.write(b"\n")
    with pytest.raises(InputError, match=CHANGED):
        list(batches)
