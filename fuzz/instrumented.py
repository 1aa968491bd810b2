"""Loads the walk of the folder in `FUZZ_WALK` instead of the installed one, then runs a module."""

import importlib.util
import os
import runpy
import sys
from pathlib import Path

NAME = "groupwise.evaluator.native._compiled"


def main() -> None:
    """Put the folder first, see that the walk is from there, run the module."""
    folder = os.environ["FUZZ_WALK"]
    spec = importlib.util.spec_from_file_location(NAME, *Path(folder).glob("_compiled*"))
    assert spec is not None
    assert spec.loader is not None
    sys.modules[NAME] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[NAME])
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
