"""The command line: ``groupwise`` or ``python -m groupwise``."""

import gc
import sys

SELDOM = 100_000
"""So many new objects make it worth to look for garbage: imports make many, and no garbage."""


def main() -> None:
    """Run the command and leave with its exit code."""
    gc.set_threshold(SELDOM)
    from groupwise.evaluator.cli import run  # noqa: PLC0415  (nothing is imported before it is needed)

    code = run(sys.argv[1:])
    gc.freeze()  # what is left goes with the process; Python would search all of it once more
    sys.exit(code)


if __name__ == "__main__":
    main()
