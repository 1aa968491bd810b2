"""Slices as rows of tables for people: a row per slice, a column per metric."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from groupwise.evaluator.evaluation.slices import FEW
from groupwise.evaluator.reporting.estimates import format_estimate
from groupwise.evaluator.reporting.pivot import format_rank, list_labels

if TYPE_CHECKING:
    from groupwise.schemas import Counts, Report, Slice


def list_slice_columns(report: "Report") -> list[str]:
    """Return the headings of the columns: metrics, and the medians of ranks."""
    return [*report.scores, *(f"{name} (median)" for name in report.ranks)]


def list_slices(
    report: "Report", field: str, columns: slice = slice(None)
) -> Iterator[tuple[str, str, Sequence[str]]]:
    """Yield each slice of a field: its name, its queries, and some of its scores."""
    names = list_labels(report)[columns]
    for name, found in report.slices[field].items():
        yield name, count_scored(found.counts), [format_of_slice(found, each) for each in names]


def count_scored(counts: "Counts") -> str:
    """Return how many queries of a slice are scored, and whether they are few.

    >>> from groupwise.schemas import Counts
    >>> count_scored(Counts(queries=12, scored=9))
    '9 of 12 (few)'
    """
    scored = f"{counts.scored:,}"
    scored += "" if counts.scored == counts.queries else f" of {counts.queries:,}"
    return f"{scored} (few)" if counts.scored < FEW else scored


def format_of_slice(found: "Slice", name: str) -> str:
    """Return the score of a slice, or the median of its ranks, for people."""
    if name in found.ranks:
        return format_rank(found.ranks[name].median)
    return format_estimate(found.scores[name], name, found.intervals)
