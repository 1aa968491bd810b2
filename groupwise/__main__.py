"""The command line: ``groupwise`` or ``python -m groupwise``."""

import sys


def main() -> None:
    """Run the command and leave with its exit code."""
    from groupwise.evaluator.cli import run  # noqa: PLC0415  (nothing is imported before it is needed)

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
