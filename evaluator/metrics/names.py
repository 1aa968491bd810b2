"""The spelling of a metric: ``[profile:]name[(parameter=value, …)][@k]``, in any case."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from operator import index
from typing import Any

from groupwise.evaluator.errors import OptionError, Problem, UnknownMetric
from groupwise.evaluator.hits import BoolArray, Budget, Cutoff, FloatArray, Hits, Order
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.metrics.profiles import PROFILES, check_profile
from groupwise.evaluator.metrics.registry import (
    BY_SCORE,
    LABEL,
    SIX,
    Metric,
    find_metric,
    metrics_of,
    registry_version,
)
from groupwise.evaluator.plugins.parameters import Parameter
from groupwise.evaluator.text import quote, suggest

CURVES = ("recall", "precision", "complete")
LARGEST_CUTOFF = 10**18
DEEPEST_CURVE = 10_000
# Possessive throughout: nothing is tried twice, so the time is linear in the text.
SPELLING = re.compile(
    r"\s*+(?:(?P<profile>[a-z_]++)\s*+:\s*+)?(?P<name>[a-z0-9_]++)\s*+"
    r"(?:\((?P<parameters>[^()]*+)\)\s*+)?(?:@\s*+(?P<k>[^@\s]*+)\s*+)?"
)


@dataclass(frozen=True)
class Measure:
    """A metric with its parameters and its cutoff, ready to be computed.

    ``names`` are all that ask for it in the profile of the report: aliases, with a profile or not.
    """

    label: str
    metric: Metric
    k: Cutoff | None = None
    parameters: dict[str, Any] = field(default_factory=dict, hash=False)
    profile: str = "autorag"
    names: tuple[str, ...] = ()
    in_curve: bool = False

    @cached_property
    def alone(self) -> "tuple[Measure]":
        """The measures of a call that asks for this one only."""
        return (self,)

    @cached_property
    def order(self) -> Order:
        """The order of results that the profile looks at."""
        return "score" if self.profile in BY_SCORE else "given"

    @property
    def ties_are_bounded(self) -> bool:
        """Whether its bounds over all tie-breaking orders are known.

        They are for metrics that look at grades only; not for those that look at groups, and not
        for budgets, where the tokens of tied results would decide as well.
        """
        by_grade = self.metric.profile == self.profile and not self.label_of
        return self.order == "given" or (by_grade and not isinstance(self.k, Budget))

    @cached_property
    def label_of(self) -> str | None:
        """The label of the groups that count; None if all do."""
        label: str | None = self.parameters.get(LABEL.name)
        return label

    @cached_property
    def is_asked_score(self) -> bool:
        """Whether it was asked for by name, and is averaged."""
        return self.metric.kind == "score" and not self.in_curve

    def of(self, hits: Hits) -> FloatArray:
        """Return one number per query; the hits are already cut at k."""
        if self.label_of is None:
            return self.metric.function(hits, **self.parameters)
        labelled = hits.labelled(self.label_of)
        parameters = {name: value for name, value in self.parameters.items() if name != LABEL.name}
        values = self.metric.function(labelled, **parameters)
        return np.where(labelled.group_count > 0, values, np.nan)

    def find_queries(self, hits: Hits) -> BoolArray:
        """Return which queries it is asked of: those with a group of its label, or all."""
        if self.label_of is None:
            return np.ones(hits.queries, dtype=np.bool_)
        return hits.labelled(self.label_of).group_count > 0


def measures(
    names: str | Iterable[str] | None, profile: str = "autorag", cutoffs: Sequence[int] = ()
) -> tuple[Measure, ...]:
    """Return the measures that are asked for, each once.

    Args:
        names: One name or several; None stands for the six of the profile.
        profile: What names without a profile mean.
        cutoffs: For names without a cutoff.
    """
    check_profile(profile)
    spelled = [names] if isinstance(names, str) else list(SIX if names is None else names)
    if not spelled:
        raise UnknownMetric("no metric is named; None stands for the six of the profile")
    found = [cut for name in spelled for cut in _at_cutoffs(parse(name, profile), cutoffs)]
    return tuple({measure.label: measure for measure in found}.values())


def curve_measures(profile: str, depth: int) -> tuple[Measure, ...]:
    """Return recall, precision and complete at every cutoff up to the depth."""
    if check_cutoff(depth) > DEEPEST_CURVE:
        raise _invalid(f"expected at most {DEEPEST_CURVE:,} cutoffs in a curve, got {depth:,}")
    cutoffs = range(1, depth + 1)
    return tuple(replace(cut, in_curve=True) for cut in measures(CURVES, profile, cutoffs))


def _at_cutoffs(measure: Measure, cutoffs: Sequence[int]) -> list[Measure]:
    if measure.k is not None or not cutoffs:
        return [measure]
    return [replace(measure, label=f"{measure.label}@{k}", k=k) for k in map(check_cutoff, cutoffs)]


def parse(text: str, profile: str = "autorag") -> Measure:
    """Return the measure that this text spells.

    Raises:
        UnknownMetric: The profile has no such metric; the nearest name is suggested.
        OptionError: There is no such profile, or the cutoff or a parameter is not accepted.
    """
    if not isinstance(text, str):
        raise UnknownMetric(f"a metric is named by a string such as 'ndcg@10', not {text!r}")
    return _parse(text, profile, registry_version())


@lru_cache(maxsize=1024)
def _parse(text: str, profile: str, _version: int) -> Measure:
    match = SPELLING.fullmatch(text.lower())
    if not match:
        raise UnknownMetric(
            f"cannot read the metric {text!r}: expected [profile:]name[(parameter=value)][@k], "
            "such as recall@5"
        )
    prefix = match["profile"]
    home = prefix or profile
    check_profile(home)
    metric = _find(match["name"], home, text)
    parameters = _read_parameters(metric, match["parameters"], text)
    k = None if match["k"] is None else _read_cutoff(match["k"], text)
    label = _format_label(prefix, metric, parameters, k)
    qualified = tuple(f"{home}:{spelling}" for spelling in metric.spellings)
    names = (*metric.spellings, *qualified) if home == profile else qualified
    return Measure(label, metric, k, parameters, home, names)


def build_measure(
    name: str, profile: str, k: Any = None, parameters: Mapping[str, Any] | None = None
) -> Measure:
    """Return a metric with a cutoff and parameters that are given as values.

    Args:
        name: The name of a metric, or an alias.
        profile: What the name means.
        k: A number of results, or a text such as ``"2000t"``; None: no cutoff.
        parameters: The values of parameters by name.

    Raises:
        UnknownMetric: The profile has no such metric.
        OptionError: There is no such profile, or a value is not accepted.
    """
    if type(profile) is not str:
        check_profile(profile)
    if not parameters and type(k) is int:
        return _cut_measure(name, profile, k, registry_version())
    plain = parse(name, profile)
    if k is None and not parameters:
        return plain
    given = dict(_read_parameter(plain.metric, *pair, name) for pair in (parameters or {}).items())
    cutoff = None if k is None else _read_cutoff(k, name) if isinstance(k, str) else check_cutoff(k)
    label = _format_label(None, plain.metric, given, cutoff)
    return replace(plain, label=label, k=cutoff, parameters=given)


@lru_cache(maxsize=256)
def _cut_measure(name: str, profile: str, k: int, _version: int) -> Measure:
    plain = parse(name, profile)
    cutoff = check_cutoff(k)
    label = _format_label(None, plain.metric, {}, cutoff)
    return replace(plain, label=label, k=cutoff, parameters={})


def _find(name: str, profile: str, text: str) -> Metric:
    found = find_metric(name, profile)
    if found is not None:
        return found
    if elsewhere := [other for other in PROFILES if find_metric(name, other)]:
        plain = text.partition(":")[2].strip() if ":" in text.partition("(")[0] else text
        where = ", ".join(f"the profile {other}: {f'{other}:{plain}'!r}" for other in elsewhere)
        raise UnknownMetric(f"no metric {text!r} in the profile {profile}; it is in {where}")
    known = [spelling for metric in metrics_of(profile).values() for spelling in metric.spellings]
    hint = suggest(
        name, known, shown=lambda near: repr(text.lower().replace(name, near, 1)), cutoff=0.5
    )
    raise UnknownMetric(f"no metric {text!r} in the profile {profile}; {hint}")


def _read_cutoff(text: str, spelled: str) -> Cutoff:
    digits = text.removesuffix("t")
    if not (digits.isascii() and digits.isdigit()):
        raise _invalid(
            f"{spelled!r}: expected a whole number from 1 on after @, or tokens such as 2000t"
        )
    number = check_cutoff(int(digits.lstrip("0")[:20] or 0))
    return number if digits == text else Budget(number)


def check_cutoff(k: Any) -> int:
    """Return the cutoff as an int; any whole number from 1 on is accepted, NumPy's too."""
    try:
        cutoff = 0 if isinstance(k, bool) else index(k)
    except TypeError:
        cutoff = 0
    if not 1 <= cutoff <= LARGEST_CUTOFF:
        raise _invalid(f"expected a whole number from 1 on as cutoff, got {quote(k)}")
    return cutoff


