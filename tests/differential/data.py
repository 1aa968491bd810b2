"""What a random evaluation is made of; plain tuples, and nothing of the package under test."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

Id = str | int
Vectors = Mapping[Any, Sequence[float]]


class Group(NamedTuple):
    """Alternatives as listed, repeats included, each with its grade."""

    alternatives: tuple[tuple[Id, float], ...]
    weight: float = 1
    label: str | None = None


class Result(NamedTuple):
    """One retrieved document."""

    id: Id
    score: float | None = None
    tokens: int | None = None


@dataclass(frozen=True)
class Query:
    """A query, its judgements, and its results in the order given; None: it is not in the run."""

    id: Id
    groups: tuple[Group, ...]
    not_relevant: tuple[Id, ...] = ()
    results: tuple[Result, ...] | None = None


class Cutoff(NamedTuple):
    """``@k``, ``@Nt``, or nothing."""

    k: int | None = None
    tokens: int | None = None

    def __str__(self) -> str:
        if self.tokens is not None:
            return f"@{self.tokens}t"
        return "" if self.k is None else f"@{self.k}"


NO_CUTOFF = Cutoff()


@dataclass(frozen=True)
class Metric:
    """A metric as it is asked for; ``text`` is what the evaluation is given."""

    profile: str
    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    label: str | None = None
    cutoff: Cutoff = NO_CUTOFF

    @property
    def text(self) -> str:
        pairs = [f"{name}={value}" for name, value in self.parameters.items()]
        if self.label is not None:
            pairs.append(f"label={self.label}")
        inner = f"({','.join(pairs)})" if pairs else ""
        return f"{self.profile}:{self.name}{inner}{self.cutoff}"


@dataclass(frozen=True)
class Case:
    """An evaluation: queries, results of queries that have no ground truth, and what is asked."""

    seed: int
    queries: tuple[Query, ...]
    extra: tuple[Query, ...]
    metrics: tuple[Metric, ...]
    policies: Mapping[str, Any]
    vectors: Vectors | None = None

    @property
    def as_text(self) -> bool:
        return self.policies.get("ids") == "text"

    def asking(self, metrics: Iterable[Metric]) -> "Case":
        """The same evaluation of other metrics."""
        return replace(self, metrics=tuple(metrics))

    @property
    def ties(self) -> str:
        return str(self.policies.get("ties") or "score")
