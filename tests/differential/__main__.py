"""`python -m tests.differential [--values N] [--seed N]`: groupwise beside the naive oracle."""

import argparse
import os
import subprocess
import sys
import warnings
from itertools import count

from tests.differential.runner import run_cases
from tests.differential.tally import Tally

PURE = "GROUPWISE_PURE"


def main() -> int:
    """Compare with the compiled part and without it, and print what was found."""
    options = _options()
    warnings.simplefilter("ignore")
    tally = Tally()
    digest = run_cases(count(options.seed), options.values, tally)
    print("without the compiled part" if os.environ.get(PURE) else "with the compiled part")
    print(*tally.lines(), sep="\n")
    print(f"digest of the reports: {digest}", flush=True)
    worst = 1 if tally.classes else 0
    return worst if os.environ.get(PURE) or options.once else max(worst, _run_pure())


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("--values", type=int, default=100_000, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the first seed")
    parser.add_argument("--once", action="store_true", help="do not repeat it in pure Python")
    return parser.parse_args()


def _run_pure() -> int:
    command = [sys.executable, "-m", "tests.differential", *sys.argv[1:]]
    return subprocess.run(command, env={**os.environ, PURE: "1"}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
