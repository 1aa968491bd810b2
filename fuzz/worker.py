"""One process of the file fuzzer: `python -m fuzz.worker FOLDER SEED FIRST LAST`.

It notes in FOLDER/at-FIRST the file it is about to try, so that a crash can be told from the
outside, and appends what fails to FOLDER/failures.jsonl, with the file beside it.
"""

import json
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from fuzz.limits import OverTime, limit_memory, limited_time
from fuzz.mutations.mutate import Mutant, make_mutant
from fuzz.mutations.seeds import Seed, load_seeds
from fuzz.operations import OPERATIONS, operate

IN_MEMORY = Path("/dev/shm")  # noqa: S108  (the folder made there is private)
"""Where writing a file safely does not wait for a disk."""
FAILURES = (Exception, OverTime)


class Trial(NamedTuple):
    """What was tried with a file."""

    number: int
    values: int
    seconds: float
    failures: list[dict[str, Any]]


def main() -> None:
    """Try some files and print how it went: files, values, and the most seconds of one."""
    folder, seed = Path(sys.argv[1]), sys.argv[2]
    first, last = map(int, sys.argv[3:5])
    limit_memory()
    seeds, tried, values, slowest = load_seeds(), 0, 0, 0.0
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as room:
        for number in range(first, last):
            (folder / f"at-{first}").write_text(str(number))
            trial = try_file(seed, number, seeds, Path(room))
            _report(folder, trial)
            tried, values = tried + 1, values + trial.values
            slowest = max(slowest, trial.seconds)
    print(json.dumps({"files": tried, "values": values, "slowest": slowest}))


def mutant_of(seed: str, number: int, seeds: list[Seed]) -> tuple[Mutant, Random]:
    """Return the file of a number, and what its operations draw from."""
    draw = Random(f"{seed}:{number}")
    return make_mutant(draw, seeds), draw


def try_file(seed: str, number: int, seeds: list[Seed], room: Path) -> Trial:
    """Make a file and do everything with it."""
    mutant, draw = mutant_of(seed, number, seeds)
    failures, values, slowest = [], 0, 0.0
    for name in OPERATIONS:
        path = mutant.write(room)
        state, started = draw.getrandbits(64), time.process_time()
        try:
            with limited_time():
                values += operate(name, Random(state), path)
        except FAILURES as error:
            where = traceback.format_exc(limit=-12)
            failures.append(
                {
                    "number": number,
                    "seed": mutant.seed.name,
                    "operation": name,
                    "state": state,
                    "error": f"{type(error).__name__}: {error}"[:300],
                    "where": where,
                }
            )
            error.__traceback__ = None
        slowest = max(slowest, time.process_time() - started)
    _empty(room)
    return Trial(number, values, slowest, failures)


def _empty(room: Path) -> None:
    for path in room.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _report(folder: Path, trial: Trial) -> None:
    for failure in trial.failures:
        with (folder / "failures.jsonl").open("a") as file:
            file.write(json.dumps(failure) + "\n")


if __name__ == "__main__":
    main()
