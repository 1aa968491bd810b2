"""A report as JSON Lines: a line per query, sorted by id, then a line with everything else.

A query's line is ``{"query": "q1", "scores": {"recall": 0.5}}``. The last line is the JSON form
without ``per_query``; only that line has a ``schema``.
"""

from collections.abc import Iterator

from groupwise.evaluator.reading.writing import dump_line
from groupwise.evaluator.reporting.json import without_queries
from groupwise.schemas import Report


def render(report: Report) -> str:
    """Return all lines."""
    return "".join(f"{line}\n" for line in _build_lines(report))


def _build_lines(report: Report) -> Iterator[str]:
    for query, scores in report.per_query.items():
        yield dump_line({"query": query, "scores": scores})
    summary = without_queries(report)
    del summary["per_query"]
    yield dump_line(summary)
