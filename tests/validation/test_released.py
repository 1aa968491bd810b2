"""What was read is released when a call ends, without the garbage collector."""

import gc
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from groupwise import InputError, evaluate, validate

GOOD = [
    {"id": f"q{number}", "ground_truth": [["a", "b"], [f"c{number}"]], "results": ["a", "x"]}
    for number in range(40)
]
BAD = [{**record, "ground_truth": [[""]], "results": [1.5]} for record in GOOD]
FILES = {
    "good.jsonl": "\n".join(map(json.dumps, GOOD)),
    "good.json": json.dumps(GOOD),
    "bad.jsonl": "\n".join(map(json.dumps, BAD)),
    "some-bad.json": json.dumps([*GOOD, *BAD]),
    "repeated.jsonl": "\n".join(map(json.dumps, [*GOOD, *GOOD])),
    "no-json.jsonl": "\n".join(json.dumps(record)[:-1] for record in GOOD),
    "cut.json": json.dumps(GOOD)[:-10],
    "fixture.json": json.dumps({"metrics": ["recall@5"], "queries": GOOD}),
    "map.json": json.dumps({str(record["id"]): record["ground_truth"] for record in GOOD}),
    "empty.json": "",
}


def _validate(path: Path) -> None:
    with suppress(InputError):
        validate(path)


def _evaluate(path: Path) -> None:
    with suppress(InputError):
        evaluate(path, k=5)


@pytest.fixture
def uncollected() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def _count_left(work: Callable[[Path], None], path: Path, times: int) -> int:
    """Return how many objects are there that were not, after so many calls."""
    before = len(gc.get_objects())
    for _ in range(times):
        work(path)
    return len(gc.get_objects()) - before


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize("work", [_validate, _evaluate])
@pytest.mark.parametrize("name", FILES)
def test_calls_leave_no_cycles(work: Callable[[Path], None], name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(FILES[name])
    work(path)
    work(path)
    gc.collect()
    work(path)
    assert gc.collect() == 0


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize("name", ["good.jsonl", "bad.jsonl", "no-json.jsonl"])
def test_more_calls_leave_no_more_objects(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(FILES[name])
    _validate(path)
    gc.collect()
    few, many = _count_left(_validate, path, 5), _count_left(_validate, path, 20)
    assert max(few, many) <= 20


@pytest.mark.usefixtures("uncollected")
def test_cycles_would_be_seen() -> None:
    """The tests above count what they are meant to count."""

    def leave_cycle(_path: Path) -> None:
        own: list[Any] = []
        own.append(own)

    assert _count_left(leave_cycle, Path(), 20) >= 20
    assert gc.collect() >= 20
