"""The spelling of a metric: ``[profile:]name[(parameter=value, …)][@k]``, in any case."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from operator import index
from typing import Any

from groupwise.evaluator.errors import UnknownMetric
from groupwise.evaluator.hits import FloatArray, Hits
from groupwise.evaluator.metrics.registry import PROFILES, SIX, Metric, Parameter, metrics_of

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
    k: int | None = None
    parameters: dict[str, Any] = field(default_factory=dict, hash=False)

    def of(self, hits: Hits) -> FloatArray:
        """One number per query; the hits are already cut at k."""
        return self.metric.function(hits, **self.parameters)


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


def check_profile(profile: str) -> None:
    """Raise an error that names the profiles there are, unless this is one of them."""
    if profile not in PROFILES:
        raise UnknownMetric(f"no profile {profile!r}; there are {', '.join(PROFILES)}")


def _at_cutoffs(one: Measure, cutoffs: Sequence[int]) -> list[Measure]:
    if one.k is not None or not cutoffs:
        return [one]
    checked = map(check_cutoff, cutoffs)
    return [Measure(f"{one.label}@{k}", one.metric, k, one.parameters) for k in checked]


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
    return Measure(_label(prefix, metric, parameters, k), metric, k, parameters)


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


def _cutoff(text: str, spelled: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise UnknownMetric(f"{spelled!r}: the cutoff after @ is a whole number from 1 on")
    return check_cutoff(int(text[:20]))


def check_cutoff(k: Any) -> int:
    """The cutoff itself, if it is a whole number from 1 on; NumPy has such numbers too."""
    whole = hasattr(k, "__index__") and not isinstance(k, bool)
    if not whole or not 1 <= index(k) <= LARGEST_CUTOFF:
        raise UnknownMetric(f"the cutoff k is a whole number from 1 on, not {k!r}")
    return index(k)


def _parameters(metric: Metric, text: str | None, spelled: str) -> dict[str, Any]:
    pairs = [pair.partition("=") for pair in (text or "").split(",") if pair.strip()]
    return dict(_argument(metric, name.strip(), value.strip(), spelled) for name, _, value in pairs)


def _argument(metric: Metric, name: str, value: str, spelled: str) -> tuple[str, Any]:
    parameter = metric.parameters.get(name)
    if parameter is None:
        known = ", ".join(metric.parameters) or "none"
        raise UnknownMetric(f"{spelled!r}: {metric.name} has no parameter {name!r}; it has {known}")
    return name, _value(parameter, value, spelled)


def _value(parameter: Parameter, value: str, spelled: str) -> Any:
    try:
        return parameter.kind(value)
    except ValueError:
        kind = parameter.kind.__name__
        raise UnknownMetric(
            f"{spelled!r}: {parameter.name} takes a value of type {kind}, not {value!r}"
        ) from None


def _label(prefix: str | None, metric: Metric, parameters: dict[str, Any], k: int | None) -> str:
    given = ",".join(f"{name}={value}" for name, value in sorted(parameters.items()))
    return "".join(
        [
            f"{prefix}:" if prefix else "",
            metric.name,
            f"({given})" if given else "",
            f"@{k}" if k else "",
        ]
    )
