"""Checks of fixtures as JUnit XML: a suite per file, a case per expectation."""

from collections.abc import Sequence

from groupwise.evaluator.evaluation.checked_files import CheckedFile
from groupwise.evaluator.reporting.checks.wording import describe_worst
from groupwise.evaluator.reporting.junit_writer import JUnit, Suite
from groupwise.schemas import Outcome

NAME = "groupwise check"
WHOLE = "fixture"
"""The case of a file that has no expectations to show."""


def render(files: Sequence[CheckedFile]) -> str:
    """Return the document."""
    document = JUnit(NAME)
    for file in files:
        _add_file(document.add_suite(file.path), file)
    return document.render()


def _add_file(suite: Suite, file: CheckedFile) -> None:
    for outcome in file.check.outcomes if file.check else ():
        _add_outcome(suite, file, outcome)
    if file.check is not None and file.check.outcomes:
        return
    case = suite.add_case(WHOLE)
    if file.problems:
        case.err(str(file.problems[0]), "\n".join(map(str, file.problems)), "invalid")
    elif file.result == "skipped":
        case.skip(file.note)
    else:
        case.print(file.text)


def _add_outcome(suite: Suite, file: CheckedFile, outcome: Outcome) -> None:
    case = suite.add_case(outcome.subject)
    if outcome.passed:
        return
    line = file.lines.get((outcome.query, outcome.metric))
    place = f"{file.path}:{line}" if line else file.path
    details = [f"{place}: {outcome}", describe_worst(file, outcome)]
    text = "\n".join(filter(None, details))
    if outcome.passed is None:
        case.err(outcome.comparison, text, "no value")
    else:
        case.fail(outcome.comparison, text, "expectation")
