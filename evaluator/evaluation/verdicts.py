"""Verdicts: which gates a report passes, and why it does not pass the others."""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Literal, NamedTuple

from groupwise.evaluator.evaluation.baseline import find_score, find_slice_score
from groupwise.evaluator.evaluation.gate_sets import LEVEL
from groupwise.evaluator.evaluation.slicing import name_slices, slice_queries
from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.metrics.names import Measure, parse
from groupwise.evaluator.statistics.gates import Gate, parse_gate, read_quoted
from groupwise.evaluator.text import NUMBER, cut, plural, quote, suggest
from groupwise.schemas import Baseline, GateVerdict, MeanInterval, Report, Slice

NO_INTERVAL = "no interval: fewer than two queries, or all have the same value"
CLOSE = 1e-12
"""Ceilings are computed with rounding; a target this close to one can be reached."""


class Undecided(Exception):  # noqa: N818  (an outcome)
    """There is no value to compare; the text says why."""


def judge_gates(
    report: Report, gates: str | Iterable[Gate | str], baseline: Baseline | None = None
) -> list[GateVerdict]:
    """Return the verdict of each gate on a report.

    ``evaluate(…, gates=…)`` does so itself; its verdicts are in ``report.gates``.

    Args:
        report: What an evaluation found; it has a score for the metric of each gate, as it does
            after ``evaluate(…, gates=gates)``.
        gates: Gates such as ``"recall@5 >= 0.8"``, or a single one.
        baseline: What ``baseline`` in a gate stands for.

    Raises:
        InputError: A text is not a gate.

    Example:
        >>> from groupwise import evaluate
        >>> report = evaluate({"q": [["a"]]}, {"q": ["a", "x"]}, gates=["precision > 0.8"])
        >>> print(*judge_gates(report, ["precision > 0.8"]))  # doctest: +ELLIPSIS
        precision > 0.8 failed: precision is 0.5 (no interval: ...
    """
    judge = Judge(report, baseline)
    chosen = [gates] if isinstance(gates, str) else gates
    return [judge.judge(parse_gate(gate)) for gate in chosen]


class Judge:
    """Judges gates on a report.

    Args:
        report: What was found.
        baseline: The scores that gates may refer to.
        read_truths: Returns the ground truth; without it, the slices of the baseline are not known.
        read_values: Returns the values of a metric, in order of query id; None: as reported.
        lenient: The gates that do not fail where no ranking can pass them.
    """

    def __init__(
        self,
        report: Report,
        baseline: Baseline | None = None,
        read_truths: Callable[[], Rows] | None = None,
        read_values: Callable[[str], FloatArray] | None = None,
        lenient: Iterable[Gate] = (),
    ) -> None:
        self._report = report
        self._baseline = baseline
        self._read_truths = read_truths
        self._read_values = read_values or self._list_values
        self._lenient = frozenset(lenient)

    def judge(self, gate: Gate) -> GateVerdict:
        """Return the verdict of a gate."""
        measure = parse(gate.metric, self._report.profile)
        try:
            found = self._find_part(gate)
            score = _find_mean(found, gate, measure)
            interval = self._find_interval(gate, found, measure) if gate.end else None
            value = _choose_value(gate, measure, score, interval)
            base = self._find_base(gate, measure)
        except Undecided as error:
            return _build(gate, measure, "undecided", str(error))
        bound, ceiling = gate.find_bound(base), found.ceilings.get(measure.label)
        if gate.is_passed_by(value, bound):
            reason = f"{_name_value(gate, measure)} is {value!r}"
            return _build(gate, measure, "passed", reason, value, bound, ceiling, interval)
        interval = interval or self._find_interval(gate, found, measure)
        failure = _Failure(gate, measure, value, bound, base, interval, ceiling, self._level)
        is_forgiven = failure.is_unreachable and gate in self._lenient
        outcome: Literal["unreachable", "failed"] = "unreachable" if is_forgiven else "failed"
        return _build(gate, measure, outcome, failure.describe(), value, bound, ceiling, interval)

    @property
    def _level(self) -> float:
        return self._report.confidence.level if self._report.confidence else LEVEL

    def _find_part(self, gate: Gate) -> Report | Slice:
        """Return the report, or its slice that the gate is about."""
        if gate.field is None:
            return self._report
        field = gate.field_name or ""
        slices = self._report.slices.get(field, {})
        name = _name_slice(gate.slice or "", slices)
        if name not in slices:
            near = suggest(name, slices, otherwise=" ").strip()
            known = near or f"choose from {cut(', '.join(slices), 200)}"
            raise Undecided(f"no query has {cut(field)} {quote(name)}; {known}")
        return slices[name]

    def _find_interval(
        self, gate: Gate, found: Report | Slice, measure: Measure
    ) -> MeanInterval | None:
        """Return the interval of a score; None if there are no values to compute it from."""
        if measure.label in found.intervals:
            return found.intervals[measure.label]
        if gate.field is not None:
            return None
        values = self._read_values(measure.label)
        if not len(values):
            return None
        from groupwise.evaluator.statistics.intervals import estimate_intervals  # noqa: PLC0415  (slow)

        low, high, kind = estimate_intervals(values[None, :], confidence=self._level)[0]
        return MeanInterval(low=low, high=high, interval=kind)  # type: ignore[arg-type]

    def _list_values(self, label: str) -> FloatArray:
        """Return the values of a metric in the report; none, if it does not have them."""
        if not len(self._report.per_query):
            return np.zeros(0)
        column = self._report.per_query.column(label)
        return np.array([value for _, value in column if value is not None])

    def _find_base(self, gate: Gate, measure: Measure) -> float | None:
        """Return the score of the baseline that a gate refers to."""
        if gate.relation is None:
            return None
        if self._baseline is None:
            raise Undecided("there is no baseline to compare with; say baseline=…")
        if gate.field is None:
            score, reason = find_score(self._baseline, measure.label)
        else:
            score, reason = find_slice_score(self._baseline, measure.label, self._list_ids(gate))
        if score is None:
            raise Undecided(reason)
        return score

    def _list_ids(self, gate: Gate) -> list[str]:
        """Return the queries of the slice that a gate is about."""
        if self._read_truths is None:
            raise Undecided("the slices of the baseline are known within evaluate(…, gates=…) only")
        field = gate.field_name or ""
        slices = slice_queries(self._rows, [field])[field]
        return slices[_name_slice(gate.slice or "", slices)]

    @cached_property
    def _rows(self) -> Rows:
        assert self._read_truths is not None  # noqa: S101  (asked before)
        return self._read_truths()


