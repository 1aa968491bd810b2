"""A report as comma-separated values: a row per query, sorted by id, then a row of means.

The means of slices follow, in rows that are named like ``mean (type=bridge)``.
Numbers have all their digits; a cell without a value is empty. Ranks have no mean.
"""

import csv
import io
from collections.abc import Iterator, Sequence

from groupwise.evaluator.reporting.pivot import list_labels
from groupwise.evaluator.reporting.sanitise import spreadsheet_safe
from groupwise.schemas import Report, Scores


def render(report: Report) -> str:
    """Return the header, a row per query, and the means."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(_build_rows(report))
    return text.getvalue()


def _build_rows(report: Report) -> Iterator[Sequence[object]]:
    names = list_labels(report)
    yield ["query", *names]
    for query, scores in report.per_query.items():
        yield [
            spreadsheet_safe(query),
            *(_format_cell(scores[name], name, report) for name in names),
        ]
    yield ["mean", *_format_means(report.scores, report)]
    for field, slices in report.slices.items():
        for value, found in slices.items():
            title = spreadsheet_safe(f"mean ({field}={value})")
            yield [title, *_format_means(found.scores, report)]


def _format_means(scores: Scores, report: Report) -> list[float | str]:
    return [_format_cell(scores.get(name), name, report) for name in list_labels(report)]


def _format_cell(value: float | None, name: str, report: Report) -> float | str:
    if value is None:
        return ""
    return int(value) if name in report.ranks else value
