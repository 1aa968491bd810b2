"""What a metric sees of a query: the groups that count, and the results within the cutoff."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from tests.differential.data import Group, Id, Vectors

Formula = Callable[..., float | None]
"""From what a metric sees, and its parameters, to its value."""


@dataclass(frozen=True)
class View:
    """``k`` is the cutoff by rank; None without one, and under a budget of tokens."""

    groups: tuple[Group, ...]
    not_relevant: tuple[Id, ...]
    ids: tuple[Id, ...]
    k: int | None = None
    vectors: Vectors | None = None

    @property
    def n(self) -> int:
        """The number of results kept."""
        return len(self.ids)

    @property
    def depth(self) -> int:
        """The cutoff itself, or the number of results where there is none."""
        return self.n if self.k is None else self.k

    @cached_property
    def total(self) -> float:
        """W."""
        return float(sum(group.weight for group in self.groups))

    @cached_property
    def hits(self) -> list[list[int]]:
        """The ranks of the hits of each group, repeats included."""
        return [
            [rank for rank, one in enumerate(self.ids, 1) if grade_in(group, one) > 0]
            for group in self.groups
        ]

    @cached_property
    def distinct(self) -> list[Id | None]:
        """The result at each rank; None where it repeats an earlier one."""
        return [None if one in self.ids[:place] else one for place, one in enumerate(self.ids)]

    @cached_property
    def relevant(self) -> dict[Id, float]:
        """The documents that meet a group, with their best grade."""
        listed = [pair for group in self.groups for pair in group.alternatives]
        return {
            one: max(grade for other, grade in listed if other == one)
            for one, _ in listed
            if any(grade > 0 for other, grade in listed if other == one)
        }

    @cached_property
    def judged(self) -> set[Id]:
        """The documents that somebody looked at, relevant or not."""
        return {*self.relevant, *self.not_relevant}


def grade_in(group: Group, one: Id | None) -> float:
    """The best grade that a group gives to a document; 0 if it does not list it."""
    return max((grade for other, grade in group.alternatives if other == one), default=0)


def share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def harmonic_mean(one: float, other: float) -> float:
    return share(2 * one * other, one + other)