def _invalid(message: str) -> OptionError:
    return OptionError([Problem(message)])


def _read_parameters(metric: Metric, text: str | None, spelled: str) -> dict[str, Any]:
    pairs = [pair.partition("=") for pair in (text or "").split(",") if pair.strip()]
    given = [
        _read_parameter(metric, name.strip(), value.strip(), spelled) for name, _, value in pairs
    ]
    if len(dict(given)) != len(given):
        raise _invalid(f"{spelled!r}: a parameter is given twice")
    return dict(given)


def _read_parameter(metric: Metric, name: str, value: Any, spelled: str) -> tuple[str, Any]:
    parameter = LABEL if name == LABEL.name else metric.parameters.get(name)
    if parameter is None:
        known = ", ".join([*metric.parameters, LABEL.name])
        raise _invalid(f"{spelled!r}: {metric.name} has no parameter {name!r}; it has {known}")
    return name, _read_value(parameter, value, spelled)


def _read_value(parameter: Parameter, value: Any, spelled: str) -> Any:
    try:
        return parameter.value(value)
    except ValueError:
        raise _invalid(
            f"{spelled!r}: {parameter.name} is {parameter.accepted}, not {value!r}"
        ) from None


def _format_value(value: Any) -> str:
    """Return a value as labels have it: all digits that tell a number from others."""
    return repr(value + 0.0).removesuffix(".0") if isinstance(value, float) else str(value).lower()


def _format_label(
    prefix: str | None, metric: Metric, parameters: dict[str, Any], k: Cutoff | None
) -> str:
    given = ",".join(f"{name}={_format_value(value)}" for name, value in sorted(parameters.items()))
    return "".join(
        [
            f"{prefix}:" if prefix else "",
            metric.name,
            f"({given})" if given else "",
            f"@{k}" if k else "",
        ]
    )
