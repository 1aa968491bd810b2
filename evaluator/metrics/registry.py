"""The registry of metrics: the parser, the command line, the reference and the tests read it.

A metric of groupwise belongs to the profile of its module, or to every profile. A metric of a user
belongs to every profile.
"""

import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from threading import RLock
from typing import Any, Literal, NamedTuple, TypeAlias, overload

from groupwise.evaluator.hits import FloatArray, Hits
from groupwise.evaluator.metrics.bands import Bands
from groupwise.evaluator.metrics.own import (
    check_declaration,
    check_function,
    check_spellings,
    name_of,
)
from groupwise.evaluator.metrics.profiles import PROFILES
from groupwise.evaluator.plugins.loading import load_installed
from groupwise.evaluator.plugins.parameters import Parameter, parameters_of

HOMES = {
    "autorag": "autorag", "trec": "trec", "coverage": "coverage", "subtopics": "coverage",
    "common": None, "diversity": None, "characters": None,
}  # fmt: skip
"""The modules that declare the built-in metrics, and the profile of each; None means every one."""

BY_SCORE = frozenset({"trec"})
"""Profiles that order results by their scores, where they have any."""

SIX = ("precision", "recall", "f1", "mrr", "map", "ndcg")
LABEL = Parameter("label", str, None)
"""Every metric takes it: only the groups of that label count."""

HERE = __name__.rpartition(".")[0]
Function: TypeAlias = Callable[..., FloatArray]


@dataclass(frozen=True)
class Metric:
    """A metric: its function, and what its declaration says; a profile of None means all."""

    name: str
    profile: str | None
    function: Function
    formula: str
    reference: str
    examples: Mapping[str, float | None]
    aliases: tuple[str, ...] = ()
    highest: float = 1.0
    kind: Literal["score", "rank"] = "score"
    needs: str = ""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    bands: Bands | None = None

    @property
    def needs_spans(self) -> bool:
        """Whether it looks at the spans of alternatives and results."""
        return "span" in self.needs

    @property
    def spellings(self) -> tuple[str, ...]:
        """The name and the aliases."""
        return (self.name, *self.aliases)

    @property
    def summary(self) -> str:
        """The first line of the docstring."""
        return self.description.partition("\n")[0]

    @property
    def description(self) -> str:
        """The whole docstring."""
        return inspect.getdoc(self.function) or ""

    def is_no_worse(self, value: float, other: float) -> bool:
        """Whether a value is as good as another or better: a high score, a low rank."""
        return value <= other if self.kind == "rank" else value >= other

    @property
    def range(self) -> str:
        """The values that the metric can take, as text."""
        if self.kind == "rank":
            return "1, 2, … or none"
        return "[0, ∞)" if self.highest == math.inf else f"[0, {self.highest:g}]"


class Known(NamedTuple):
    """The metrics of a profile: by name, and by every spelling of it."""

    by_name: dict[str, Metric]
    by_spelling: dict[str, Metric]


_lock = RLock()
_built_in: list[Metric] = []
_own: dict[str, Metric] = {}
_version = 0


@overload
def metric(function: Function, /) -> Function: ...


@overload
def metric(
    *,
    formula: str = "",
    reference: str = "",
    examples: Mapping[str, float | None] | None = None,
    aliases: Sequence[str] = (),
    highest: float | None = None,
    kind: Literal["score", "rank"] = "score",
    needs: str = "",
    bands: Bands | None = None,
) -> Callable[[Function], Function]: ...


