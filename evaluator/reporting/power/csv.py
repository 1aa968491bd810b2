"""An analysis of power as comma-separated values, with all digits.

A row per metric and difference, then a row per target; the column ``kind`` tells them apart.
"""

import csv
import io
from collections.abc import Iterator, Sequence

from groupwise.evaluator.reporting.power.layout import list_found
from groupwise.evaluator.reporting.sanitise import spreadsheet_safe
from groupwise.schemas.power import PowerAnalysis

COLUMNS = ("kind", "metric", "n", "sd", "detectable", "observed", "wanted", "queries")
OF_METRIC = ("n", "sd", "detectable", "observed")


def render(analysis: PowerAnalysis) -> str:
    """Return the header and the rows."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS, *_list_rows(analysis)])
    return text.getvalue()


def _list_rows(analysis: PowerAnalysis) -> Iterator[Sequence[object]]:
    for kind, label, sensitivity in list_found(analysis):
        cells = [_cell(getattr(sensitivity, name)) for name in OF_METRIC]
        for difference, queries in sensitivity.queries_for.items():
            yield [kind, spreadsheet_safe(label), *cells, difference, _cell(queries)]
    for target, queries in analysis.targets.items():
        yield ["target", *[""] * (len(OF_METRIC) + 1), target, queries]


def _cell(value: float | None) -> object:
    return "" if value is None else value
