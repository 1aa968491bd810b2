"""The progress bar: count, rate, share and time left, and how it knows them."""

import json
from contextlib import contextmanager
from pathlib import Path

import pytest

from groupwise import evaluate, remap
from groupwise.evaluator.cli import progress, streams
from groupwise.evaluator.cli.progress import Bar, Pace
from groupwise.evaluator.reading.meter import METER, Meter, metering
from tests.cli.conftest import Groupwise
from tests.jobs import pretend_processes


def test_count_rate_share_and_time_left() -> None:
    pace = Pace(100.0)
    pace.note(5000, 0.25, 110.0)
    assert pace.describe("queries", 110.0) == "5,000 queries, 500/s, 25%, 0:00:30 left"


def test_what_is_not_known_is_left_out() -> None:
    pace = Pace(0.0)
    assert pace.describe("queries", 1.0) == ""
    pace.note(30, 0.0, 2.0)
    assert pace.describe("records", 2.0) == "30 records, 15/s"
    pace.note(40, 0.001, 4.0)
    assert pace.describe("records", 4.0) == "40 records, 10/s, 0%"


def test_a_second_pass_begins_again() -> None:
    pace = Pace(0.0)
    pace.note(1000, 1.0, 50.0)
    pace.note(0, 0.0, 50.0)
    pace.note(100, 0.5, 60.0)
    assert pace.describe("queries", 60.0) == "100 queries, 10/s, 50%, 0:00:10 left"


@pytest.fixture
def shares(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, float]]:
    """What a bar is told, and the share that it shows."""
    found: list[tuple[int, float]] = []
    monkeypatch.setattr(progress, "PAUSE", 0)
    monkeypatch.setattr(streams, "is_terminal", lambda _: True)
    note = Pace.note

    def watch(self: Pace, count: int, share: float, now: float) -> None:
        found.append((count, share))
        note(self, count, share, now)

    monkeypatch.setattr(Pace, "note", watch)
    return found


def write_lines(path: Path, count: int) -> str:
    line = {"ground_truth": [["a"]], "results": ["x" * 50, "a"] + [f"d{n}" for n in range(30)]}
    path.write_text("".join(f"{json.dumps({'id': f'q{n}', **line})}\n" for n in range(count)))
    return str(path)


@pytest.mark.parametrize(
    "words", [("evaluate", "--no-per-query"), ("evaluate", "--jobs", "2"), ("validate",)]
)
def test_the_share_is_that_of_the_bytes(
    groupwise: Groupwise, shares: list[tuple[int, float]], tmp_path: Path, words: tuple[str, ...]
) -> None:
    path = write_lines(tmp_path / "both.jsonl", 9000)
    with pretend_processes(400_000) as used:
        assert groupwise(*words, path).code == 0
    assert (used.parts > 1) is ("--jobs" in words)
    assert shares == sorted(shares)
    assert shares[-1] == (9000, 1.0)
    for count, share in shares:
        assert share == pytest.approx(count / 9000, abs=0.1)


def test_remap_counts_the_queries_to_come(tmp_path: Path) -> None:
    seen: list[float] = []
    with metering() as meter:
        bar = Bar(meter)
        meter.listener = lambda: seen.append(-1.0)
        truths = {f"q{number}": [["old"]] for number in range(10)}
        remap(
            truths, old={"old": "a text"}, new={"new": "a text"},
            progress=lambda count: seen.append(bar._measure(count)),
        )  # fmt: skip
    assert seen[:2] == [-1.0, -1.0]
    assert seen[2:] == [pytest.approx(number / 10) for number in range(1, 11)]


def test_a_file_that_is_opened_again_begins_again(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 100)
    meter = Meter()
    for _ in range(2):
        with path.open("rb") as file, contextmanager(meter.watch)("file", file):
            assert (meter.done, meter.total) == (0, 100)
            file.read(40)
            assert meter.done == 40
    assert (meter.done, meter.total) == (40, 100)


def test_without_a_bar_nothing_is_metered(tmp_path: Path) -> None:
    evaluate(write_lines(tmp_path / "both.jsonl", 10))
    assert METER.get() is None
