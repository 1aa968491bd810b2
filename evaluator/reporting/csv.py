"""The report as comma-separated values: a row per query, sorted by id, and always last the mean.

Numbers have all their digits; a cell is empty where there is no value. Ranks have no mean.
"""

import csv
import io
from collections.abc import Iterator, Sequence

from groupwise.evaluator.reporting.pivot import labels
from groupwise.evaluator.reporting.sanitise import spreadsheet_safe
from groupwise.schemas import Report


def render(report: Report) -> str:
    """Header, queries, mean."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(_rows(report))
    return text.getvalue()


def _rows(report: Report) -> Iterator[Sequence[object]]:
    names = labels(report)
    yield ["query", *names]
    for query, scores in report.per_query.items():
        yield [spreadsheet_safe(query), *(_cell(scores[name], name, report) for name in names)]
    yield ["mean", *(_cell(report.scores.get(name), name, report) for name in names)]


def _cell(value: float | None, name: str, report: Report) -> float | str:
    if value is None:
        return ""
    return int(value) if name in report.ranks else value
