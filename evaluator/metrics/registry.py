"""One declaration per metric: from it come parser, command line, reference page and tests."""

import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from typing import Any, Literal

from groupwise.evaluator.hits import FloatArray, Hits
from groupwise.evaluator.parameters import Parameter, parameters_of

PROFILES = {"autorag": ("autorag",), "trec": ("trec",), "coverage": ("coverage", "subtopics")}
"""Profiles and the modules that declare their metrics, besides the profile-free ones."""

BY_SCORE = frozenset({"trec"})
"""Profiles that order results by their scores, where they have any."""

EVERY_PROFILE = ("common", "diversity")
SIX = ("precision", "recall", "f1", "mrr", "map", "ndcg")


LABEL = Parameter("label", str, None)
"""Every metric takes it: only the groups of that label count."""


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
    needs: str = ""
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
        return "[0, ∞)" if self.highest == math.inf else f"[0, {self.highest:g}]"


_declared: dict[tuple[str, str], Metric] = {}


def metric(
    *,
    formula: str,
    reference: str,
    examples: Mapping[str, float | None],
    aliases: tuple[str, ...] = (),
    highest: float = 1.0,
    kind: Literal["score", "rank"] = "score",
    needs: str = "",
) -> Callable[[Callable[..., FloatArray]], Callable[..., FloatArray]]:
    """Declare a metric: its name is the function's, its profile that of the module.

    Args:
        formula: LaTeX, in the notation of the reference page.
        reference: Where the definition comes from.
        examples: Value by case, a case being written ``a|b & c: a x b`` (groups joined by ``&``,
            alternatives by ``|``, then the ranking).
        aliases: Other names, in lower case.
        highest: The least upper bound of the values.
        kind: A score is averaged over queries, a rank is not.
        needs: What must be given beyond ground truth and results, without which it has no value.
    """

    def declare(function: Callable[..., FloatArray]) -> Callable[..., FloatArray]:
        module = function.__module__.rpartition(".")[2]
        profile = next((one for one, homes in PROFILES.items() if module in homes), module)
        name = function.__name__.rstrip("_")
        remembering = _remembering(function)
        _declared[module, name] = Metric(
            name, profile, remembering, formula, reference, examples, aliases, highest, kind,
            needs, parameters_of(function),
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
        found: FloatArray = hits.memo[function]
        return found

    return remembered


@lru_cache(maxsize=8)
def metrics_of(profile: str) -> dict[str, Metric]:
    """The metrics of a profile by name, the profile's own ones first."""
    _declare_all()
    found: dict[str, Metric] = {}
    for home in (*PROFILES[profile], *EVERY_PROFILE):
        for (module, name), one in list(_declared.items()):
            if module == home:
                found.setdefault(name, one)
    return found


def _declare_all() -> None:
    """Import the modules that declare metrics."""
    from groupwise.evaluator.metrics import (  # noqa: F401, PLC0415  (they declare with @metric)
        autorag,
        common,
        coverage,
        diversity,
        subtopics,
        trec,
    )


def every_metric() -> Iterator[tuple[str, Metric]]:
    """All pairs of profile and metric."""
    for profile in PROFILES:
        for one in metrics_of(profile).values():
            yield profile, one
