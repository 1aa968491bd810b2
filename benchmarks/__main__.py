"""`python -m benchmarks [--quick] [--rounds N] [--write PAGE] [--check]`."""

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks import agreement, files, memory, rounds, starts
from benchmarks.acceptance import promises
from benchmarks.measurements import Measurements
from benchmarks.page import page
from benchmarks.workloads import QUICK, STANDARD, write_array, write_jsonl

_STREAMS = (100_000, 300_000, 1_000_000)
_QUICK_STREAMS = (10_000, 30_000)


def main() -> int:
    """Measure, print the page, write it if asked, judge it if asked."""
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        run = _measure(options, Path(folder))
    text = page(run)
    print(text)
    if options.write:
        options.write.parent.mkdir(parents=True, exist_ok=True)
        options.write.write_text(text, encoding="utf-8")
    return _judge_promises(run) if options.check else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small data, to try the run itself")
    parser.add_argument("--rounds", type=int, default=7, metavar="N", help="default: 7")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="where to write the page")
    parser.add_argument("--check", action="store_true", help="exit 1 if a promise is not kept")
    return parser.parse_args()


def _measure(options: argparse.Namespace, folder: Path) -> Measurements:
    workloads = QUICK if options.quick else STANDARD
    _say("writing the data")
    lines = {workload: write_jsonl(workload, folder) for workload in workloads}
    arrays = {workload: write_array(path) for workload, path in lines.items()}
    count = options.rounds
    small, middle, _ = workloads
    return Measurements(
        rounds=count,
        agreement=agreement.check_agreement(lines[middle]),
        one_query={each: starts.one_query(lines[each], count, _say) for each in (small, middle)},
        starts=starts.measure(max(10, count), _say),
        files={
            each: files.measure(each, lines[each], arrays[each], count, _say) for each in workloads
        },
        objects={each: rounds.measure(each, lines[each], count, _say) for each in workloads},
        memory=memory.flatness(_QUICK_STREAMS if options.quick else _STREAMS, folder, _say),
    )


def _judge_promises(run: Measurements) -> int:
    outcome = list(promises(run))
    print(*outcome, sep="\n", file=sys.stderr)
    return 0 if all(promise.kept for promise in outcome) else 1


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
