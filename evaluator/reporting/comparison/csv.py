"""A comparison as comma-separated values: a row per run and metric, then a row per pair.

The column ``kind`` tells them apart. Numbers have all their digits; a cell without a value is
empty. Rows of slices follow those of all queries.
"""

import csv
import io
from collections.abc import Iterator, Sequence

from groupwise.evaluator.reporting.sanitise import spreadsheet_safe
from groupwise.schemas.comparison import ComparedSlice, Comparison, Pair, RunScore

WHERE = ("kind", "field", "slice", "metric", "run", "a", "b")
OF_RUN = ("mean", "best", "better_than")
OF_BOTH = ("low", "high", "interval", "n")
OF_PAIR = (
    "difference", "relative", "p", "p_corrected", "significant", "wins", "ties", "losses", "effect",
    "detectable", "p_non_inferior", "non_inferior", "verdict",
)  # fmt: skip
BETWEEN = "; "


def render(comparison: Comparison) -> str:
    """Return the header, then the rows of all queries, then those of each slice."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*WHERE, *OF_RUN, *OF_BOTH, *OF_PAIR])
    for where, part in _list_parts(comparison):
        writer.writerows(_list_runs(part, where))
        writer.writerows(_list_pairs(part, where))
    return text.getvalue()


def _list_parts(
    comparison: Comparison,
) -> Iterator[tuple[tuple[str, str], Comparison | ComparedSlice]]:
    yield ("", ""), comparison
    for field, slices in comparison.slices.items():
        for name, part in slices.items():
            yield (spreadsheet_safe(field), spreadsheet_safe(name)), part


def _list_runs(part: Comparison | ComparedSlice, where: Sequence[str]) -> Iterator[list[object]]:
    for run, scores in part.runs.items():
        for metric, score in scores.items():
            place = ["run", *where, spreadsheet_safe(metric), spreadsheet_safe(run), "", ""]
            yield [*place, *_list_score(score), *[""] * len(OF_PAIR)]


def _list_score(score: RunScore) -> list[object]:
    better = spreadsheet_safe(BETWEEN.join(score.better_than))
    of_both = [_cell(getattr(score, name)) for name in OF_BOTH]
    return [_cell(score.mean), _cell(score.best), better, *of_both]


def _list_pairs(part: Comparison | ComparedSlice, where: Sequence[str]) -> Iterator[list[object]]:
    for pair in part.pairs:
        runs = spreadsheet_safe(pair.a), spreadsheet_safe(pair.b)
        place = ["pair", *where, spreadsheet_safe(pair.metric), "", *runs]
        n = part.metrics[pair.metric].n
        kind = "" if pair.low is None else "bca"
        of_both = [_cell(pair.low), _cell(pair.high), kind, n]
        yield [*place, *[""] * len(OF_RUN), *of_both, *_list_difference(pair)]


def _list_difference(pair: Pair) -> list[object]:
    *numbers, verdict = OF_PAIR
    values = [_cell(getattr(pair, name)) for name in numbers]
    return [*values, spreadsheet_safe(getattr(pair, verdict))]


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else value
