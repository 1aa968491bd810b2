"""Evaluation, validation, conversion and streams for minutes: `python -m fuzz soak --minutes 10`.

Every round does the same and must give the same bytes. What must not grow: memory in use, as the
system and as Python count it, open files, threads, and files in the temporary folder. Rounds before
the first mark warm caches up.
"""

import argparse
import gc
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from groupwise import (
    InputError,
    compare,
    convert,
    evaluate,
    evaluate_stream,
    explain,
    fix,
    inspect,
    validate,
)

QUERIES = 300
WARM = 5
"""Rounds before the first mark."""
MOST_BYTES = 8 << 20
"""What memory may grow by after that: allocators do not give everything back."""
MOST_OBJECTS = 2_000
OPEN_FILES = Path("/proc/self/fd")
Work = Callable[[Path], bytes]


class Mark(NamedTuple):
    """What is in use after a round."""

    memory: int
    objects: int
    files: int
    threads: int
    temporary: int

    def find_growth(self, first: "Mark") -> list[str]:
        """Return what has grown too much since the first mark."""
        most = Mark(MOST_BYTES, MOST_OBJECTS, 0, 0, 0)
        return [
            f"{name}: {before:,}, now {now:,}"
            for name, before, now, more in zip(self._fields, first, self, most, strict=True)
            if now > before + more
        ]


def main(arguments: list[str]) -> int:
    """Repeat everything until the time is over, or something has grown or differs."""
    parser = argparse.ArgumentParser(prog="python -m fuzz soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, metavar="N")
    options = parser.parse_args(arguments)
    end = time.monotonic() + 60 * options.minutes
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "temporary").mkdir()
        tempfile.tempdir = str(folder / "temporary")
        try:
            return _soak(folder, end)
        finally:
            tempfile.tempdir = None


def _soak(folder: Path, end: float) -> int:
    write_data(folder)
    expected, first, rounds = digest_round(folder), None, 1
    while time.monotonic() < end or rounds < 2 * WARM:
        if digest_round(folder) != expected:
            print(f"round {rounds} gave other bytes than the first")
            return 1
        rounds += 1
        mark = take_mark(folder)
        first = mark if rounds <= WARM or first is None else first
        if grown := mark.find_growth(first):
            print(f"round {rounds}: {'; '.join(grown)}")
            return 1
        if rounds % 20 == 0:
            print(f"{rounds} rounds, {mark.memory >> 20} MiB", file=sys.stderr, flush=True)
    print(f"{rounds:,} rounds gave the same bytes; first {first}, last {mark}")
    return 0


def write_data(folder: Path) -> None:
    """Write ground truth and results, in several formats, and a file with errors."""
    draw = Random("soak")
    ids = [f"doc-{number}" for number in range(500)]
    records = [
        {
            "id": f"q{number}",
            "query": f"question {number}",
            "ground_truth": [draw.sample(ids, 2), draw.sample(ids, 1)],
            "results": draw.sample(ids, 20),
            "metadata": {"kind": draw.choice("abc")},
        }
        for number in range(QUERIES)
    ]
    (folder / "both.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in records))
    convert(folder / "both.jsonl", folder / "both.jsonl.gz")
    convert(folder / "both.jsonl", folder / "run.parquet", role="run")
    for name in ("truth.csv", "truth.json"):
        convert(folder / "both.jsonl", folder / name, role="ground_truth", lossy=True)
    broken = '{"id": "q", "ground_truth": [["a", "a"], []]}\n{"id": "q"}\nnonsense\n'
    (folder / "broken.jsonl").write_text(broken * 20)


def digest_round(folder: Path) -> dict[str, str]:
    """Do everything once; return a digest of each result."""
    return {name: sha256(work(folder)).hexdigest() for name, work in WORKS.items()}


def take_mark(folder: Path) -> Mark:
    """Return what is in use now."""
    gc.collect()
    return Mark(
        _measure_memory(),
        len(gc.get_objects()),
        len(list(OPEN_FILES.iterdir())) if OPEN_FILES.is_dir() else 0,
        threading.active_count(),
        len(list((folder / "temporary").iterdir())),
    )


def _measure_memory() -> int:
    """Return what the system says that this process has in memory; 0 if it does not say."""
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if status.exists() else 0


def _evaluate_files(folder: Path) -> bytes:
    options: dict[str, Any] = {"metrics": ["recall@5", "ndcg@10"], "confidence": 0.9, "by": "kind"}
    reports = [
        evaluate(folder / "both.jsonl", **options),
        evaluate(folder / "both.jsonl.gz", **options),
        evaluate(folder / "truth.csv", folder / "run.parquet"),
        evaluate(folder / "truth.json", folder / "run.parquet", per_query=False),
    ]
    return "".join(report.to_json() for report in reports).encode()


def _refuse(folder: Path) -> bytes:
    try:
        evaluate(folder / "broken.jsonl")
    except InputError as error:
        return str(error).replace(str(folder), "").encode()
    return b"nothing was refused"


def _stream(folder: Path) -> bytes:
    lines = (folder / "both.jsonl").read_text().splitlines()
    stream = evaluate_stream(map(json.loads, lines), window=64)
    return "".join(report.to_json() for report in stream).encode()


def _compare(folder: Path) -> bytes:
    runs = {"one": folder / "run.parquet", "two": {"q1": ["doc-1"], "q2": ["doc-2"]}}
    found = compare(folder / "truth.json", runs, metrics=["recall@5"], permutations=200)
    return found.to_json().encode()


def _validate(folder: Path) -> bytes:
    texts = [
        validate(folder / "broken.jsonl").to_json(),
        validate(folder / "both.jsonl").to_json(),
        fix(folder / "broken.jsonl", unsafe=True, write=False).new,
        explain(folder / "both.jsonl", k=5).to_json(),
        inspect(folder / "both.jsonl").to_json(),
    ]
    return "".join(texts).replace(str(folder), "").encode()


def _convert(folder: Path) -> bytes:
    convert(folder / "both.jsonl", folder / "again.parquet", role="run")
    convert(folder / "again.parquet", folder / "again.jsonl", role="run")
    return (folder / "again.jsonl").read_bytes()


WORKS: dict[str, Work] = {
    "evaluate": _evaluate_files,
    "refuse": _refuse,
    "stream": _stream,
    "compare": _compare,
    "validate": _validate,
    "convert": _convert,
}
