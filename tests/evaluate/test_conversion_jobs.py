"""A conversion with several jobs writes the same bytes, and refuses the same files."""

import json
import os
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from groupwise import InputError, LossyConversion, OptionError, convert
from groupwise.evaluator.errors import Problem
from groupwise.evaluator.evaluation.conversion import Conversion
from groupwise.evaluator.evaluation.engines.conversion import SpellWork
from groupwise.evaluator.reading.writing import _open_target
from tests.jobs import pretend_processes, refuse_whole_files, small_parts

ENGINE = "groupwise.evaluator.evaluation.engines.processes"
TARGETS = ["out.jsonl", "out.json", "out.run", "out.csv", "out.parquet", "out.jsonl.gz"]


def write(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def make_run() -> list[dict[str, Any]]:
    """Rankings: bare, with scores, empty, in full, with formulas of a spreadsheet."""
    chance = random.Random(7)  # noqa: S311  (test data)
    forms: list[Any] = [
        lambda n: {"results": [f"d{n}", "a"]},
        lambda n: {"results": ["a", "b"], "scores": [0.5, 0.25]},
        lambda n: {"results": [{"id": f"d{n}", "score": 1.5, "text": "=1+1"}]},
        lambda n: {"results": ["=SUM(A1)", "b"]},
    ]
    return [{"id": f"q{n}", **chance.choice(forms)(n)} for n in range(60)]


def attempt(source: Path, target: Path, **options: Any) -> tuple[Any, bytes | None]:
    """What is returned or raised, and what is written."""
    try:
        found: Conversion | str = convert(source, target, **options)
    except (InputError, LossyConversion) as error:
        found = str(error)
    return found, target.read_bytes() if target.exists() else None


@pytest.mark.parametrize("lossy", [True, False])
@pytest.mark.parametrize("name", TARGETS)
def test_the_same_bytes_are_written(name: str, lossy: bool, tmp_path: Path) -> None:
    source = write(tmp_path / "run.jsonl", make_run())
    target = tmp_path / name
    expected = attempt(source, target, lossy=lossy)
    target.unlink(missing_ok=True)
    with pretend_processes(ENGINE, 400) as used:
        assert attempt(source, target, lossy=lossy, jobs=3) == expected
    assert used.tasks > 1


def test_real_processes_write_the_same_bytes(tmp_path: Path) -> None:
    source = write(tmp_path / "run.jsonl", make_run())
    expected = attempt(source, tmp_path / "one.run", lossy=True)
    with small_parts(1000), refuse_whole_files():
        assert attempt(source, tmp_path / "two.run", lossy=True, jobs=2) == expected


BAD: list[dict[str, Any]] = [
    {"id": "q3", "results": ["a"]},
    {"id": "bad", "results": [7]},
    {"id": "bad", "results": [""]},
    {"id": "white space", "results": ["a b"]},
    {"id": "#", "results": ["a"]},
]


@pytest.mark.parametrize("bad", BAD, ids=["repeated", "number", "blank", "space", "comment"])
@pytest.mark.parametrize("place", [0, 59])
def test_the_same_files_are_refused(bad: dict[str, Any], place: int, tmp_path: Path) -> None:
    records = make_run()
    records.insert(place, bad)
    source, target = write(tmp_path / "run.jsonl", records), tmp_path / "out.run"
    expected = attempt(source, target, lossy=True)
    assert isinstance(expected[0], str)
    with pretend_processes(ENGINE, 400) as used:
        assert attempt(source, target, lossy=True, jobs=2) == expected
    assert used.tasks
    assert [path.name for path in tmp_path.iterdir()] == ["run.jsonl"]


def test_ground_truth_of_records_that_hold_both(tmp_path: Path) -> None:
    records = [
        {**record, "ground_truth": [["a"], ["b", f"d{number}"]], "query": f"question {number}"}
        for number, record in enumerate(make_run())
    ]
    source, target = write(tmp_path / "both.jsonl", records), tmp_path / "truth.qrels"
    options = {"role": "ground_truth", "subtopics": True, "lossy": True}
    expected = attempt(source, target, **options)
    target.unlink()
    with pretend_processes(ENGINE, 400) as used:
        assert attempt(source, target, jobs=2, **options) == expected
    assert used.tasks > 1


def test_progress_counts_the_queries_of_both_passes(tmp_path: Path) -> None:
    source = write(tmp_path / "run.jsonl", make_run())
    seen: list[int] = []
    with pretend_processes(ENGINE, 400):
        convert(source, tmp_path / "out.run", lossy=True, jobs=2, progress=seen.append)
    assert seen.count(60) == 2
    many = [{"id": f"q{number}", "results": ["a"]} for number in range(1100)]
    alone: list[int] = []
    convert(write(source, many), tmp_path / "out.run", lossy=True, progress=alone.append)
    assert alone == [512, 1024, 512, 1024]


def test_jobs_are_a_number_from_1_on(tmp_path: Path) -> None:
    source = write(tmp_path / "run.jsonl", make_run())
    with pytest.raises(OptionError, match="jobs: expected a whole number"):
        convert(source, tmp_path / "out.jsonl", jobs=0)


@contextmanager
def reading(pipe: Path) -> Iterator[Callable[[], bytes]]:
    """Yield what returns all that a pipe was given until it was closed."""
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        received = pool.submit(pipe.read_bytes)
        try:
            yield lambda: received.result(timeout=60)
        finally:
            if not received.done():  # nobody opened it
                os.close(os.open(pipe, os.O_RDWR | os.O_NONBLOCK))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write(tmp_path / "run.jsonl", make_run())


@pytest.fixture
def expected(source: Path, tmp_path: Path) -> bytes:
    """What one process writes."""
    convert(source, tmp_path / "expected.run", lossy=True)
    return (tmp_path / "expected.run").read_bytes()


@pytest.mark.parametrize("size", [400, 1 << 20], ids=["in parts", "in one part"])
def test_a_pipe_is_opened_once(size: int, source: Path, expected: bytes, tmp_path: Path) -> None:
    """Whether a file can be cut is found out before: a reader takes a closed pipe for the end."""
    pipe = tmp_path / "out.run"
    open_target = "groupwise.evaluator.reading.writing._open_target"
    with (
        reading(pipe) as received,
        small_parts(size),
        patch(open_target, wraps=_open_target) as seen,
    ):
        convert(source, pipe, to="trec-run", lossy=True, jobs=2)
        assert received() == expected
    assert seen.call_count == 1


def fail_after(pieces: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a part be refused, after so many that were spelled."""
    spell, done = SpellWork.__call__, [0]

    def spell_or_fail(work: SpellWork, part: Any, note: Any) -> bytes:
        done[0] += 1
        if done[0] > pieces:
            raise InputError([Problem("refused")])
        return spell(work, part, note)

    monkeypatch.setattr(SpellWork, "__call__", spell_or_fail)


@pytest.mark.parametrize("pieces", [0, 1, 3])
def test_a_file_is_written_anew(
    pieces: int, source: Path, expected: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_after(pieces, monkeypatch)
    with pretend_processes(ENGINE, 400):
        convert(source, tmp_path / "out.run", lossy=True, jobs=2)
    assert (tmp_path / "out.run").read_bytes() == expected


def test_nothing_is_written_to_a_pipe_twice(
    source: Path, expected: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_after(3, monkeypatch)
    pipe = tmp_path / "out.run"
    with reading(pipe) as received, pretend_processes(ENGINE, 400):
        with pytest.raises(InputError, match="refused"):
            convert(source, pipe, to="trec-run", lossy=True, jobs=2)
        assert expected.startswith(received())
        assert 0 < len(received()) < len(expected)


def test_a_pipe_gets_all_if_the_first_part_is_refused(
    source: Path, expected: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_after(0, monkeypatch)
    pipe = tmp_path / "out.run"
    with reading(pipe) as received, pretend_processes(ENGINE, 400):
        convert(source, pipe, to="trec-run", lossy=True, jobs=2)
        assert received() == expected
