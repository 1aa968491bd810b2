"""Ground truths and rankings that have been checked, as matching takes them."""

from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from groupwise.schemas.ids import Id, Kind, kind_within


class RichTruth(NamedTuple):
    """A checked ground truth with a weight and a label per group, and a grade per id."""

    groups: list[list[Id]]
    weights: list[float]
    grades: list[float]
    labels: list[str | None]


PlainTruth: TypeAlias = list[list[Id]]

Truth: TypeAlias = PlainTruth | RichTruth
"""A checked ground truth as matching takes it; an empty list for an unanswerable query."""


def plain_truths(values: list[Any]) -> Kind | None:
    """Return the kind of all ids if all these ground truths are plain: valid lists of lists of ids.

    None means that they need a closer look.
    """
    if set(map(type, values)) != {list}:
        return None
    groups = list(chain.from_iterable(values))
    if not set(map(type, groups)) <= {list} or not all(groups):
        return None
    return kind_within(groups)


def plain_rankings(values: list[Any]) -> Kind | None:
    """Return the kind of all ids if all these rankings are plain: valid lists of ids.

    None means that they need a closer look.
    """
    if set(map(type, values)) != {list}:
        return None
    return kind_within(values)
