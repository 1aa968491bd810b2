"""One declaration per metric: from it come parser, command line, reference page and tests."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import wraps
from importlib import import_module
from typing import Any, Literal

from groupwise.evaluator.hits import FloatArray, Hits

PROFILES = {"autorag": ("autorag",)}
"""Profiles and the modules that declare their metrics, besides the profile-free ones."""

EVERY_PROFILE = "common"
SIX = ("precision", "recall", "f1", "mrr", "map", "ndcg")


@dataclass(frozen=True)
class Parameter:
    """A keyword-only argument of a metric."""

    name: str
    kind: type
    default: Any


@dataclass(frozen=True)
class Metric:
    """A metric and all there is to say of it."""

    name: str
    profile: str
    function: Callable[..., FloatArray]
    formula: str
    reference: str
    examples: Mapping[str, float | None]
    aliases: tuple[str, ...] = ()
    highest: float = 1.0
    kind: Literal["score", "rank"] = "score"
    parameters: Mapping[str, Parameter] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return self.description.partition("\n")[0]

    @property
    def description(self) -> str:
        """The whole docstring."""
        return inspect.getdoc(self.function) or ""

    @property
    def range(self) -> str:
        """The values the metric can take, as text."""
        if self.kind == "rank":
            return "1, 2, … or none"
        return "[0, 1]" if self.highest == 1 else "[0, ∞)"


_declared: dict[tuple[str, str], Metric] = {}


def metric(
    *,
    formula: str,
    reference: str,
    examples: Mapping[str, float | None],
    aliases: tuple[str, ...] = (),
    highest: float = 1.0,
    kind: Literal["score", "rank"] = "score",
) -> Callable[[Callable[..., FloatArray]], Callable[..., FloatArray]]:
    """Declare a metric: its name is the function's, its profile the module's.

    Args:
        formula: LaTeX, in the notation of the reference page.
        reference: Where the definition comes from.
        examples: Value by case, a case being written ``a|b & c: a x b`` (groups joined by ``&``,
            alternatives by ``|``, then the ranking).
        aliases: Other names, in lower case.
        highest: The least upper bound of the values.
        kind: A score is averaged over queries, a rank is not.
    """

    def declare(function: Callable[..., FloatArray]) -> Callable[..., FloatArray]:
        profile = function.__module__.rpartition(".")[2]
        name = function.__name__.rstrip("_")
        remembering = _remembering(function)
        _declared[profile, name] = Metric(
            name, profile, remembering, formula, reference, examples, aliases, highest, kind,
            _parameters(function),
        )  # fmt: skip
        return remembering

    return declare


def _remembering(function: Callable[..., FloatArray]) -> Callable[..., FloatArray]:
    """The same function, working once per hits: f1 asks for precision and recall again."""

    @wraps(function)
    def remembered(hits: Hits, **parameters: Any) -> FloatArray:
        if parameters:
            return function(hits, **parameters)
        if function not in hits.memo:
            hits.memo[function] = function(hits)
        return hits.memo[function]

    return remembered


def _parameters(function: Callable[..., FloatArray]) -> dict[str, Parameter]:
    arguments = inspect.signature(function).parameters.values()
    return {
        argument.name: Parameter(argument.name, type(argument.default), argument.default)
        for argument in arguments
        if argument.kind is argument.KEYWORD_ONLY
    }


def metrics_of(profile: str) -> dict[str, Metric]:
    """The metrics of a profile by name, the profile's own ones first."""
    found: dict[str, Metric] = {}
    for home in (*PROFILES[profile], EVERY_PROFILE):
        import_module(f"groupwise.evaluator.metrics.{home}")
        for (profile_of, name), one in _declared.items():
            if profile_of == home:
                found.setdefault(name, one)
    return found


def every_metric() -> Iterator[tuple[str, Metric]]:
    """All pairs of profile and metric."""
    for profile in PROFILES:
        for one in metrics_of(profile).values():
            yield profile, one
