"""Checks of fixtures as Markdown, for the summary of a job or a comment on a pull request."""

from collections.abc import Iterator, Sequence

from groupwise.evaluator.evaluation.checked_files import (
    CheckedFile,
    count_results,
    describe_results,
)
from groupwise.evaluator.reporting.checks.wording import LONGEST_ID, list_worst
from groupwise.evaluator.reporting.markdown import build_table
from groupwise.evaluator.reporting.pivot import format_score
from groupwise.evaluator.reporting.sanitise import markdown_safe
from groupwise.evaluator.text import cut, plural
from groupwise.schemas import Outcome
from groupwise.schemas.check import describe_expectation

SHOWN_FILES = 50
SHOWN_OUTCOMES = 20
SHOWN_PROBLEMS = 5
HEAD = ("query", "metric", "expected", "found")


def render(files: Sequence[CheckedFile]) -> str:
    """Return the totals, a table of the files, and for each failure what fell short."""
    return (
        "\n\n".join([f"**{describe_results(count_results(files))}**", *_list_parts(files)]) + "\n"
    )


def _list_parts(files: Sequence[CheckedFile]) -> Iterator[str]:
    ordered = sorted(files, key=lambda file: (file.result in ("ok", "skipped"), file.path))
    shown = ordered[:SHOWN_FILES]
    yield build_table(["file", "result", "expectations"], map(_format_row, shown), texts=3)
    if len(files) > len(shown):
        yield f"… and {plural(len(files) - len(shown), 'more file')}"
    for file in shown:
        yield from _list_failures(file)


def _format_row(file: CheckedFile) -> list[str]:
    summary = (
        file.check.summary if file.check else file.note or plural(file.problem_count, "problem")
    )
    return [markdown_safe(file.path), file.result, markdown_safe(summary)]


def _list_failures(file: CheckedFile) -> Iterator[str]:
    if file.problems:
        listed = file.problems[:SHOWN_PROBLEMS]
        lines = [f"- {markdown_safe(str(problem))}" for problem in listed]
        more = file.problem_count - len(listed)
        yield "\n".join([*lines, *([f"- … and {plural(more, 'more problem')}"] if more else [])])
    found = file.differences
    if found:
        yield f"### {markdown_safe(file.path)}"
        yield build_table(HEAD, map(_format_outcome, found[:SHOWN_OUTCOMES]), texts=3)
    if len(found) > SHOWN_OUTCOMES:
        yield f"… and {plural(len(found) - SHOWN_OUTCOMES, 'more expectation')} not met"
    yield from filter(None, (_format_worst(file, outcome) for outcome in found))
    if file.check and file.check.warnings:
        yield "\n".join(f"- **Warning:** {markdown_safe(text)}" for text in file.check.warnings)


def _format_outcome(outcome: Outcome) -> list[str]:
    query = "mean" if outcome.query is None else cut(outcome.query, LONGEST_ID)
    expected = describe_expectation(outcome.expected, outcome.before)
    found = "no value" if outcome.passed is None else describe_expectation(outcome.found)
    name = f"*{query}*" if outcome.query is None else markdown_safe(query)
    return [name, *map(markdown_safe, (outcome.metric, expected, found))]


def _format_worst(file: CheckedFile, outcome: Outcome) -> str:
    rows = [
        (markdown_safe(cut(query, LONGEST_ID)), format_score(value))
        for query, value in list_worst(file, outcome)
    ]
    head = ["worst queries", markdown_safe(outcome.metric)]
    return build_table(head, rows) if rows else ""
