"""The spelling of a metric: ``[profile:]name[(parameter=value, …)][@k]``, in any case."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import lru_cache
from operator import index
from typing import Any

from groupwise.evaluator.errors import UnknownMetric
from groupwise.evaluator.hits import Budget, Cutoff, FloatArray, Hits, Order
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.metrics.registry import (
    BY_SCORE,
    LABEL,
    PROFILES,
    SIX,
    Metric,
    metrics_of,
)
from groupwise.evaluator.parameters import Parameter

CURVES = ("recall", "precision", "complete")
LARGEST_CUTOFF = 10**18
SPELLING = re.compile(
    r"\s*(?:(?P<profile>[a-z_]+)\s*:\s*)?(?P<name>[a-z0-9_]+)\s*"
    r"(?:\((?P<parameters>[^()]*)\))?\s*(?:@\s*(?P<k>[^@\s]*))?\s*"
)


@dataclass(frozen=True)
class Measure:
    """A metric with its parameters and its cutoff, ready to be taken."""

    label: str
    metric: Metric
    k: Cutoff | None = None
    parameters: dict[str, Any] = field(default_factory=dict, hash=False)
    profile: str = "autorag"
    in_curve: bool = False

    @property
    def order(self) -> Order:
        """The order of results that the profile looks at."""
        return "score" if self.profile in BY_SCORE else "given"

    @property
    def ties_are_bounded(self) -> bool:
        """Whether its bounds over the orders of ties are known.

        They are for metrics that look at grades only; not for those that look at groups, and not
        for budgets, where the tokens of what is tied would decide as well.
        """
        by_grade = self.metric.profile == self.profile and not self.label_of
        return self.order == "given" or (by_grade and not isinstance(self.k, Budget))

    @property
    def label_of(self) -> str | None:
        """The label of the groups that count; None if all do."""
        label: str | None = self.parameters.get(LABEL.name)
        return label

    @property
    def is_asked_score(self) -> bool:
        """Whether it was asked for by name, and is averaged."""
        return self.metric.kind == "score" and not self.in_curve

    def of(self, hits: Hits) -> FloatArray:
        """One number per query; the hits are already cut at k."""
        if self.label_of is None:
            return self.metric.function(hits, **self.parameters)
        labelled = hits.labelled(self.label_of)
        parameters = {name: value for name, value in self.parameters.items() if name != LABEL.name}
        values = self.metric.function(labelled, **parameters)
        return np.where(labelled.per_query(labelled.groups.query) > 0, values, np.nan)


def measures(
    names: Iterable[str] | None, profile: str = "autorag", cutoffs: Sequence[int] = ()
) -> tuple[Measure, ...]:
    """The measures of these names, each once; None means the six; cutoffs are for those without."""
    check_profile(profile)
    spelled = [names] if isinstance(names, str) else list(SIX if names is None else names)
    if not spelled:
        raise UnknownMetric("no metric is named; None stands for the six of the profile")
    found = [one for name in spelled for one in _at_cutoffs(parse(name, profile), cutoffs)]
    return tuple({one.label: one for one in found}.values())


def curve_measures(profile: str, depth: int) -> tuple[Measure, ...]:
    """Recall, precision and complete at every cutoff up to the depth."""
    cutoffs = range(1, check_cutoff(depth) + 1)
    found = measures(CURVES, profile, cutoffs)
    return tuple(replace(one, in_curve=True) for one in found)


def check_profile(profile: str) -> None:
    """Raise an error that names the profiles there are, unless this is one of them."""
    if profile not in PROFILES:
        raise UnknownMetric(f"no profile {profile!r}; there are {', '.join(PROFILES)}")


def _at_cutoffs(one: Measure, cutoffs: Sequence[int]) -> list[Measure]:
    if one.k is not None or not cutoffs:
        return [one]
    checked = map(check_cutoff, cutoffs)
    return [replace(one, label=f"{one.label}@{k}", k=k) for k in checked]


def parse(text: str, profile: str = "autorag") -> Measure:
    """The measure that this text spells; raises UnknownMetric with the nearest names."""
    if not isinstance(text, str):
        raise UnknownMetric(f"a metric is named by a string such as 'ndcg@10', not {text!r}")
    return _parsed(text, profile)


@lru_cache(maxsize=1024)
def _parsed(text: str, profile: str) -> Measure:
    match = SPELLING.fullmatch(text.lower())
    if not match:
        raise UnknownMetric(
            f"cannot read the metric {text!r}; it is [profile:]name[(parameter=value)][@k], "
            "for instance recall@5"
        )
    prefix = match["profile"]
    check_profile(prefix or profile)
    metric = _find(match["name"], prefix or profile, text)
    parameters = _parameters(metric, match["parameters"], text)
    k = None if match["k"] is None else _cutoff(match["k"], text)
    label = _label(prefix, metric, parameters, k)
    return Measure(label, metric, k, parameters, prefix or profile)


def _find(name: str, profile: str, text: str) -> Metric:
    known = metrics_of(profile)
    names = {spelling: m for m in known.values() for spelling in (m.name, *m.aliases)}
    if name in names:
        return names[name]
    hint = _nearest(name, list(names), lambda near: text.lower().replace(name, near, 1))
    raise UnknownMetric(f"no metric {text!r} in the profile {profile}; {hint}")


def _nearest(name: str, known: list[str], shown: Any = str) -> str:
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    return f"did you mean {shown(near[0])!r}?" if near else f"there are {', '.join(known)}"


def _cutoff(text: str, spelled: str) -> Cutoff:
    digits = text.removesuffix("t")
    if not (digits.isascii() and digits.isdigit()):
        raise UnknownMetric(
            f"{spelled!r}: the cutoff after @ is a whole number from 1 on, or tokens such as 2000t"
        )
    number = check_cutoff(int(digits[:20]))
    return number if digits == text else Budget(number)


def check_cutoff(k: Any) -> int:
    """The cutoff itself, if it is a whole number from 1 on; NumPy has such numbers too."""
    whole = hasattr(k, "__index__") and not isinstance(k, bool)
    if not whole or not 1 <= index(k) <= LARGEST_CUTOFF:
        raise UnknownMetric(f"the cutoff k is a whole number from 1 on, not {k!r}")
    return index(k)


def _parameters(metric: Metric, text: str | None, spelled: str) -> dict[str, Any]:
    pairs = [pair.partition("=") for pair in (text or "").split(",") if pair.strip()]
    given = [_argument(metric, name.strip(), value.strip(), spelled) for name, _, value in pairs]
    if len(dict(given)) != len(given):
        raise UnknownMetric(f"{spelled!r}: a parameter is given twice")
    return dict(given)


def _argument(metric: Metric, name: str, value: str, spelled: str) -> tuple[str, Any]:
    parameter = LABEL if name == LABEL.name else metric.parameters.get(name)
    if parameter is None:
        known = ", ".join([*metric.parameters, LABEL.name])
        raise UnknownMetric(f"{spelled!r}: {metric.name} has no parameter {name!r}; it has {known}")
    return name, _value(parameter, value, spelled)


def _value(parameter: Parameter, value: str, spelled: str) -> Any:
    try:
        return parameter.value(value)
    except ValueError:
        raise UnknownMetric(
            f"{spelled!r}: {parameter.name} is {parameter.accepted}, not {value!r}"
        ) from None


def _spelled(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _label(prefix: str | None, metric: Metric, parameters: dict[str, Any], k: Cutoff | None) -> str:
    given = ",".join(f"{name}={_spelled(value)}" for name, value in sorted(parameters.items()))
    return "".join(
        [
            f"{prefix}:" if prefix else "",
            metric.name,
            f"({given})" if given else "",
            f"@{k}" if k else "",
        ]
    )
