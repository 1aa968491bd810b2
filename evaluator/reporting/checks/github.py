"""Checks of fixtures as GitHub workflow commands, beside the lines of the fixtures."""

from collections.abc import Iterator, Sequence

from groupwise.evaluator.evaluation.checked_files import (
    CheckedFile,
    count_results,
    describe_results,
)
from groupwise.evaluator.reporting.annotations import MOST, format_command
from groupwise.evaluator.reporting.checks.wording import describe_worst
from groupwise.evaluator.reporting.findings.places import relative_path
from groupwise.evaluator.text import plural
from groupwise.schemas import Outcome

TITLE = "groupwise check"


def render(files: Sequence[CheckedFile]) -> str:
    """Return an error for each failure, as many as GitHub shows, then a summary."""
    errors = [error for file in files for error in _list_errors(file)]
    if len(errors) > MOST:
        more = plural(len(errors) - MOST + 1, "more failure")
        errors[MOST - 1 :] = [format_command("error", {"title": TITLE}, f"… and {more}")]
    warnings = [line for file in files for line in _list_warnings(file)]
    total = format_command("notice", {"title": TITLE}, describe_results(count_results(files)))
    return "".join(f"{line}\n" for line in [*errors, *warnings[:MOST], total])


def _list_errors(file: CheckedFile) -> Iterator[str]:
    for problem in file.problems:
        place = {"file": relative_path(problem.source or file.path), "line": problem.line}
        text = str(problem._replace(source=None, line=None, column=None))
        yield format_command("error", place | {"col": problem.column, "title": TITLE}, text)
    for outcome in file.differences:
        line = file.lines.get((outcome.query, outcome.metric))
        place = {"file": relative_path(file.path), "line": line, "title": TITLE}
        yield format_command("error", place, _describe(file, outcome))


def _describe(file: CheckedFile, outcome: Outcome) -> str:
    return "; ".join(filter(None, [str(outcome), describe_worst(file, outcome)]))


def _list_warnings(file: CheckedFile) -> Iterator[str]:
    place = {"file": relative_path(file.path), "title": TITLE}
    for warning in file.check.warnings if file.check else ():
        yield format_command("warning", place, warning)
