"""The files of ``check --update``: read, compared, written whole."""

import difflib
import sys

from groupwise.evaluator.cli import streams
from groupwise.evaluator.evaluation.evaluate import evaluate
from groupwise.evaluator.evaluation.expectations import add_expected, correct_expected
from groupwise.evaluator.evaluation.fixture import differences, evaluate_expected, read_expectations
from groupwise.evaluator.formats.opening import records_in
from groupwise.evaluator.reading.text_file import MARK, read_text
from groupwise.evaluator.text import printable

COLOURS = {"+": "met", "-": "failed", "@": "dim"}


def new_text(path: str) -> tuple[str, str]:
    """The text of a fixture, and the same with the scores found where others are expected."""
    head, expectations = read_expectations(path)
    form = records_in(path).editable or "json"
    old = read_text(path)
    mark, text = (MARK, old[1:]) if old.startswith(MARK) else ("", old)
    if expectations:
        report = evaluate_expected(path, head, expectations)
        wrong = differences(report, expectations, head.tolerance)
        return old, mark + correct_expected(text, wrong, form)
    report = evaluate(path)
    return old, mark + add_expected(text, report.scores, report.per_query, form)


def shown_difference(old: str, new: str, path: str) -> str:
    """A unified diff, sanitised, in colour where there is any."""
    found = difflib.unified_diff(_lines(old), _lines(new), path, path, lineterm="")
    return "".join(f"{_painted(printable(line))}\n" for line in found)


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def _painted(line: str) -> str:
    return streams.paint(line, COLOURS.get(line[:1], ""), sys.stdout)
