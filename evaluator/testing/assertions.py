"""Assertions about reports, for tests."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from groupwise.evaluator.errors import GroupwiseError, InputError, OptionError, Problem
from groupwise.evaluator.evaluation.baseline import list_differences, open_baseline
from groupwise.evaluator.evaluation.conclusion import OTHER_DATA
from groupwise.evaluator.evaluation.outcomes import list_outcomes
from groupwise.evaluator.evaluation.verdicts import judge_gates
from groupwise.evaluator.metrics.names import parse
from groupwise.evaluator.reporting.explanation import show_queries
from groupwise.evaluator.reporting.page import Page
from groupwise.evaluator.reporting.pivot import format_score
from groupwise.evaluator.statistics.gates import Gate, parse_gate
from groupwise.evaluator.text import cut, plural, quote
from groupwise.schemas import Baseline, GateVerdict, Report
from groupwise.schemas.expectation import NO_WORSE, check_expectation

WORST = 5
LONGEST_ID = 60
WIDTH = 80
USE_NO_REGRESSION = "'no_worse' needs a baseline; use assert_no_regression(report, baseline=…)"
NO_FINGERPRINTS = (
    "this report does not say which data it is about; evaluate with provenance=True, or say "
    "allow_other_data=True"
)


class _Short(NamedTuple):
    """A score that is not as expected: its metric, what to say, and queries to blame."""

    metric: str
    text: str
    worst: tuple[tuple[str, str], ...] = ()


def assert_scores(report: Report, expected: Mapping[str, Any], *, tolerance: float = 1e-9) -> None:
    """Raise an AssertionError that lists what falls short, if scores are not as expected.

    Args:
        report: What ``evaluate`` returned.
        expected: By metric, a bound such as ``">= 0.9"``, a number, or a value with a tolerance of
            its own: ``{"value": 0.5, "tolerance": 0.02}``. A bound may be on anything that a gate
            may name, such as ``{"lower(recall@10)": ">= 0.8"}``, or a slice of the report:
            ``{"type=bridge: complete@10": ">= 0.7"}``.
        tolerance: The largest difference from a number that has no tolerance of its own.

    Raises:
        AssertionError: A score is not as expected, or there is no value.
        InputError: An expectation cannot be read.
        OptionError: There is no report, or no mapping of metrics.
        UnknownMetric: There is no such metric; the nearest name is suggested.

    Example:
        >>> from groupwise import evaluate
        >>> report = evaluate({"q1": [["a"], ["b"]]}, {"q1": ["a", "x"]}, metrics=["recall@2"])
        >>> assert_scores(report, {"recall@2": ">= 0.5"})
    """
    __tracebackhide__ = True
    check_report(report)
    _check_mapping(expected)
    checked = {name: _check_expectation(name, value) for name, value in expected.items()}
    bounds = {name: value for name, value in checked.items() if isinstance(value, str)}
    numbers = {name: value for name, value in checked.items() if name not in bounds}
    verdicts = judge_gates(report, [f"{name} {bound}" for name, bound in bounds.items()])
    short = [_blame_gate(report, verdict) for verdict in verdicts if not verdict.passed]
    short += [*_list_wrong_numbers(report, numbers, tolerance)]
    if short:
        raise AssertionError(_describe(report, short, len(checked), "scores are not as expected"))


def assert_no_regression(
    report: Report,
    baseline: str | os.PathLike[str] | Baseline,
    *,
    metrics: Iterable[str] | None = None,
    margin: float = 0.0,
    allow_other_data: bool = False,
) -> None:
    """Raise an AssertionError that lists what is worse than a baseline, if anything is.

    Args:
        report: What ``evaluate`` returned.
        baseline: A file that ``evaluate(…, save_baseline=…)`` has written, or a Baseline.
        metrics: The metrics to compare; None: all that both the report and the baseline have.
        margin: How far a score may fall below that of the baseline.
        allow_other_data: Whether the baseline may be one of other data.

    Raises:
        AssertionError: A score is below that of the baseline by more than the margin.
        InputError: The baseline cannot be read, is one of other data, or has no metric of the
            report.
        UnknownMetric: There is no such metric; the nearest name is suggested.
    """
    __tracebackhide__ = True
    check_report(report)
    known = open_baseline(baseline)
    gates = _list_gates(report, known, metrics, margin)
    verdicts = _judge(report, gates, known, allow_other_data=allow_other_data)
    short = [
        _Short(v.metric, str(v), tuple(_list_losses(report, known, v.metric)))
        for v in verdicts
        if not v.passed
    ]
    if short:
        raise AssertionError(_describe(report, short, len(gates), "scores are below the baseline"))


def check_report(report: Any) -> None:
    """Raise an error if this is no report.

    Raises:
        OptionError: It is something else.
    """
    if not isinstance(report, Report):
        found = f"{type(report).__name__} {quote(report)}"
        raise OptionError([Problem(f"report: expected what evaluate() returns, got {found}")])


def _check_mapping(expected: Any) -> None:
    if not isinstance(expected, Mapping):
        example = '{"recall@10": ">= 0.9"}'
        raise OptionError(
            [Problem(f"scores: expected a mapping such as {example}, got {quote(expected)}")]
        )


def _check_expectation(name: str, value: Any) -> Any:
    try:
        checked = check_expectation(value)
    except ValueError as error:
        raise InputError([Problem(f"{cut(str(name))}: {error}")]) from None
    if checked == NO_WORSE:
        raise InputError([Problem(f"{cut(name)}: {USE_NO_REGRESSION}")])
    return checked


def _list_wrong_numbers(
    report: Report, numbers: Mapping[str, Any], tolerance: float
) -> Iterator[_Short]:
    for name in numbers:
        label = parse(name, report.profile).label
        if label not in report.scores:
            raise InputError([Problem(f"{label} was not computed; add it to metrics")])
    for outcome in list_outcomes({None: numbers}, report, None, tolerance):
        if not outcome.passed:
            text = f"{outcome.metric}: {outcome.comparison}"
            yield _blame_worst(report, outcome.metric, text)


def _list_gates(
    report: Report, baseline: Baseline, metrics: Iterable[str] | None, margin: float
) -> list[Gate]:
    """Return a gate for each metric: no further below the baseline than the margin."""
    if not isinstance(margin, int | float) or not margin >= 0:
        raise OptionError([Problem(f"margin: expected a number from 0 on, got {quote(margin)}")])
    both = [name for name in report.scores if name in baseline.scores]
    names = both if metrics is None else [metrics] if isinstance(metrics, str) else list(metrics)
    if not names:
        lists = [", ".join(scores) or "none" for scores in (report.scores, baseline.scores)]
        found = f"the report has {lists[0]}; the baseline has {lists[1]}"
        raise InputError([Problem(f"no metric to compare: {found}", baseline.name)])
    return [parse_gate(f"{name} >= baseline - {float(margin)!r}") for name in names]


def _judge(
    report: Report, gates: list[Gate], baseline: Baseline, *, allow_other_data: bool
) -> Iterable[GateVerdict]:
    """Return the verdicts, after checking that both are about the same data."""
    provenance = report.provenance
    if provenance is None or provenance.fingerprint("ground_truth") is None:
        if report.again is not None:
            found: Report = report.again(
                gates=tuple(gates), baseline=baseline, allow_other_data=allow_other_data,
                fingerprints=True,
            )  # fmt: skip
            return found.gates
        if not allow_other_data:
            raise InputError([Problem(NO_FINGERPRINTS)])
    elif not allow_other_data and (differences := list_differences(baseline, report)):
        message = f"{OTHER_DATA}: {'; '.join(differences)}"
        raise InputError([Problem(f"{message}; save it again, or add allow_other_data=True",
                                  baseline.name)])  # fmt: skip
    return judge_gates(report, gates, baseline)


def _blame_gate(report: Report, verdict: GateVerdict) -> _Short:
    """Return a gate that is not passed; which queries a slice has, a report does not know."""
    if parse_gate(verdict.gate).field is not None:
        return _Short(verdict.metric, str(verdict))
    return _blame_worst(report, verdict.metric, str(verdict))


def _blame_worst(report: Report, metric: str, text: str) -> _Short:
    """Return a score that falls short, with the queries that have the lowest values."""
    label = parse(metric, report.profile).label
    try:
        worst = [(query, report.per_query[query][label]) for query in report.worst(WORST, label)]
    except (KeyError, ValueError):
        worst = []
    return _Short(label, text, tuple((query, format_score(value)) for query, value in worst))


def _list_losses(report: Report, baseline: Baseline, label: str) -> Iterator[tuple[str, str]]:
    """Yield the queries that lost most against the baseline, and both values."""
    try:
        before = {q: value for q, value in baseline.per_query.column(label) if value is not None}
        now = {q: value or 0.0 for q, value in report.per_query.column(label) if q in before}
    except KeyError:
        return
    lost = sorted((value - before[query], query) for query, value in now.items())
    for difference, query in lost[:WORST]:
        if difference < 0:
            yield query, f"{format_score(before[query])} → {format_score(now[query])}"


def _describe(report: Report, short: list[_Short], checked: int, what: str) -> str:
    """Return what falls short, the queries to look at, and the explanation of the first."""
    page = Page(WIDTH)
    scored = plural(report.counts.scored, "scored query", "scored queries")
    page.line(f"{len(short):,} of {checked:,} {what} (profile {report.profile}, {scored})")
    for each in short:
        page.line(f"  {each.text}")
        if each.worst:
            shown = ", ".join(f"{cut(query, LONGEST_ID)!r} {value}" for query, value in each.worst)
            page.line(f"    look at {shown}")
    _explain_first(page, report, short)
    return page.text().rstrip("\n")


def _explain_first(page: Page, report: Report, short: list[_Short]) -> None:
    """Add the explanation of the first query to look at, if the data is still at hand."""
    first = next((each for each in short if each.worst), None)
    if first is None or report.again is None:
        return
    k = parse(first.metric, report.profile).k
    with suppress(GroupwiseError, OSError):
        query = first.worst[0][0]
        show_queries(page, report.explain(query, k=k if isinstance(k, int) else None))
