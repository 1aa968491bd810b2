"""How runs are compared: test, correction, level and baseline, checked before anything is read."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from numbers import Integral, Real
from typing import Any, NamedTuple

from groupwise.evaluator.errors import InputError, OptionError, Problem
from groupwise.evaluator.metrics.names import Measure
from groupwise.evaluator.statistics.corrections import CORRECTIONS
from groupwise.evaluator.statistics.paired import TESTS
from groupwise.evaluator.text import quote, suggest

RANDOMISATION, TUKEY = "randomisation", "tukey"
PERMUTATIONS = 10_000
MOST_PERMUTATIONS = 10_000_000
LARGEST_SEED = 2**63 - 1
LARGEST_MARGIN = 1e9
CHANGES = 5
"""How many queries are listed as the largest gains, and as many as the largest losses."""
MOST_CHANGES = 1_000
ALL_PAIRS = "pairs of a metric"
WITH_BASELINE = "pairs of a metric with the baseline"


class Settings(NamedTuple):
    """What a comparison is asked for."""

    baseline: str | None = None
    test: str = RANDOMISATION
    correction: str = "holm"
    margin: float | None = None
    confidence: float = 0.95
    permutations: int = PERMUTATIONS
    seed: int = 0
    explain: int = CHANGES

    @property
    def level(self) -> float:
        """The p-value up to which a difference is significant."""
        return round(1 - self.confidence, 12)

    @property
    def family(self) -> str:
        """The p-values that are corrected together."""
        return ALL_PAIRS if self.baseline is None else WITH_BASELINE

    def check(self) -> "Settings":
        """Return the settings, numbers of NumPy as those of Python.

        Raises:
            OptionError: One has a value that it cannot have; the message says what is accepted.
        """
        _check_name("test", self.test, TESTS)
        _check_name("correction", self.correction, [*CORRECTIONS, TUKEY])
        self._check_tukey()
        margin = self.margin
        if margin is not None:
            margin = _check_number("margin", margin, 0, LARGEST_MARGIN, "such as 0.01")
        return self._replace(
            margin=margin,
            confidence=_check_number("confidence", self.confidence, 0.5, 1, "such as 0.95"),
            permutations=_check_whole("permutations", self.permutations, 1, MOST_PERMUTATIONS),
            seed=_check_whole("seed", self.seed, 0, LARGEST_SEED),
            explain=_check_whole("explain", self.explain, 0, MOST_CHANGES),
        )

    def _check_tukey(self) -> None:
        if self.correction == TUKEY and self.test != RANDOMISATION:
            message = f"is a randomisation test of its own; it goes without test={self.test!r}"
            raise _refuse(f"correction={TUKEY!r} {message}")
        if self.correction == TUKEY and self.baseline is not None:
            message = "compares all pairs of runs; it goes without a baseline, where 'holm' fits"
            raise _refuse(f"correction={TUKEY!r} {message}")

    def choose_pairs(self, runs: Sequence[str]) -> list[tuple[int, int]]:
        """Return the pairs of runs to compare, each by its place among the names."""
        if self.baseline is None:
            return list(combinations(range(len(runs)), 2))
        first = runs.index(self.baseline)
        return [(first, other) for other in range(len(runs)) if other != first]


def check_runs(runs: Any, baseline: str | None) -> dict[str, Any]:
    """Return the runs by name.

    Raises:
        InputError: They are no mapping of two runs or more, or the baseline is not among them.
    """
    if not isinstance(runs, Mapping):
        from groupwise.schemas.values import describe  # noqa: PLC0415  (brings pydantic)

        expected = 'expected runs by name, such as {"bm25": run, "dense": run}'
        raise InputError([Problem(f"{expected}; got {describe(runs)}", "runs")])
    for name in runs:
        if not isinstance(name, str) or not name.strip():
            raise _refuse(f"runs: expected a name for each run, got {quote(name)}")
    if len(runs) < 2:
        raise _refuse(f"expected two runs or more, got {len(runs)}; evaluate scores a single run")
    if baseline is not None and not (isinstance(baseline, str) and baseline in runs):
        hint = suggest(str(baseline), sorted(runs))
        raise _refuse(f"baseline: no run is called {quote(baseline)}; {hint}")
    return dict(runs)


def check_measures(measures: Iterable[Measure]) -> None:
    """Refuse ranks, which have no mean.

    Raises:
        OptionError: A metric is a rank.
    """
    for measure in measures:
        if measure.metric.kind == "rank":
            hint = "ranks have no mean to compare; mrr is the mean of 1 / rank"
            raise _refuse(f"{measure.label} is a rank: {hint}, and complete@k counts full answers")


def _check_name(option: str, value: Any, known: Iterable[str]) -> None:
    if not isinstance(value, str) or value not in [*known]:
        raise _refuse(f"{option}: invalid value {quote(value)}; {suggest(str(value), known)}")


def _check_number(option: str, value: Any, low: float, high: float, example: str) -> float:
    """Return a number that lies between two others, which are not accepted themselves."""
    is_number = not isinstance(value, bool) and isinstance(value, Real)
    if not (is_number and low < value < high):
        expected = f"a number above {low:g} and below {high:g}"
        raise _refuse(f"{option}: expected {expected}, {example}; got {quote(value)}")
    return float(value)


def _check_whole(option: str, value: Any, low: int, high: int) -> int:
    is_whole = not isinstance(value, bool) and isinstance(value, Integral)
    if not (is_whole and low <= value <= high):
        expected = f"a whole number from {low} to {high:,}"
        raise _refuse(f"{option}: expected {expected}, got {quote(value)}")
    return int(value)


def check_ties(ties: str | None) -> None:
    """Refuse to report the bounds of ties, which a comparison has no place for."""
    if ties == "report":
        raise _refuse("ties: expected 'score' or 'input', got 'report'")


def _refuse(message: str) -> OptionError:
    return OptionError([Problem(message)])