def _name_slice(written: str, slices: Iterable[str]) -> str:
    """Return the name of a slice as reports have it: quoted text is that text, 2.0 is 2."""
    text = read_quoted(written)
    if text is not None:
        return name_slices(text)[0]
    if written in slices or not NUMBER.fullmatch(written):
        return written
    return name_slices(float(written))[0]


def _find_mean(found: Report | Slice, gate: Gate, measure: Measure) -> float:
    score = found.scores.get(measure.label)
    if score is not None:
        return float(score)
    if measure.label not in found.scores:
        raise Undecided(f"{measure.label} was not computed")
    if gate.field is not None and not found.counts.scored:
        raise Undecided(f"{measure.label} has no value: no query of the slice was scored")
    raise Undecided(f"{measure.label} has no value")


def _choose_value(
    gate: Gate, measure: Measure, score: float, interval: MeanInterval | None
) -> float:
    if gate.end is None:
        return score
    if interval is None:
        raise Undecided("an interval needs the scores of each query, without per_query=False")
    value = interval.low if gate.end == "lower" else interval.high
    if value is None:
        raise Undecided(f"{measure.label} is {score!r}, and there is {NO_INTERVAL}")
    return value


def _name_value(gate: Gate, measure: Measure) -> str:
    return f"{gate.end}({measure.label})" if gate.end else measure.label


class _Failure(NamedTuple):
    """A gate that is not passed, and what is known about it."""

    gate: Gate
    measure: Measure
    value: float
    bound: float
    base: float | None
    interval: MeanInterval | None
    ceiling: float | None
    level: float

    @property
    def is_unreachable(self) -> bool:
        """Whether no ranking can pass the gate."""
        if self.ceiling is None or not self.gate.is_minimum:
            return False
        if self.gate.sign == ">":
            return self.bound >= self.ceiling - CLOSE
        return self.bound > self.ceiling + CLOSE

    def describe(self) -> str:
        """Return value, interval, bound and ceiling in words."""
        value = f"{_name_value(self.gate, self.measure)} is {self.value!r}"
        found = f"{value} ({self._describe_interval()}), {self._describe_bound()}"
        return f"{found}{self._describe_ceiling()}"

    def _describe_interval(self) -> str:
        interval = self.interval
        if interval is None:
            return "no interval without the scores of each query"
        if interval.low is None or interval.high is None:
            return NO_INTERVAL
        ends = f"{self.level * 100:g} % interval {interval.low:.4f} to {interval.high:.4f}"
        within = interval.low <= self.bound <= interval.high and not self.gate.end
        return f"{ends}, which includes the bound" if within else ends

    def _describe_bound(self) -> str:
        if self.base is None:
            return f"the bound is {self.bound!r}"
        return f"the bound is {self.bound!r}, the baseline {self.base!r}"

    def _describe_ceiling(self) -> str:
        if self.ceiling is None:
            return ""
        if not self.is_unreachable:
            return f", the ceiling {self.ceiling:.4f}"
        k = self.measure.k
        ranking = f"no ranking of {plural(k, 'result')}" if isinstance(k, int) else "no ranking"
        shorter = ", which shorter rankings can exceed" if self.value > self.ceiling + CLOSE else ""
        reach = f"{ranking} can reach it on these data"
        return f"; {reach}: the ceiling is {self.ceiling:.4f}{shorter}"


def _build(
    gate: Gate,
    measure: Measure,
    outcome: Literal["passed", "failed", "unreachable", "undecided"],
    reason: str,
    value: float | None = None,
    bound: float | None = None,
    ceiling: float | None = None,
    interval: MeanInterval | None = None,
) -> GateVerdict:
    is_number = bound is None and gate.relation is None
    return GateVerdict(
        gate=str(gate), metric=measure.label, value=value,
        bound=gate.target if is_number else bound, ceiling=ceiling, passed=outcome == "passed",
        outcome=outcome, interval=interval, reason=reason,
    )  # fmt: skip
