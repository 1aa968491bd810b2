"""Commands as a person types them, and what they print."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ELLIPSIS = "…"
Say = Callable[[str], None]


class UnexpectedExit(RuntimeError):  # noqa: N818  (it stops the showcase and says why)
    """A command did not end as the page says."""


class Console(NamedTuple):
    """A folder in which commands are run, and somebody who watches."""

    folder: Path
    say: Say

    def run(self, command: str, *, status: int = 0, first: int | None = None) -> str:
        """Run a command, and return it with its output as a block of Markdown.

        Args:
            command: What is typed; a backslash at the end of a line continues it.
            status: The exit code it must have.
            first: How many lines of the output to show; the rest becomes an ellipsis.
        """
        lines = self.print_output(command, status=status)
        if first is not None and len(lines) > first:
            lines = [*lines[:first], ELLIPSIS]
        shown = "\n".join([f"$ {command}", *lines])
        self.say(f"{shown}\n")
        return f"```console\n{shown}\n```"

    def print_output(self, command: str, *, status: int = 0) -> list[str]:
        """Run a command; return what it prints to both streams, as lines.

        Raises:
            UnexpectedExit: It has another exit code.
        """
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=self.folder,
            env={**os.environ, "PATH": path, "PYTHONUNBUFFERED": "1", "COLUMNS": "100"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        printed = done.stdout.decode()
        if done.returncode != status:
            raise UnexpectedExit(
                f"exit {done.returncode} in place of {status}: {command}\n{printed}"
            )
        return [line.rstrip() for line in printed.splitlines()]
