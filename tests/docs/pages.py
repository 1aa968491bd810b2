"""The pages, their blocks of code, and what the pages say comes out of them."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from tests.paths import ROOT

PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ELLIPSES = {"…", "..."}


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    text: str
    line: int


def blocks(page: Path, *languages: str) -> list[Block]:
    text = page.read_text("utf-8")
    return [
        Block(match[1], match[2], text.count("\n", 0, match.start()) + 2)
        for match in BLOCK.finditer(text)
        if match[1] in languages
    ]


def statements(block: Block) -> Iterator[tuple[ast.stmt, list[str]]]:
    """Each statement of a block of Python, with the output that comments beside it promise."""
    lines = block.text.splitlines()
    comments = _comments(block.text)
    for statement in ast.parse(block.text).body:
        end = statement.end_lineno or statement.lineno
        beside = [
            comments[number]
            for number in range(statement.lineno, end + 1)
            if number in comments and "print(" in lines[number - 1]
        ]
        below = takewhile(lambda line: line.startswith("#"), lines[end:])
        yield statement, [*beside, *(line.removeprefix("#").removeprefix(" ") for line in below)]


def _comments(text: str) -> dict[int, str]:
    """The comments that stand behind code, by line."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {
        token.start[0]: token.string.removeprefix("#").strip()
        for token in tokens
        if token.type == tokenize.COMMENT and token.line[: token.start[1]].strip()
    }


def commands(block: Block) -> list[tuple[str, list[str]]]:
    """Each command of a block of a console, with the lines that it prints."""
    found: list[tuple[str, list[str]]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), []))
        elif found and found[-1][0].endswith("\\"):
            command, output = found.pop()
            found.append((f"{command[:-1]} {line.strip()}", output))
        else:
            found[-1][1].append(line)
    return found


def matches(printed: list[str], shown: list[str]) -> bool:
    """Whether lines are as shown, where a line of an ellipsis stands for any number of lines."""
    printed, shown = [[line.rstrip() for line in lines] for lines in (printed, shown)]
    pattern = [
        "(?:.*\n)*?" if line.strip() in ELLIPSES else re.escape(line) + "\n" for line in shown
    ]
    return re.fullmatch("".join(pattern), "".join(f"{line}\n" for line in printed)) is not None
