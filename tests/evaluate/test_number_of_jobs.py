"""Any number of real processes, the caller among them, reports and finds the same bytes as one."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from groupwise import InputError, evaluate
from tests.jobs import PartCount, refuse_whole, small_parts, start_by

RECORDS: list[dict[str, Any]] = [
    {
        "id": f"q{number}",
        "query": f"question {number % 290}",
        "metadata": {"kind": "abc"[number % 3]},
        "ground_truth": [["a", f"d{number}"], ["c"], ["e", "f", "g"]][: number % 4],
        "results": ["x", "a", f"d{number + number % 2}", "c"][: number % 5],
    }
    for number in range(300)
]
ODD: dict[str, list[str]] = {
    "good": [],
    "repeated": [json.dumps(RECORDS[7]), json.dumps(RECORDS[290])],
    "broken": ['{"id": "bad"', "7", json.dumps({"id": "late", "ground_truth": [[]]})],
    "other kind": [json.dumps({"id": "n", "ground_truth": [[1]], "results": [1]})],
}
OPTIONS: list[dict[str, Any]] = [
    {"per_query": False},
    {"by": ["kind"], "confidence": 0.95, "ceilings": True},
    {"metrics": ["recall", "map"], "k": [1, 3], "per_query": True, "explain": 2},
]


@pytest.fixture
def used(monkeypatch: pytest.MonkeyPatch) -> Iterator[PartCount]:
    """Cut files into small parts for forked processes, and count those that come back."""
    start_by("fork", monkeypatch)
    with small_parts(6000) as used:
        yield used


def write(folder: Path, odd: list[str]) -> Path:
    """Write the records, with odd lines towards the middle and at the end."""
    lines = [*map(json.dumps, RECORDS)]
    lines[130:130] = odd[:1]
    path = folder / "both.jsonl"
    path.write_text("".join(f"{line}\n" for line in [*lines, *odd[1:]]))
    return path


@pytest.mark.parametrize("jobs", [2, 3, 7])
@pytest.mark.parametrize("odd", ODD)
def test_reports_are_the_same(tmp_path: Path, used: PartCount, odd: str, jobs: int) -> None:
    path = write(tmp_path, ODD[odd])
    for options in OPTIONS:
        outcomes = [_evaluate(path, jobs=number, **options) for number in (1, jobs)]
        assert outcomes[0] == outcomes[1]
    assert used.parts >= len(OPTIONS)


def _evaluate(path: Path, **options: Any) -> str:
    try:
        return evaluate(path, **options).to_json()
    except InputError as error:
        return f"{error.count}: {error}"


def test_a_good_file_is_read_by_several_without_a_way_out(tmp_path: Path, used: PartCount) -> None:
    path = write(tmp_path, [])
    with refuse_whole():
        assert evaluate(path, jobs=3) == evaluate(path)
    assert used.parts > 2


def test_progress_counts_what_the_caller_reads_as_well(tmp_path: Path, used: PartCount) -> None:
    path = write(tmp_path, [])
    seen: list[int] = []
    evaluate(path, jobs=3, progress=seen.append)
    assert used.parts > 2
    assert seen == sorted(seen)
    assert seen[-1] == len(RECORDS)


@pytest.mark.usefixtures("used")
def test_progress_that_fails_ends_it(tmp_path: Path) -> None:
    path = write(tmp_path, [])

    def refuse(_queries: int) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        evaluate(path, jobs=2, progress=refuse)


MEASURED = """
import re, sys
from pathlib import Path
from groupwise import evaluate
from groupwise.evaluator.processes import jobs, sharing
jobs.LEAST_BYTES, jobs.PART_BYTES = 1, 1 << 20
numbers, take = [], sharing.take_number
sharing.take_number = lambda pipe: numbers.append(take(pipe)) or numbers[-1]
for path in sys.argv[1:]:
    evaluate(path, per_query=False, jobs=2)
    assert len({*numbers}) > 1, "the caller took no part"
    print(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="not allowed: needs /proc")
def test_the_memory_of_the_caller_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """6 MB, then 24 MB: what is kept of a query is its hashes."""
    paths = [tmp_path / "short.jsonl", tmp_path / "long.jsonl"]
    for path, count in zip(paths, (1_500, 6_000), strict=True):
        path.write_text("".join(map(write_long, range(count))))
    words = [sys.executable, "-c", MEASURED, *map(str, paths)]
    output = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    short, long = map(int, output.split())
    assert long - short < 4 * 1024


def write_long(number: int) -> str:
    results = [f"document-{number:09}-{rank:03}-of-the-corpus" for rank in range(100)]
    record = {"id": f"q{number}", "ground_truth": [results[7:9], ["other"]], "results": results}
    return f"{json.dumps(record)}\n"
