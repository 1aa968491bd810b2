"""Loads the walk of the folder in `FUZZ_WALK` instead of the installed one, then runs a module."""

import os
import runpy
import sys

import groupwise.evaluator.native as room


def main() -> None:
    """Put the folder first, see that the walk is from there, run the module."""
    folder = os.environ["FUZZ_WALK"]
    room.__path__.insert(0, folder)
    from groupwise.evaluator.native.loader import walk  # noqa: PLC0415 (the path comes first)

    assert str(walk.__file__).startswith(folder), walk.__file__
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
