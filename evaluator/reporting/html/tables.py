"""The tables of a report beside its scores: ranks, ties, curve, slices, missed groups."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from groupwise.evaluator.reporting import explained
from groupwise.evaluator.reporting.charts.curve import trim
from groupwise.evaluator.reporting.slices import list_slice_columns, list_slices
from groupwise.evaluator.reporting.spread import (
    CURVE_HEAD,
    RANK_HEAD,
    TIES_HEAD,
    describe_curve,
    describe_ties,
    list_bounds,
    list_points,
    list_ranks,
)
from groupwise.evaluator.text import plural
from groupwise.schemas import Report
from groupwise.schemas.explanation import Explanation

MOST_ROWS = 50
OUTCOME_HEAD = ("outcome", "groups", "share")


class Table(NamedTuple):
    """A table whose first column is text; ``note`` is a sentence below it."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    is_open: bool = False


def list_tables(report: Report) -> Iterator[Table]:
    """Yield the tables of a report; one is open if somebody asked for it."""
    if report.ranks:
        yield Table("Ranks of hits", RANK_HEAD, [*list_ranks(report)], is_open=True)
    if report.ties:
        note = describe_ties(report.ties)
        yield Table("Bounds over tied scores", TIES_HEAD, [*list_bounds(report)], note, True)  # noqa: FBT003
    if report.curve:
        curve = trim(report.curve, None)
        note = describe_curve(curve)
        yield Table("Means at each cutoff", CURVE_HEAD, [*list_points(curve)], note)
    yield from (_build_slices(report, field) for field in report.slices)
    if report.explanation is not None:
        yield from _list_missed(report.explanation)


def _build_slices(report: Report, field: str) -> Table:
    rows = [(name, queries, *cells) for name, queries, cells in list_slices(report, field)]
    head = [field, "queries", *list_slice_columns(report)]
    return _limit(f"Scores by {field} (profile {report.profile})", head, rows, is_open=True)


def _list_missed(found: Explanation) -> Iterator[Table]:
    """Yield why groups were missed, and which ones, over all queries."""
    note = "; ".join(explained.list_near(found))
    rows = [*explained.list_reasons(found.reasons)]
    yield Table(f"Groups by outcome at k = {found.k:,}", OUTCOME_HEAD, rows, note)
    shares, depths = explained.list_depths(found.depth_for)
    head = [explained.DEPTH_HEAD, *shares]
    yield Table("How many results would be enough", head, [[explained.DEPTH_ROW, *depths]])
    if found.labels:
        head = ["label", *explained.list_reason_columns(found)]
        yield _limit("Groups by label", head, explained.list_labels(found))
    if found.missed_groups:
        rows_missed = explained.list_missed(found)
        yield _limit("Groups that several queries miss", explained.MISSED_HEAD, rows_missed)
    for field in found.slices:
        head = [field, *explained.list_slice_columns(found)]
        caption = f"Groups by {explained.name_slices(found, field)}"
        yield _limit(caption, head, explained.list_slices(found, field))


def _limit(
    caption: str, head: Sequence[str], rows: Iterable[Sequence[str]], *, is_open: bool = False
) -> Table:
    """Return a table with as many rows as a person looks at."""
    listed = [*rows]
    more = len(listed) - MOST_ROWS
    note = f"{plural(more, 'more row')}; the JSON form has all of them" if more > 0 else ""
    return Table(caption, head, listed[:MOST_ROWS], note, is_open)
