"""Scores as a table that people read: a row per metric, a column per cutoff."""

from typing import NamedTuple

from groupwise.schemas import Counts, Report

WHOLE = "all"
"""The head of the column for whole rankings, beside those of cutoffs."""


class Pivot(NamedTuple):
    """Column heads, and for each metric its value in each column, None where there is none."""

    columns: list[str]
    rows: list[tuple[str, list[float | None]]]


def pivot(report: Report) -> Pivot:
    """The means by metric and cutoff; without any cutoff there is the one column ``mean``."""
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
    """Ranks before budgets of tokens, each in order."""
    return cutoff.endswith("t"), int(cutoff.removesuffix("t"))


def split_cutoff(label: str) -> tuple[str, str | None]:
    """A label as name and cutoff.

    >>> split_cutoff("ndcg@10")
    ('ndcg', '10')
    """
    name, _, k = label.rpartition("@")
    return (name, k) if name else (label, None)


def labels(report: Report) -> list[str]:
    """Scores and ranks, in the order of the report."""
    return [*report.scores, *report.ranks]


def rounded(value: float | None) -> str:
    """Four decimals, for people."""
    return "–" if value is None else f"{value:.4f}"  # noqa: RUF001


def counted(counts: Counts) -> str:
    """How many queries were scored, and what there was besides.

    >>> counted(Counts(queries=3, scored=2, unanswerable=1))
    '3 queries, 2 scored, 1 unanswerable'
    """
    others = {
        "without results": counts.missing,
        "with an empty result": counts.empty_results,
        "unanswerable": counts.unanswerable,
        "in the results only": counts.extra,
    }
    queries = "1 query" if counts.queries == 1 else f"{counts.queries:,} queries"
    shown = [f"{number:,} {name}" for name, number in others.items() if number]
    return ", ".join([queries, f"{counts.scored:,} scored", *shown])
