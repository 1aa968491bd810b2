"""`python -m benchmarks.parquet [--rounds N] [--gigabytes G]`: parquet beside JSON Lines.

From the files to the report through the command line, in turn, so many times: the ratio is that of
processor time. Then a file of many row groups is streamed, and the peak of memory is printed.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.clock import ratio, spread
from benchmarks.processes import Usage, command
from benchmarks.workloads import Workload, write_jsonl

WORKLOAD = Workload(10_000, 100)
_OPTIONS = ("--no-per-query", "--format", "json")


def main() -> int:
    """Measure and print."""
    options = _options()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _say("writing the data")
        lines = write_jsonl(WORKLOAD, folder)
        command("-m", "benchmarks.parquet_files", "pair", str(lines))
        _compare(folder, options.rounds)
        if options.gigabytes:
            for share in (0.1, 1.0):
                _stream(lines, share * options.gigabytes)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.parquet", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, metavar="N", help="default: 7")
    parser.add_argument("--gigabytes", type=float, default=1.0, metavar="G", help="0: no stream")
    return parser.parse_args()


def _compare(folder: Path, rounds: int) -> None:
    usage: dict[str, list[Usage]] = {"jsonl": [], "parquet": []}
    for number in range(1, rounds + 1):
        _say(f"round {number} of {rounds}")
        for ending, found in usage.items():
            files = (str(folder / f"{one}.{ending}") for one in ("truth", "run"))
            found.append(command("-m", "groupwise", "evaluate", *files, *_OPTIONS))
    for ending, found in usage.items():
        seconds, peak = spread([one.span.cpu for one in found]), found[0].megabytes
        print(f"{WORKLOAD.name} {ending}: {seconds.median:.2f} s CPU, {peak:.0f} MB")
    quotient = ratio(*([one.span.cpu for one in usage[e]] for e in ("parquet", "jsonl")))
    print(f"parquet / jsonl: {quotient.median:.2f} ({quotient.low:.2f} to {quotient.high:.2f})")


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
