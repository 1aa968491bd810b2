"""`python -m benchmarks.differences [--write PAGE]`: the cases through every evaluator."""

import argparse
import sys
from pathlib import Path

from benchmarks.differences.cases import SECTIONS
from benchmarks.differences.outcomes import rows
from benchmarks.differences.page import page
from benchmarks.differences.peers import peers


def main() -> None:
    """Run, and print the page or write it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.differences", description=__doc__)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="where to write the page")
    options = parser.parse_args()
    evaluators = peers()
    text = page(rows(SECTIONS, evaluators, _say), evaluators)
    if options.write:
        options.write.parent.mkdir(parents=True, exist_ok=True)
        options.write.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


if __name__ == "__main__":
    main()
