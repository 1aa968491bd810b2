"""`python -m benchmarks.parquet [--rounds N] [--ids KIND]`: parquet beside JSON Lines.

Ground truth and run as JSON Lines, as parquet written by `groupwise convert`, and as parquet with
pyarrow's defaults, which compress ids. Each round times the way from the files to the report, in
a process that has everything imported, and the whole command. Then a file of many row groups is
streamed, and the peak memory is printed.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.clock import ratio, spread
from benchmarks.options import parser_of
from benchmarks.processes import Usage, command, measure_process
from benchmarks.workloads import Workload, write_jsonl

WORKLOAD = Workload(10_000, 100)
IDS = ("random", "chunks", "numbers")
"""36 characters that hardly shrink; such as `report-00012.pdf#chunk-3`; whole numbers."""
Found = dict[str, list[Usage]]
_OPTIONS = ("--no-per-query", "--format", "json")


def main() -> int:
    """Measure and print."""
    options = _options()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _say("writing the data")
        lines = write_jsonl(WORKLOAD, folder)
        _write(lines, options.ids)
        _compare(folder, options.rounds)
        if options.gigabytes:
            for share in (0.1, 1.0):
                _stream(lines, share * options.gigabytes)
    return 0


def _options() -> argparse.Namespace:
    parser = parser_of("parquet", __doc__)
    parser.add_argument("--ids", choices=IDS, default=IDS[0], help=f"default: {IDS[0]}")
    parser.add_argument("--gigabytes", type=float, default=1.0, metavar="G", help="0: no stream")
    return parser.parse_args()


def _write(lines: Path, ids: str) -> None:
    command("-m", "benchmarks.parquet_files", "pair", str(lines), ids)
    for name in ("truth", "run"):
        files = (str(lines.with_name(f"{name}.{ending}")) for ending in ("jsonl", "parquet"))
        command("-m", "groupwise", "convert", *files)


def _compare(folder: Path, rounds: int) -> None:
    runs = {
        "JSON Lines": folder / "run.jsonl",
        "parquet of groupwise": folder / "run.parquet",
        "parquet of pyarrow": folder / "compressed" / "run.parquet",
    }
    alone: Found = {name: [] for name in runs}
    whole: Found = {name: [] for name in runs}
    for number in range(1, rounds + 1):
        _say(f"round {number} of {rounds}")
        for name, run in runs.items():
            alone[name].append(measure_process("pair", run))
            truth = run.with_name(f"truth{run.suffix}")
            words = ("evaluate", str(truth), str(run), *_OPTIONS)
            whole[name].append(command("-m", "groupwise", *words))
    _show("from the files to the report", alone)
    _show("the whole command", whole)


def _show(title: str, found: Found) -> None:
    print(f"{WORKLOAD.name}, {title}:")
    lines = found["JSON Lines"]
    for name, usage in found.items():
        cpu, wall = _beside(usage, lines, "cpu"), _beside(usage, lines, "wall")
        print(f"  {name}: {cpu}, {wall}; {max(used.megabytes for used in usage):.0f} MB")


def _beside(usage: list[Usage], lines: list[Usage], clock: str) -> str:
    own, other = ([getattr(used.span, clock) for used in each] for each in (usage, lines))
    times = ratio(own, other)
    beside = f"{times.median:.2f}x ({times.low:.2f} to {times.high:.2f})"
    return f"{spread(own).median:.2f} s {clock}, {beside}"


def _stream(lines: Path, gigabytes: float) -> None:
    _say(f"writing {gigabytes:.1f} GB")
    command("-m", "benchmarks.parquet_files", "large", str(lines), str(gigabytes))
    path = lines.with_name("large.parquet")
    size = path.stat().st_size / 1e9
    usage = command("-m", "groupwise", "evaluate", str(path), *_OPTIONS)
    path.unlink()
    print(
        f"{size:.2f} GB of parquet streamed: peak {usage.megabytes:.0f} MB, {usage.span.cpu:.0f} s"
    )


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
