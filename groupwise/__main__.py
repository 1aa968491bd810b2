"""The command line: ``groupwise`` or ``python -m groupwise``."""

import gc
import sys

COLLECTION_THRESHOLD = 100_000
"""New objects before the garbage collector runs: imports create many objects and no garbage."""


def main() -> None:
    """Run the command and exit with its code."""
    gc.set_threshold(COLLECTION_THRESHOLD)
    from groupwise.evaluator.cli import run  # noqa: PLC0415  (nothing is imported before it is needed)

    code = run(sys.argv[1:])
    gc.freeze()  # spares a last collection at exit, of what goes with the process anyway
    sys.exit(code)


if __name__ == "__main__":
    main()
