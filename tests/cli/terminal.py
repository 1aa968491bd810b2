"""An interactive shell that tests type into."""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest


def prepare_environment(tmp_path: Path) -> dict[str, str]:
    """A folder with two files, and groupwise on the path."""
    (tmp_path / "truth.jsonl").touch()
    (tmp_path / "my run.jsonl").touch()
    path = os.pathsep.join([os.fspath(Path(sys.executable).parent), os.environ["PATH"]])
    return {"PATH": path, "HOME": os.fspath(tmp_path), "TERM": "dumb", "LC_ALL": "C.UTF-8"}


def need(shell: str) -> str:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    return found


class Terminal:
    """An interactive shell, typed into by a test."""

    def __init__(self, words: list[str], environment: dict[str, str], folder: Path) -> None:
        self.screen, child = pty.openpty()
        self.process = subprocess.Popen(
            words, cwd=folder, env=environment, stdin=child, stdout=child, stderr=child,
            start_new_session=True,
        )  # fmt: skip
        os.close(child)

    def type(self, text: str, until: str) -> str:
        """Type, and return what the screen shows once it matches."""
        os.write(self.screen, text.encode())
        seen = ""
        end = time.monotonic() + 60
        while not re.search(until, seen) and time.monotonic() < end:
            if select.select([self.screen], [], [], 0.5)[0]:
                seen += os.read(self.screen, 4096).decode(errors="replace")
            seen = re.sub(" +", " ", seen.replace("\x08", ""))
        assert re.search(until, seen), seen
        return seen

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.screen)


TYPED = [
    ("groupwise ev\t", r"evaluate "),
    ("groupwise evaluate --prof\tcov\t", r"--profile coverage "),
    ("groupwise evaluate --profile=cov\t", r"--profile=coverage "),
    ("groupwise evaluate -m trec:ndc\t", r"trec:ndcg "),
    ("groupwise evaluate tru\t", r"truth\.jsonl "),
    ("groupwise evaluate --output=tru\t", r"--output=truth\.jsonl ?"),
    ("groupwise check my\t", r"my\\ run\.jsonl "),
]


def check_typing(terminal: Terminal) -> None:
    """Type each line, press the tab key, and clear the line."""
    try:
        for keys, shown in TYPED:
            terminal.type(keys, shown)
            terminal.type("\x15", "")
    finally:
        terminal.close()
