"""Mutated files through read, evaluate, validate, convert, fix and inspect, in processes of 2 GB.

Whatever comes out is a value or a GroupwiseError, within 5 seconds. With a folder, a run can be
interrupted and resumed: it notes there what is done. `--try NUMBER` repeats one file, and keeps it.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

PORTION = 2_000
"""Files per process: what leaks does not add up."""


class Part(NamedTuple):
    """Some of the files, by their numbers."""

    first: int
    last: int


class Job(NamedTuple):
    """A run of the fuzzer and where it notes what happens."""

    folder: Path
    seed: str

    @property
    def done(self) -> Path:
        """The journal of the parts that are done."""
        return self.folder / "done.jsonl"

    def totals(self) -> list[dict[str, Any]]:
        """Return what the parts that are done have reported."""
        return _read_lines(self.done)

    def failures(self) -> list[dict[str, Any]]:
        """Return what failed."""
        return _read_lines(self.folder / "failures.jsonl")


def main(arguments: list[str]) -> int:
    """Try the files; print what failed, once per kind."""
    options = _options(arguments)
    if options.retry is not None:
        return _retry(Job(options.folder or Path(), options.seed), options.retry)
    if options.folder:
        options.folder.mkdir(parents=True, exist_ok=True)
        return _run(Job(options.folder, options.seed), options)
    with tempfile.TemporaryDirectory() as folder:
        return _run(Job(Path(folder), options.seed), options)


def _run(job: Job, options: argparse.Namespace) -> int:
    started = time.monotonic()
    parts = _parts(options.files, {tuple(each["part"]) for each in job.totals()})
    with ThreadPoolExecutor(options.workers) as pool:
        for _ in pool.map(lambda part: _run_part(job, part), parts):
            _say(job, time.monotonic() - started)
    return _summarise(job)


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz files", description=__doc__)
    parser.add_argument("--files", type=int, default=300_000, metavar="N")
    parser.add_argument("--workers", type=int, default=2, metavar="N")
    parser.add_argument("--seed", default="files")
    parser.add_argument("--folder", type=Path, metavar="FOLDER")
    parser.add_argument("--try", type=int, dest="retry", metavar="NUMBER")
    return parser.parse_args(arguments)


def _parts(files: int, done: set[tuple[Any, ...]]) -> list[Part]:
    """Return the parts that are still to be done."""
    parts = (Part(start, min(files, start + PORTION)) for start in range(0, files, PORTION))
    return [part for part in parts if tuple(part) not in done]


def _run_part(job: Job, part: Part) -> None:
    """Run a part in processes of its own: a new one after each crash."""
    totals: Counter[str] = Counter()
    slowest, first = 0.0, part.first
    while first < part.last:
        found = _run_worker(job, part._replace(first=first))
        if "crash" not in found:
            totals += Counter(files=found["files"], values=found["values"])
            slowest = max(slowest, found["slowest"])
            break
        _append(job.folder / "failures.jsonl", found)
        totals["files"] += found["number"] + 1 - first
        first = found["number"] + 1
    _append(job.done, {"part": list(part), **totals, "slowest": slowest})


def _run_worker(job: Job, part: Part) -> dict[str, Any]:
    command = [sys.executable, "-m", "fuzz.worker", str(job.folder), job.seed, *map(str, part)]
    note = job.folder / f"at-{part.first}"
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not note.exists():
        raise RuntimeError(f"the worker did not start: {done.stderr}")
    number = int(note.read_text())
    note.unlink()
    if done.returncode == 0:
        found: dict[str, Any] = json.loads(done.stdout)
        return found
    return {
        "crash": done.returncode, "number": number, "operation": "?", "seed": "?",
        "error": f"exit {done.returncode}", "where": done.stderr[-2000:],
    }  # fmt: skip


def _retry(job: Job, number: int) -> int:
    """Try one file again, in this process, and keep it."""
    from fuzz.mutations.seeds import load_seeds  # noqa: PLC0415  (needs pyarrow)
    from fuzz.worker import mutant_of, try_file  # noqa: PLC0415

    seeds = load_seeds()
    mutant, _ = mutant_of(job.seed, number, seeds)
    room = job.folder / f"kept-{number}"
    room.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as other:
        trial = try_file(job.seed, number, seeds, Path(other))
    print(f"{mutant.write(room)}, {len(mutant.data):,} bytes, made of {mutant.seed.name}")
    for failure in trial.failures:
        print(f"\n{failure['operation']}: {failure['where']}")
    return 1 if trial.failures else 0


def _summarise(job: Job) -> int:
    totals, failures = job.totals(), job.failures()
    files, values = (sum(each.get(name, 0) for each in totals) for name in ("files", "values"))
    slowest = max((each["slowest"] for each in totals), default=0.0)
    kinds = {(each["operation"], _place(each)): each for each in failures}
    for (operation, place), each in kinds.items():
        print(f"{operation}: {each['error']} [{place}] --try {each['number']}")
    print(f"{files:,} files, {values:,} values, {len(failures)} failures, slowest {slowest:.1f} s")
    return 1 if failures else 0


def _place(failure: dict[str, Any]) -> str:
    """Return the last line of ours in a traceback."""
    ours = [
        line
        for line in failure["where"].splitlines()
        if "/evaluator/" in line or "/schemas/" in line
    ]
    return ours[-1].strip() if ours else str(failure["error"])


def _say(job: Job, seconds: float) -> None:
    files = sum(each.get("files", 0) for each in job.totals())
    failed = len(job.failures())
    print(f"{files:,} files, {failed} failures, {seconds:.0f} s", file=sys.stderr, flush=True)


def _read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.open()] if path.exists() else []


def _append(path: Path, value: Any) -> None:
    with path.open("a") as file:
        file.write(json.dumps(value) + "\n")
