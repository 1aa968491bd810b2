"""The command line as a person has it: words in, exit code and two streams out."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

COMMAND = [sys.executable, "-m", "groupwise"]


def names_in(folder: str = ".") -> list[str]:
    """All that is in a folder."""
    return sorted(path.name for path in Path(folder).iterdir())


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


def spawn(*words: str, stdin: bytes = b"", env: dict[str, str] | None = None) -> Outcome:
    """Run groupwise in a process of its own."""
    done = subprocess.run(
        [*COMMAND, *words], input=stdin, capture_output=True, check=False, env=_environment(env)
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


def _environment(more: dict[str, str] | None) -> dict[str, str]:
    plain = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    return {**plain, **(more or {})}
