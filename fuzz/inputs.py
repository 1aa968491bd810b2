"""Mutated bytes through every target in turn: `python -m fuzz inputs --seconds 5`.

Each target runs in a process of 2 GB of its own, which starts from the seeds and what earlier
rounds kept: inputs that ended as no other did. An input that raises anything but a refusal, takes
more than a second, or ends the process is a finding; `--try FILE` repeats it. With a folder, a run
can be resumed; `figures.json` there has the totals of each target.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from fuzz.journal import Figures, Journal
from fuzz.slice import Slice, find_outcome, run_slice
from fuzz.targets import list_targets
from fuzz.targets.target import Room

IN_MEMORY = Path("/dev/shm")  # noqa: S108  (the folder made there is private)


def main(arguments: list[str]) -> int:
    """Run the targets; print what was found."""
    options = _options(arguments)
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as name:
        room = Room(Path(name))
        if options.retry:
            return _retry(options, room)
        journal = Journal(options.folder or Path(name) / "journal")
        _run(options, room, journal)
        return _summarise(journal)


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz inputs", description=__doc__)
    parser.add_argument("--targets", metavar="NAME,…", help="some of them, by how names begin")
    parser.add_argument("--seconds", type=float, default=5.0, metavar="S", help="of each target")
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="S seconds each")
    parser.add_argument("--seed", default="inputs")
    parser.add_argument("--folder", type=Path, metavar="FOLDER")
    parser.add_argument("--try", type=Path, dest="retry", metavar="FILE")
    return parser.parse_args(arguments)


def _choose(options: argparse.Namespace, room: Room) -> dict[str, Any]:
    wanted = tuple((options.targets or "").split(","))
    return {name: each for name, each in list_targets(room).items() if name.startswith(wanted)}


def _run(options: argparse.Namespace, room: Room, journal: Journal) -> None:
    targets = _choose(options, room)
    for _ in range(options.rounds):
        for name, target in targets.items():
            number = journal.figures(name).slices
            seed = f"{options.seed}:{name}:{number}"
            kept = [*journal.kept(name)]
            figures = run_slice(Slice(target, seed, options.seconds, kept), journal)
            journal.add(name, figures)
        _say(journal)


def _retry(options: argparse.Namespace, room: Room) -> int:
    """Try one input again on the targets that are named, in this process."""
    data, worst = options.retry.read_bytes(), 0
    for name, target in _choose(options, room).items():
        started = time.process_time()
        outcome = find_outcome(target, data)
        print(f"{name}: {outcome.what}, {time.process_time() - started:.3f} s")
        if outcome.where:
            print(outcome.where)
            worst = 1
    return worst


def _say(journal: Journal) -> None:
    total = sum(each.executions for each in journal.all_figures().values())
    found = sum(each.findings for each in journal.all_figures().values())
    print(f"{total:,} executions, {found} findings", file=sys.stderr, flush=True)


def _summarise(journal: Journal) -> int:
    figures = journal.all_figures()
    for name, each in figures.items():
        print(f"{name:24} {each.describe()}")
    total = sum((each for each in figures.values()), Figures())
    print(f"{len(figures)} targets: {total.describe()}")
    for finding in journal.findings():
        print(json.dumps({key: finding[key] for key in ("target", "error", "place", "file")}))
    return 1 if total.findings else 0