def metric(  # noqa: PLR0913  (what a declaration says, all by keyword)
    function: Function | None = None,
    /,
    *,
    formula: str = "",
    reference: str = "",
    examples: Mapping[str, float | None] | None = None,
    aliases: Sequence[str] = (),
    highest: float | None = None,
    kind: Literal["score", "rank"] = "score",
    needs: str = "",
    bands: Bands | None = None,
) -> Function | Callable[[Function], Function]:
    """Declare a function from ``Hits`` to one float per query as a metric.

    The metric has the name of the function, and is known by it in every profile. The keyword-only
    arguments of the function are its parameters, its docstring describes it. NaN stands for a query
    that has no value. Declaring it again, as when a cell of a notebook runs twice, replaces it.

    Args:
        function: The function, where ``@metric`` is used without arguments.
        formula: LaTeX, in the notation of the reference page.
        reference: Where the definition comes from.
        examples: Value by case, a case being written ``a|b & c: a x b`` (groups joined by ``&``,
            alternatives by ``|``, then the ranking).
        aliases: Other names, in lower case.
        highest: An upper bound of the values; without it there is none that is known.
        kind: A score is averaged over queries, a rank is not.
        needs: What it needs beyond ground truth and results: ``vectors``, or ``spans``.
        bands: What a published source calls its scores.

    Raises:
        ExtensionError: The name or an alias is taken, or the function cannot be called as a metric.

    Example:
        >>> @metric
        ... def groups_met(hits: Hits) -> FloatArray:
        ...     '''Number of groups that are met.'''
        ...     return hits.per_query(hits.met_query)
        >>> from groupwise import evaluate
        >>> evaluate({"q": [["a"], ["b"]]}, {"q": ["b", "a"]}, metrics="groups_met@1").scores
        {'groups_met@1': 1.0}
    """

    def declare(function: Function) -> Function:
        name = name_of(function).rstrip("_")
        home = _home_of(function)
        computed = _remember(function if home else check_function(name, function))
        declared = Metric(
            name, HOMES.get(home), computed, formula, reference, examples or {},
            (aliases,) if isinstance(aliases, str) else tuple(aliases),
            _upper_bound(highest, home), kind, needs, parameters_of(function), bands,
        )  # fmt: skip
        _built_in.append(declared) if home else _add_own(declared)
        return computed

    return declare if function is None else declare(function)


def _home_of(function: Function) -> str:
    """Return the module of a built-in metric; blank for the function of a user."""
    room, _, module = function.__module__.rpartition(".")
    return module if room == HERE and module in HOMES else ""


def _upper_bound(highest: float | None, home: str) -> float:
    """Return what is declared; most built-in metrics end at 1, and of others nothing is known."""
    return highest if highest is not None else 1.0 if home else math.inf


def _remember(function: Function) -> Function:
    """Return the function, computing once per hits: f1 asks for precision and recall again."""

    @wraps(function)
    def remember(hits: Hits, **parameters: Any) -> FloatArray:
        if parameters:
            return function(hits, **parameters)
        values: FloatArray | None = hits.memo.get(function)
        if values is None:
            values = hits.memo[function] = function(hits)
        return values

    return remember


def _add_own(declared: Metric) -> None:
    """Add the metric of a user, or replace it where it is declared again."""
    global _own, _version  # noqa: PLW0603
    _declare_built_in()
    with _lock:
        check_declaration(declared)
        check_spellings(declared, _built_in, _own.values())
        _own = {**_own, declared.name: declared}
        _version += 1


def metrics_of(profile: str) -> dict[str, Metric]:
    """Return the metrics of a profile by name, the profile's own ones first."""
    return _known(profile, _version).by_name


def find_metric(name: str, profile: str) -> Metric | None:
    """Return the metric of that name or alias; installed plugins are loaded if it is unknown."""
    found = _known(profile, _version).by_spelling.get(name)
    if found is None:
        # Another thread may have loaded them since: so it is looked for again in any case.
        load_installed()
        found = _known(profile, _version).by_spelling.get(name)
    return found


def home_profiles() -> dict[str, str]:
    """Return every metric's name with the first profile that has it."""
    return _home_profiles(_version)


@lru_cache(maxsize=1)
def _home_profiles(_version: int) -> dict[str, str]:
    homes = {name: profile for profile in reversed(PROFILES) for name in metrics_of(profile)}
    return dict(sorted(homes.items()))


def registry_version() -> int:
    """Return a number that changes whenever a metric is declared, for caches."""
    return _version


@lru_cache(maxsize=8)
def _known(profile: str, _version: int) -> Known:
    _declare_built_in()
    of_profile = [known for known in _built_in if known.profile == profile]
    of_every = [known for known in _built_in if known.profile is None]
    by_name: dict[str, Metric] = {}
    for known in (*of_profile, *of_every, *_own.values()):
        by_name.setdefault(known.name, known)
    by_spelling = {spelling: known for known in by_name.values() for spelling in known.spellings}
    return Known(by_name, by_spelling)


def _declare_built_in() -> None:
    """Import the modules that declare the built-in metrics."""
    from groupwise.evaluator.metrics import (  # noqa: F401, PLC0415  (they declare with @metric)
        autorag,
        characters,
        common,
        coverage,
        diversity,
        subtopics,
        trec,
    )


def every_metric() -> Iterator[tuple[str, Metric]]:
    """Return all pairs of profile and metric."""
    for profile in PROFILES:
        for known in metrics_of(profile).values():
            yield profile, known
