"""A report beside what is expected: every number of it, within 1e-9."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any, NamedTuple

from tests.differential.data import Case, Metric
from tests.differential.expected import Expected, mean

TOLERANCE = 1e-9


class Comparison(NamedTuple):
    """One number: where it stands, and the two values."""

    metric: Metric | None
    place: str
    found: float | None
    expected: float | None

    @property
    def distance(self) -> float:
        if self.found is None or self.expected is None:
            return 0.0 if self.found is self.expected else inf
        return abs(self.found - self.expected)


def compare(case: Case, report: dict[str, Any], expected: Expected) -> Iterator[Comparison]:
    """All numbers of a report with their expected values; a report may hold values only."""
    rows = report["per_query"]
    names = list(next(iter(rows.values())))
    assert len(names) == len(case.metrics), (names, case.metrics)
    assert rows.keys() == expected.per_query.keys()
    for query, values in expected.per_query.items():
        for metric, name, value in zip(case.metrics, names, values, strict=True):
            yield Comparison(metric, query, rows[query][name], value)
    if "counts" in report:
        yield from _compare_summary(case, report, expected, names)


def _compare_summary(
    case: Case, report: dict[str, Any], expected: Expected, names: Sequence[str]
) -> Iterator[Comparison]:
    for name, number in expected.counts.items():
        yield Comparison(None, f"counts.{name}", report["counts"][name], number)
    yield from _compare_means(case, report, expected, names)
    yield from _compare_ranks(case, report, expected, names)
    if expected.bounds is not None:
        yield from _compare_bounds(case, report, expected, names)


def _compare_means(
    case: Case, report: dict[str, Any], expected: Expected, names: Sequence[str]
) -> Iterator[Comparison]:
    """Near the expected mean, and to the bit the mean of the values beside it."""
    for place, (metric, name) in enumerate(zip(case.metrics, names, strict=True)):
        if expected.ranks[place] is None:
            found = report["scores"][name]
            yield Comparison(metric, "mean", found, expected.means[place])
            exact = mean([row[name] for row in report["per_query"].values()])
            yield Comparison(metric, "mean, exact", found, exact if exact == found else inf)


def _compare_ranks(
    case: Case, report: dict[str, Any], expected: Expected, names: Sequence[str]
) -> Iterator[Comparison]:
    for metric, name, ranks in zip(case.metrics, names, expected.ranks, strict=True):
        if ranks is not None:
            for field, value in ranks._asdict().items():
                yield Comparison(metric, f"ranks.{field}", report["ranks"][name][field], value)


def _compare_bounds(
    case: Case, report: dict[str, Any], expected: Expected, names: Sequence[str]
) -> Iterator[Comparison]:
    assert expected.bounds is not None
    for metric, name, bounds in zip(case.metrics, names, expected.bounds, strict=True):
        found = report["ties"]["bounds"].get(name)
        yield Comparison(metric, "ties, listed", found is not None, bounds is not None)
        if found is not None and bounds is not None:
            yield Comparison(metric, "ties, worst", found["worst"], bounds.worst)
            yield Comparison(metric, "ties, best", found["best"], bounds.best)
