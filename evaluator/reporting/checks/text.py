"""Checks of fixtures for people."""

from collections.abc import Callable, Sequence

from groupwise.evaluator.evaluation.checked_files import (
    CheckedFile,
    Result,
    count_results,
    describe_results,
)
from groupwise.evaluator.text import printable

STYLE_OF: dict[Result, str] = {
    "ok": "met", "failed": "failed", "error": "error", "updated": "bold", "differs": "bold",
    "skipped": "dim",
}  # fmt: skip


def render(files: Sequence[CheckedFile]) -> str:
    """Return the result of each file, and the totals if there are several."""
    total = f"{describe_results(count_results(files))}\n" if len(files) > 1 else ""
    return "".join(map(format_file, files)) + total


def _plain(text: str, _style: str) -> str:
    return text


def format_file(file: CheckedFile, paint: Callable[[str, str], str] = _plain) -> str:
    """Return the result of a file; problems are one line each."""
    text = file.text
    if file.problems:
        text = "\n  ".join([f"{file.path}: could not be checked", *map(str, file.problems[:20])])
    first, *others = (printable(line) for line in text.split("\n"))
    head = paint(f"{file.result:<7}", STYLE_OF[file.result])
    return "".join(f"{line}\n" for line in [f"{head} {first}", *others])
