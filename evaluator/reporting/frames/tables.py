"""The tables of each kind of result: a row per query, per metric, per pair of runs, per group."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reporting.frames.column import (
    Column,
    Type,
    gather_columns,
    write_texts,
)
from groupwise.schemas import MeanInterval, Report, Slice, ValidationReport
from groupwise.schemas.comparison import Comparison
from groupwise.schemas.explanation import Explanation
from groupwise.schemas.power import PowerAnalysis
from groupwise.schemas.remap import Remapped

NO_QUERIES = "the scores of the queries are not there; the report is of per_query=False"
SCORE: dict[str, Type] = {
    "metric": "text", "mean": "float", "low": "float", "high": "float", "ceiling": "float"
}  # fmt: skip
SLICE: dict[str, Type] = {"field": "text", "slice": "text", "queries": "int", "scored": "int"}
RUN: dict[str, Type] = {
    "run": "text", "metric": "text", "mean": "float", "low": "float", "high": "float",
    "n": "int", "best": "bool",
}  # fmt: skip
PAIR: dict[str, Type] = {
    "metric": "text", "a": "text", "b": "text", "difference": "float", "relative": "float",
    "low": "float", "high": "float", "p": "float", "p_corrected": "float", "significant": "bool",
    "wins": "int", "ties": "int", "losses": "int", "effect": "float", "detectable": "float",
    "verdict": "text",
}  # fmt: skip
MARGIN: dict[str, Type] = {"p_non_inferior": "float", "non_inferior": "bool"}
GROUP: dict[str, Type] = {
    "query": "text", "group": "int", "label": "text", "alternatives": "int", "met": "bool",
    "rank": "int", "by": "text", "reason": "text",
}  # fmt: skip
SENSITIVITY: dict[str, Type] = {
    "metric": "text", "n": "int", "sd": "float", "detectable": "float", "observed": "float"
}  # fmt: skip
FINDING: dict[str, Type] = {
    "code": "text", "name": "text", "severity": "text", "message": "text", "file": "text",
    "line": "int", "column": "int", "query": "text", "group": "int", "id": "text", "fix": "text",
}  # fmt: skip
MOVED: dict[str, Type] = {
    "query": "text", "group": "int", "from": "text", "to": "text", "outcome": "text",
    "coverage": "float", "by": "text", "reason": "text",
}  # fmt: skip


def list_queries(report: Report) -> Iterator[Column]:
    """Yield the scores of the queries, a row each, in order of query id."""
    if not len(report.per_query) and report.counts.scored:
        raise InputError([Problem(NO_QUERIES)])
    yield from list_columns(report)


def list_columns(report: Report) -> Iterator[Column]:
    """Yield the ids of the queries, and the scores or ranks of each metric."""
    _, metrics = report.per_query.columns()
    yield write_texts("query_id" if "query" in metrics else "query", report.per_query)
    for name in metrics:
        values = [value for _, value in report.per_query.column(name)]
        if name in report.ranks:
            ranks = [None if value is None else int(value) for value in values]
            yield Column(name, "int", ranks)
        else:
            yield Column(name, "float", values)


def list_scores(report: Report) -> Iterable[Column]:
    """Yield the means, a row per metric, with interval and ceiling where they are known."""
    return gather_columns(SCORE, list(_list_means(report)))


def _list_means(part: Report | Slice) -> Iterator[tuple[Any, ...]]:
    for name, mean in part.scores.items():
        low, high = _find_ends(part.intervals.get(name))
        yield name, mean, low, high, part.ceilings.get(name)


def _find_ends(interval: MeanInterval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)


def list_slices(report: Report) -> Iterable[Column]:
    """Yield the means of slices, a row per slice and metric."""
    rows = [
        (field, name, part.counts.queries, part.counts.scored, *row)
        for field, parts in report.slices.items()
        for name, part in parts.items()
        for row in _list_means(part)
    ]
    return gather_columns(SLICE | SCORE, rows)


def list_runs(comparison: Comparison) -> Iterable[Column]:
    """Yield the means of runs, a row per run and metric."""
    names = list(RUN)[2:]
    rows = [
        (run, metric, *(getattr(score, name) for name in names))
        for run, scores in comparison.runs.items()
        for metric, score in scores.items()
    ]
    return gather_columns(RUN, rows)


def list_pairs(comparison: Comparison) -> Iterable[Column]:
    """Yield the differences of runs, a row per pair and metric."""
    fields = PAIR | MARGIN if comparison.test.margin is not None else PAIR
    rows = [[getattr(pair, name) for name in fields] for pair in comparison.pairs]
    return gather_columns(fields, rows)


def list_groups(explanation: Explanation) -> Iterable[Column]:
    """Yield the groups of the queries that are explained, a row each."""
    rows = [
        (query, group.group, group.label, len(group.alternatives), group.met, group.rank, group.by,
         group.reason)
        for query, found in explanation.queries.items()
        for group in found.groups
    ]  # fmt: skip
    return gather_columns(GROUP, rows)


def list_metrics(analysis: PowerAnalysis) -> Iterable[Column]:
    """Yield what the data can show, a row per metric."""
    names = list(SENSITIVITY)[1:]
    rows = [
        (metric, *(getattr(found, name) for name in names))
        for metric, found in analysis.metrics.items()
    ]
    return gather_columns(SENSITIVITY, rows)


def list_moved(report: Remapped) -> Iterable[Column]:
    """Yield what happened to each alternative, a row per new chunk; one without for lost ones."""
    rows = [
        (each.query, each.group, each.from_, to, each.outcome, each.coverage, each.by, each.reason)
        for each in report.alternatives
        for to in each.to or (None,)
    ]
    return gather_columns(MOVED, rows)


def list_findings(report: ValidationReport) -> Iterable[Column]:
    """Yield the findings that the report holds, a row each."""
    rows = [[getattr(finding, name) for name in FINDING] for finding in report.findings]
    return gather_columns(FINDING, rows)


TABLES: Mapping[str, Mapping[str, Callable[[Any], Iterable[Column]]]] = {
    "report": {"queries": list_queries, "scores": list_scores, "slices": list_slices},
    "comparison": {"pairs": list_pairs, "runs": list_runs},
    "explanation": {"groups": list_groups},
    "findings": {"findings": list_findings},
    "power": {"metrics": list_metrics},
    "remap": {"alternatives": list_moved},
}
"""The tables of each kind of result by name, the most wanted first."""
