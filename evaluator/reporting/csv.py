"""A report as comma-separated values: a row per query, sorted by id, then a row of means.

The ends of confidence intervals follow in the rows ``low`` and ``high``, ceilings in ``ceiling``,
and the means of slices in rows that are named like ``mean (type=bridge)``.
Numbers have all their digits; a cell without a value is empty. Ranks have no mean.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence

from groupwise.evaluator.reporting.pivot import list_labels
from groupwise.evaluator.reporting.sanitise import spreadsheet_safe
from groupwise.schemas import Report, Slice


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
    yield from _list_summary(report, report, "")
    for field, slices in report.slices.items():
        for value, found in slices.items():
            yield from _list_summary(found, report, f" ({field}={value})")


def _list_summary(part: Report | Slice, report: Report, of: str) -> Iterator[list[float | str]]:
    """Yield the means of a report or slice, the ends of their intervals, and their ceilings."""
    ends = part.intervals
    rows: dict[str, Mapping[str, float | None]] = {"mean": part.scores}
    if ends:
        rows["low"] = {name: ends[name].low for name in ends}
        rows["high"] = {name: ends[name].high for name in ends}
    if part.ceilings:
        rows["ceiling"] = part.ceilings
    names = list_labels(report)
    for title, values in rows.items():
        cells = [_format_cell(values.get(name), name, report) for name in names]
        yield [spreadsheet_safe(f"{title}{of}"), *cells]


def _format_cell(value: float | None, name: str, report: Report) -> float | str:
    if value is None:
        return ""
    return int(value) if name in report.ranks else value
