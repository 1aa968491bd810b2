"""Runs a Python module on a walk with sanitisers: `python -m fuzz.sanitised pytest tests/native`.

The walk is compiled with the address and undefined-behaviour sanitisers into a temporary folder;
what is installed stays as it is. The first error ends the process with its report. Leaks are not
looked for: Python itself keeps memory until its end.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from hatch_build import SOURCES, compiled

ROOT = Path(__file__).parent.parent
FLAGS = "-g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"
PRELOADED = ("libasan.so", "libubsan.so", "libstdc++.so.6")
"""The last one so that exceptions of C++ libraries are seen by the first."""


def main() -> int:
    """Compile, then run the module in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(CFLAGS=FLAGS, LDFLAGS=FLAGS)
        built = compiled(ROOT / SOURCES, Path(folder), debuggable=True)
        if not built.exists():
            print("the walk cannot be compiled with sanitisers here", file=sys.stderr)
            return 2
        command = [sys.executable, "-m", "fuzz.instrumented", *sys.argv[1:]]
        return subprocess.run(command, env=_environment(folder), check=False).returncode


def _environment(folder: str) -> dict[str, str]:
    return os.environ | {
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "LD_PRELOAD": " ".join(path for path in map(_library, PRELOADED) if "/" in path),
        "PYTHONMALLOC": "malloc",
        "FUZZ_WALK": folder,
    }


def _library(name: str) -> str:
    """Return the path of a library of the compiler; its bare name if it is not there."""
    command = [os.environ.get("CC", "cc"), f"-print-file-name={name}"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
