"""One measurement: `python -m benchmarks.growth.once ROW N`, in a process that does nothing else.

It writes the data, runs the command once on data of 2, so that everything is imported, then on
data of n, and prints the processor time of the latter, its exit code and the peak of memory.
"""

import json
import os
import resource
import sys
import tempfile
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from benchmarks.clock import megabytes
from benchmarks.growth.rows import ROWS, Row

MOST_SECONDS = 60
MOST_BYTES = 4 << 30
"""Of address space; numpy and pyarrow reserve more of it than they use."""


def main() -> None:
    """Measure and print."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    row, n = ROWS[sys.argv[1]], int(sys.argv[2])
    run(row, 2)
    seconds, code = run(row, n)
    peak = megabytes(resource.getrusage(resource.RUSAGE_SELF))
    print(json.dumps([seconds, code, peak]))


def run(row: Row, n: int) -> tuple[float, int]:
    """Run the command of a row on data of n; return its seconds and its exit code."""
    from groupwise.evaluator.cli import run as run_command  # noqa: PLC0415 (after the limit is set)

    with tempfile.TemporaryDirectory() as folder:
        words = row.write(n, Path(folder))
        with Path(os.devnull).open("w") as file, redirect_stdout(file), redirect_stderr(file):
            started = time.process_time()
            code = run_command(words)
            return time.process_time() - started, code


if __name__ == "__main__":
    main()
