"""What the forms of checks have in common: failures of a file, and its worst queries."""

from collections.abc import Iterator

from groupwise.evaluator.evaluation.checked_files import CheckedFile
from groupwise.evaluator.reporting.pivot import format_score
from groupwise.evaluator.text import cut
from groupwise.schemas import Outcome

LONGEST_ID = 60


def list_worst(file: CheckedFile, outcome: Outcome) -> Iterator[tuple[str, float | None]]:
    """Yield the worst queries and their scores, if an outcome is of a mean."""
    if file.check and outcome.query is None:
        yield from file.check.worst.get(outcome.metric, {}).items()


def describe_worst(file: CheckedFile, outcome: Outcome) -> str:
    """Return the worst queries in a line; blank if there are none."""
    worst = [
        f"{cut(query, LONGEST_ID)!r} {format_score(value)}"
        for query, value in list_worst(file, outcome)
    ]
    return f"the worst queries: {', '.join(worst)}" if worst else ""
