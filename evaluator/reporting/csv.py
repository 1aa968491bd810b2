"""A report as comma-separated values: a row per query, sorted by id, then a row of means.

The first column, ``kind``, tells queries (``query``) from the means of all queries (``mean``), the
ends of their confidence intervals (``low``, ``high``) and their ceilings (``ceiling``), whatever
the ids of queries are. Those of slices follow, with the columns ``field`` and ``slice``.
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
    sliced = ("field", "slice") if report.slices else ()
    yield ["kind", "query", *sliced, *map(spreadsheet_safe, names)]
    blank = [""] * len(sliced)
    for query, scores in report.per_query.items():
        cells = (_format_cell(scores[name], name, report) for name in names)
        yield ["query", spreadsheet_safe(query), *blank, *cells]
    yield from _list_summary(report, report, blank)
    for field, slices in report.slices.items():
        for value, found in slices.items():
            yield from _list_summary(found, report, [*map(spreadsheet_safe, (field, value))])


def _list_summary(
    part: Report | Slice, report: Report, where: Sequence[str]
) -> Iterator[list[float | str]]:
    """Yield the means of a report or slice, the ends of their intervals, and their ceilings."""
    ends = part.intervals
    rows: dict[str, Mapping[str, float | None]] = {"mean": part.scores}
    if ends:
        rows["low"] = {name: ends[name].low for name in ends}
        rows["high"] = {name: ends[name].high for name in ends}
    if part.ceilings:
        rows["ceiling"] = part.ceilings
    for kind, values in rows.items():
        cells = (_format_cell(values.get(name), name, report) for name in list_labels(report))
        yield [kind, "", *where, *cells]


def _format_cell(value: float | None, name: str, report: Report) -> float | str:
    if value is None:
        return ""
    return int(value) if name in report.ranks else value
