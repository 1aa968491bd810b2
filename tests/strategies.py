"""Ground truths and rankings in which everything happens that the contract allows."""

from dataclasses import dataclass
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from tests.oracle import Group

IDS = st.sampled_from("abcdefgh")
RANKINGS = st.lists(st.sampled_from("abcdefghwxyz"), max_size=12)
WEIGHTS = st.sampled_from([1.0, 1.0, 2.0, 0.5, 3.0, 0.1])
GRADES = st.sampled_from([1.0, 1.0, 2.0, 3.0, 0.5, 0.0])
CUTOFFS = st.integers(1, 14)


SLOW = settings().max_examples > 60


def many_examples() -> int:
    """Return how many examples conftest asks for; outside pytest, the usual number."""
    try:
        return settings.get_profile("many").max_examples
    except InvalidArgument:
        return settings().max_examples


MANY = settings(max_examples=many_examples())
"""For the properties that all metrics must have."""
FEWER = settings(max_examples=settings().max_examples if SLOW else min(25, MANY.max_examples))
"""For properties of many queries at once."""
FEWEST = settings(max_examples=max(3, FEWER.max_examples // 3))
"""For properties that are tried for each metric apart."""


@dataclass(frozen=True)
class Case:
    """A query: its ground truth as the oracle takes it, and its results."""

    groups: list[Group]
    ranking: list[Any]

    @property
    def truth(self) -> list[Any]:
        """The ground truth as the package takes it."""
        return [written(group) for group in self.groups]


def written(group: Group) -> dict[str, Any]:
    alternatives = [{"id": one, "grade": grade} for one, grade in group.alternatives]
    return {"alternatives": alternatives, "weight": group.weight}


@st.composite
def graded_groups(draw: st.DrawFn) -> Group:
    alternatives = draw(st.lists(st.tuples(IDS, GRADES), min_size=1, max_size=4))
    if all(grade == 0 for _, grade in alternatives):
        alternatives.append((draw(IDS), 1.0))
    return Group(list(alternatives), draw(WEIGHTS))


PLAIN_GROUPS = st.builds(
    lambda ids: Group([(one, 1.0) for one in ids]), st.lists(IDS, min_size=1, max_size=4)
)
TRUTHS = st.lists(graded_groups(), min_size=1, max_size=5) | st.lists(
    PLAIN_GROUPS, min_size=1, max_size=5
)
CASES = st.builds(Case, TRUTHS, RANKINGS)
PLAIN_CASES = st.builds(Case, st.lists(PLAIN_GROUPS, min_size=1, max_size=5), RANKINGS)


FEW_IDS = st.sampled_from("abcde")


@st.composite
def small_groups(draw: st.DrawFn) -> Group:
    """Few documents, so that all orders of them can be tried, and most of them shared."""
    alternatives = draw(st.lists(st.tuples(FEW_IDS, GRADES), min_size=1, max_size=3))
    if all(grade == 0 for _, grade in alternatives):
        alternatives.append((draw(FEW_IDS), 1.0))
    return Group(list(alternatives), draw(WEIGHTS))


SMALL_PLAIN_GROUPS = st.builds(
    lambda ids: Group([(one, 1.0) for one in ids]), st.lists(FEW_IDS, min_size=1, max_size=3)
)
SMALL_TRUTHS = st.lists(small_groups(), min_size=1, max_size=4) | st.lists(
    SMALL_PLAIN_GROUPS, min_size=1, max_size=4
)
SMALL_RANKINGS = st.lists(st.sampled_from("abcdexyz"), max_size=7)
SMALL_CASES = st.builds(Case, SMALL_TRUTHS, SMALL_RANKINGS)
