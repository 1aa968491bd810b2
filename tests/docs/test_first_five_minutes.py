"""The page of the first five minutes, typed along in an empty folder."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.docs.pages import blocks, commands, matches
from tests.paths import ROOT

PAGE = ROOT / "docs" / "how-to" / "first-five-minutes.md"
FILE = re.compile(r"`([\w.]+)`[^`]*:\n\n```(?:json|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def type_along(folder: Path, bin_folder: Path) -> list[tuple[str, list[str], list[str]]]:
    """Write the files of the page, type its commands; each with what it prints and should print."""
    for name, content in FILE.findall(PAGE.read_text("utf-8")):
        (folder / name).write_text(content, "utf-8")
    typed = [block for block in blocks(PAGE, "text") if block.text.startswith("$ ")]
    return [
        (command, run(command, folder, bin_folder), shown)
        for block in typed
        for command, shown in commands(block)
    ]


def run(command: str, folder: Path, bin_folder: Path) -> list[str]:
    path = os.pathsep.join([os.fspath(bin_folder), os.environ["PATH"]])
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, env=os.environ | {"PATH": path}, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout.decode()
    return done.stdout.decode().splitlines()


def test_three_commands_lead_to_a_number(tmp_path: Path) -> None:
    typed = type_along(tmp_path, Path(sys.executable).parent)
    check_commands(typed)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["golden.json", "run.jsonl"]


def check_commands(typed: list[tuple[str, list[str], list[str]]]) -> None:
    """The page shows what is printed, and all commands but the first were printed before."""
    assert [command.split()[1] for command, _, _ in typed] == ["inspect", "validate", "evaluate"]
    offered: set[str] = set()
    for number, (command, printed, shown) in enumerate(typed):
        assert matches(printed, shown), "\n".join(printed)
        assert number == 0 or command in offered
        offered |= {line.strip() for line in printed}
    scores = typed[-1][1]
    assert any(line.split() == ["recall", "0.8333"] for line in scores)
