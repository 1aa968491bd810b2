"""What a case is, what an evaluator is, and what it can answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Id: TypeAlias = str | int
Group: TypeAlias = Sequence[Id] | Mapping[Id, float]
Graded: TypeAlias = dict[Id, float]


@dataclass(frozen=True)
class Query:
    """One query: its groups, and its results, best first or with their scores.

    Attributes:
        groups: Alternatives, or grades by alternative.
        results: Ids, or scores by id; None for a query that the run does not have.
        not_relevant: Documents that are judged not relevant.
    """

    groups: Sequence[Group]
    results: Sequence[Id] | Mapping[Id, float] | None
    not_relevant: Sequence[Id] = ()

    @property
    def judgements(self) -> Graded:
        """The best grade of each document over all groups."""
        judged: Graded = dict.fromkeys(self.not_relevant, 0)
        for group in self.groups:
            for document, grade in grades_of(group).items():
                judged[document] = max(grade, judged.get(document, grade))
        return judged

    @property
    def ranking(self) -> list[Id]:
        """The ids as they were given."""
        return list(self.results or ())

    @property
    def scores(self) -> list[float]:
        """The scores, in the order of the ids; n … 1 where there are none."""
        if isinstance(self.results, Mapping):
            return list(self.results.values())
        return [float(len(self.ranking) - place) for place in range(len(self.ranking))]


def grades_of(group: Group) -> Graded:
    """The grades of the alternatives of a group."""
    return dict(group) if isinstance(group, Mapping) else dict.fromkeys(group, 1)


@dataclass(frozen=True)
class Case:
    """Queries, a metric, and one sentence on what differs and who is right by which definition."""

    name: str
    metric: str
    queries: Mapping[str, Query]
    explained: str

    @property
    def measure(self) -> str:
        """The metric without its cutoff."""
        return self.metric.partition("@")[0]

    @property
    def k(self) -> int | None:
        """The cutoff."""
        return int(self.metric.partition("@")[2] or 0) or None


class CannotSayError(Exception):
    """An evaluator has no such measure, or its input has no place for the case."""


@dataclass(frozen=True)
class Peer:
    """An evaluator: its name in the tables, its distribution, its mean for a case."""

    label: str
    package: str
    score: Callable[[Case], float | None]
