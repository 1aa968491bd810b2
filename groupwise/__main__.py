"""The command line: ``groupwise`` or ``python -m groupwise``."""

import gc
import sys

COLLECTION_THRESHOLD = 100_000
"""New objects before the garbage collector runs: imports create many objects and no garbage."""


def main() -> None:
    """Run the command and exit with its code."""
    code = _run()
    gc.freeze()  # spares a last collection at exit, of what goes with the process anyway
    sys.exit(code)


def start() -> None:
    """Run the command as a program of its own, which ends at once with its code."""
    code = _run()
    from groupwise.evaluator.cli.ending import end_program  # noqa: PLC0415  (when it is needed)

    end_program(code)


def _run() -> int:
    gc.set_threshold(COLLECTION_THRESHOLD)
    from groupwise.evaluator.cli import run  # noqa: PLC0415  (nothing is imported before it is needed)

    return run(sys.argv[1:])


if __name__ == "__main__":
    start()
