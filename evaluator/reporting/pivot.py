"""Scores as a table for people: a row per metric, a column per cutoff."""

from typing import TYPE_CHECKING, NamedTuple

from groupwise.evaluator.text import plural

if TYPE_CHECKING:
    from groupwise.schemas import Counts, Report

WHOLE = "all"
"""The heading of the column for whole rankings, beside those for cutoffs."""


class Pivot(NamedTuple):
    """Column headings, and for each metric its value per column; None: no value."""

    columns: list[str]
    rows: list[tuple[str, list[float | None]]]


def build_pivot(report: "Report") -> Pivot:
    """Return the means by metric and cutoff; without cutoffs there is one column, ``mean``."""
    split = {label: split_cutoff(label) for label in report.scores}
    cutoffs = sorted({k for _, k in split.values() if k is not None}, key=_by_kind_and_size)
    if not cutoffs:
        return Pivot(["mean"], [(label, [value]) for label, value in report.scores.items()])
    wanted: list[str | None] = [*cutoffs]
    if any(k is None for _, k in split.values()):
        wanted.append(None)
    values = {split[label]: value for label, value in report.scores.items()}
    names = dict.fromkeys(name for name, _ in values)
    rows = [(name, [values.get((name, k)) for k in wanted]) for name in names]
    return Pivot([WHOLE if k is None else f"@{k}" for k in wanted], rows)


def _by_kind_and_size(cutoff: str) -> tuple[bool, int]:
    """Sort cutoffs by rank before budgets of tokens, each by size."""
    return cutoff.endswith("t"), int(cutoff.removesuffix("t"))


def split_cutoff(label: str) -> tuple[str, str | None]:
    """Return a label as name and cutoff.

    >>> split_cutoff("ndcg@10")
    ('ndcg', '10')
    """
    name, _, k = label.rpartition("@")
    return (name, k) if name else (label, None)


def list_labels(report: "Report") -> list[str]:
    """Return the labels of scores and ranks, in the order of the report."""
    return [*report.scores, *report.ranks]


def describe_worst(report: "Report", shown: int, metric: str | None = None) -> str:
    """Return what the queries in a table of the worst were chosen by."""
    worst = "worst" if shown == 1 else f"{shown:,} worst"
    return f"the {worst} by {metric or list_labels(report)[0]}, then by query id"


def format_cell(report: "Report", query: str, name: str) -> str:
    """Return the score or rank of a query, for people."""
    value = report.per_query[query][name]
    return format_rank(value) if name in report.ranks else format_score(value)


def format_score(value: float | None) -> str:
    """Return a value with four decimals, for people."""
    return "–" if value is None else f"{value:.4f}"  # noqa: RUF001


def format_rank(value: float | None) -> str:
    """Return a rank, or a median of ranks, for people."""
    return "–" if value is None else f"{value:g}"  # noqa: RUF001


def format_counts(counts: "Counts") -> str:
    """Return how many queries were scored, missing, empty, unanswerable or extra.

    >>> from groupwise.schemas import Counts
    >>> format_counts(Counts(queries=3, scored=2, unanswerable=1))
    '3 queries, 2 scored, 1 unanswerable'
    """
    others = {
        "without results": counts.missing,
        "with an empty result": counts.empty_results,
        "unanswerable": counts.unanswerable,
        "in the results only": counts.extra,
    }
    shown = [f"{number:,} {name}" for name, number in others.items() if number]
    queries = plural(counts.queries, "query", "queries")
    return ", ".join([queries, f"{counts.scored:,} scored", *shown])
