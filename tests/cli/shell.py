"""The command line as a person has it: words in, exit code and two streams out."""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import IO, NamedTuple

from groupwise.evaluator.cli import run

COMMAND = [sys.executable, "-m", "groupwise"]
NEEDS_A_SHELL = re.compile(r"[|;&<$*`\n]|>.*>|--plugin")


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


def type_line(line: str, *, together: bool = False) -> Outcome:
    """Run a line as a shell would; ``together``: with the errors among the output, as on a screen.

    A plain command of groupwise, its output perhaps sent to a file, runs in this process.
    """
    bare = re.sub(r"'[^']*'|\"[^\"$`]*\"", "", line)
    command, _, file = line.rpartition(" > ") if " > " in bare else (line, "", "")
    words = shlex.split(command)
    if words[0] != "groupwise" or NEEDS_A_SHELL.search(bare):
        return _ask_shell(line, together=together)
    with (
        tempfile.TemporaryFile("w+b", buffering=0) as screen,
        tempfile.TemporaryFile("w+b", buffering=0) as errors,
        Path(file.strip() or os.devnull).open("wb", buffering=0) as output,
    ):
        with _showing(output if file else screen, screen if together else errors):
            code = run(words[1:])
        for stream in (screen, errors):
            stream.seek(0)
        return Outcome(code, screen.read().decode(), errors.read().decode())


def _ask_shell(line: str, *, together: bool) -> Outcome:
    path = os.pathsep.join([os.fspath(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["sh", "-c", line], env=os.environ | {"PATH": path, "PYTHONUNBUFFERED": "1"}, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT if together else subprocess.PIPE,
    )  # fmt: skip
    return Outcome(done.returncode, done.stdout.decode(), (done.stderr or b"").decode())


@contextmanager
def _showing(output: IO[bytes], errors: IO[bytes]) -> Iterator[None]:
    """Send both streams of this process there, and what is written to their descriptors."""
    saved = {number: os.dup(number) for number in (1, 2)}
    streams = [
        open(os.dup(file.fileno()), "w", encoding="utf-8", buffering=1)  # noqa: SIM115, PTH123
        for file in (output, errors)
    ]
    try:
        for number, file in ((1, output), (2, errors)):
            os.dup2(file.fileno(), number)
        with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
            yield
    finally:
        for stream in streams:
            stream.close()
        for number, descriptor in saved.items():
            os.dup2(descriptor, number)
            os.close(descriptor)
