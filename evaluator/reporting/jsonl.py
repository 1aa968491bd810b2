"""The report as JSON Lines: one line per query, sorted by id, then one of all but the queries.

A query's line is ``{"query": "q1", "scores": {"recall": 0.5}}``. The last line is the report of the
contract without ``per_query``; it is told by its ``schema``.
"""

from collections.abc import Iterator

from groupwise.evaluator.reading.json_text import dump_line
from groupwise.evaluator.reporting.json import without_queries
from groupwise.schemas import Report


def render(report: Report) -> str:
    """All lines."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: Report) -> Iterator[str]:
    for query, scores in report.per_query.items():
        yield dump_line({"query": query, "scores": scores})
    summary = without_queries(report)
    del summary["per_query"]
    yield dump_line(summary)
