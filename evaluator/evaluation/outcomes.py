"""Expectations against scores: what a fixture expects, and what was found."""

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.metrics.names import Measure, build_measure, parse
from groupwise.evaluator.statistics.bounds import parse_bound
from groupwise.schemas import Report
from groupwise.schemas.check import Outcome
from groupwise.schemas.expectation import NO_WORSE, Expectation

Expectations: TypeAlias = Mapping[str | None, Mapping[str, Expectation]]
Row: TypeAlias = Mapping[str, float | None]
NO_ROW: Row = {}
SCORED = "hit_rate"
"""Has a value wherever a query is scored, also where a rank is not reached."""


class Values(NamedTuple):
    """A value of a measure, and that of the fixture's own results.

    ``is_scored`` says whether a rank of None is one that was not reached.
    """

    found: float | None
    before: float | None = None
    is_scored: bool = True


def list_outcomes(
    expected: Expectations, report: Report, before: Report | None, tolerance: float
) -> Iterator[Outcome]:
    """Yield the outcome of each expectation: means first, then by query id.

    Args:
        expected: What is expected of means (None) and of queries.
        report: What was found.
        before: What the fixture's own results score, if anything is compared with that.
        tolerance: For the numbers that have none of their own.
    """
    for query in sorted(expected, key=lambda query: (query is not None, query or "")):
        row = _find_row(report, query)
        old = row if before is None or before is report else _find_row(before, query)
        for name, expectation in expected[query].items():
            measure = parse(name, report.profile)
            if query is None:
                refuse_rank(measure, name)
            values = _find_values(measure, row, old, report.profile)
            yield _build_outcome(query, name, expectation, measure, values, tolerance)


def _find_row(report: Report, query: str | None) -> Row:
    return report.scores if query is None else report.per_query[query]


def refuse_rank(measure: Measure, name: str) -> None:
    """Raise an InputError if a mean is expected of ranks."""
    if measure.metric.kind == "rank":
        raise InputError([Problem(f"{name} is a rank; ranks have no mean, expect it of queries")])


def _find_values(measure: Measure, row: Row, old: Row, profile: str) -> Values:
    label = measure.label
    if measure.metric.kind != "rank":
        return Values(row[label], old[label])
    return Values(row[label], old[label], row[companion_of(measure, profile)] is not None)


def companion_of(measure: Measure, profile: str) -> str:
    """Return the label of a score that has a value for each query that a rank is asked of."""
    parameters = {"label": measure.label_of} if measure.label_of else {}
    return build_measure(SCORED, profile, None, parameters).label


def _build_outcome(
    query: str | None,
    name: str,
    expected: Expectation,
    measure: Measure,
    values: Values,
    tolerance: float,
) -> Outcome:
    passed = judge(expected, values, tolerance, measure)
    before = values.before if expected == NO_WORSE else None
    return Outcome.model_construct(
        query=query, metric=name, expected=expected, found=values.found, before=before,
        passed=passed,
    )  # fmt: skip


def judge(expected: Expectation, values: Values, tolerance: float, measure: Measure) -> bool | None:
    """Return whether an expectation is met; None if a bound has no value to compare with."""
    if isinstance(expected, str):
        return _judge_bound(expected, values, measure)
    if isinstance(expected, Mapping):
        return _agree(values.found, expected["value"], expected["tolerance"])
    return _agree(values.found, expected, tolerance)


def _judge_bound(expected: str, values: Values, measure: Measure) -> bool | None:
    """Compare exactly; a rank that was not reached is larger than any other."""
    is_rank = measure.metric.kind == "rank"
    if is_rank and not values.is_scored:
        return None
    unreached = math.inf if is_rank else None
    found = unreached if values.found is None else values.found
    before = unreached if values.before is None else values.before
    if found is None:
        return None
    if expected != NO_WORSE:
        return parse_bound(expected).holds_for(found)
    return None if before is None else measure.metric.is_no_worse(found, before)


def _agree(found: float | None, expected: float | None, tolerance: float) -> bool:
    """Whether two numbers are as close as the tolerance says, as their digits are written.

    In binary, 0.5 and 0.48 are farther apart than 0.02.
    """
    if found is None or expected is None:
        return found is expected
    if found == expected or abs(found - expected) < tolerance:
        return True
    if abs(found - expected) > 2 * tolerance:
        return False
    one, other, most = (Fraction(repr(float(number))) for number in (found, expected, tolerance))
    return abs(one - other) <= most
