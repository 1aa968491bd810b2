"""Fixtures as tests: compare what is expected with what is found."""

import math
import os
from collections.abc import Iterator, Mapping

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.evaluation.plan import Plan
from groupwise.evaluator.formats.opening import records_in
from groupwise.evaluator.intake.checking import Intake
from groupwise.evaluator.intake.problems import read_head
from groupwise.evaluator.metrics.names import parse
from groupwise.evaluator.reading.records import Reading, Records
from groupwise.schemas import Difference, FixtureCheck, FixtureHead, FixtureQuery, Report

Expectations = dict[str | None, Mapping[str, float | None]]


def check_fixture(path: str | os.PathLike[str]) -> FixtureCheck:
    """Evaluate a fixture and compare the scores with those it expects.

    Returns:
        A check whose ``ok`` says whether all expectations are met within the tolerance, and whose
        ``differences`` says which are not. ``str()`` of it is a text to show.

    Raises:
        InputError: The file is unsound, or expects nothing.
    """
    head, expectations = read_expectations(path)
    if not expectations:
        message = 'nothing is expected; add "expected", or run check --update to write it'
        raise InputError([Problem(message, os.fspath(path))])
    report = evaluate_expected(path, head, expectations)
    found = list(differences(report, expectations, head.tolerance))
    checked = sum(map(len, expectations.values()))
    return FixtureCheck(fixture=os.fspath(path), checked=checked, differences=tuple(found))


def read_expectations(path: str | os.PathLike[str]) -> tuple[FixtureHead, Expectations]:
    """The head of a fixture, and what it expects: of the mean (None) and of queries."""
    records = records_in(path)
    reading = Reading()
    problems = Problems()
    head = _read_whole_head(records, reading)
    intake = Intake(records, FixtureQuery, head.policies, problems)
    expected: Expectations = {None: head.expected} if head.expected else {}
    for rows in intake.rows():
        expected |= {
            one: scores for one, scores in zip(rows.ids, rows.expected, strict=False) if scores
        }
    problems.raise_if_any()
    return head, expected


def _read_whole_head(records: Records, reading: Reading) -> FixtureHead:
    for _ in records.batches(reading):
        pass
    return read_head(reading, records.name)


def evaluate_expected(
    path: str | os.PathLike[str], head: FixtureHead, expectations: Expectations
) -> Report:
    """A report on the fixture that has every metric it expects a value of."""
    named = [name for scores in expectations.values() for name in scores]
    metrics = list(dict.fromkeys([*(head.metrics or ()), *named])) or None
    return Plan(metrics, None, (), {}).evaluate_both(records_in(path), head)


def differences(
    report: Report, expectations: Expectations, tolerance: float
) -> Iterator[Difference]:
    """Each expectation that is not met."""
    for query, scores in expectations.items():
        for name, expected in scores.items():
            found = score_of(report, query, name)
            if not _agree(found, expected, tolerance):
                yield Difference(query=query, metric=name, expected=expected, found=found)


def score_of(report: Report, query: str | None, name: str) -> float | None:
    """The mean of a metric, or its value for one query."""
    label = parse(name, report.profile).label
    if query is None and label in report.ranks:
        raise InputError([Problem(f"{name} is a rank; ranks have no mean, expect it of queries")])
    return report.scores[label] if query is None else report.per_query[query][label]


def _agree(found: float | None, expected: float | None, tolerance: float) -> bool:
    if found is None or expected is None:
        return found is expected
    return math.isclose(found, expected, rel_tol=0, abs_tol=tolerance)
