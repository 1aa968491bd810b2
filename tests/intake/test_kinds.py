"""Strings or whole numbers, never both: the first id of each kind is remembered."""

import pickle
from enum import StrEnum
from typing import Any

import pytest

from groupwise import evaluate
from groupwise.evaluator.intake.kinds import Kinds

BOTH = (
    "ids of both kinds: the string 'a' (run, query 'q2') and the number 1 (truth, query 'q1'); "
    "use one kind, or ids='text' to compare all as strings"
)


def test_a_second_kind_is_told_once() -> None:
    kinds = Kinds()
    assert not kinds.note(int, "truth", 1, "q1")
    assert not kinds.note(int, "truth", 2, "q2")
    assert kinds.note(str, "run", "a", "q2")
    assert not kinds.note(str, "run", "b", "q3")
    assert str(kinds.problem()) == BOTH


def test_merging_tells_a_second_kind_once_and_keeps_the_own_first_ids() -> None:
    one, other = Kinds(), Kinds()
    one.note(int, "truth", 1, "q1")
    other.note(str, "run", "a", "q2")
    assert one.merge(pickle.loads(pickle.dumps(other)))  # noqa: S301
    assert str(one.problem()) == BOTH
    assert not one.merge(other)


def test_kinds_clash_with_the_one_that_came_first() -> None:
    assert Kinds().first_kind is None
    assert Kinds().clash([str, int])
    assert not Kinds().clash([str, type(None), None])
    kinds = Kinds()
    kinds.note(str, "qa.json")
    kinds.note(int, "run.json")
    assert kinds.first_kind is str
    assert kinds.clash([int])
    assert not kinds.clash([str])


class Page(StrEnum):
    """Ids that are string enums; their names differ from their values."""

    FIRST = "a"
    SECOND = "b"


@pytest.mark.parametrize("profile", ["autorag", "trec", "coverage"])
@pytest.mark.parametrize("truth", [[[Page.FIRST]], [["a"]]])
@pytest.mark.parametrize(
    "results",
    [
        ["x", Page.FIRST],
        ["x", "a"],
        {Page.FIRST: 0.5, "x": 0.7},
        [{"id": "x"}, {"id": Page.FIRST}],
        {"results": [Page.FIRST, "x"], "scores": [1, 2]},
    ],
)
def test_a_string_enum_is_the_string_of_its_value(
    profile: str, truth: list[list[str]], results: Any
) -> None:
    report = evaluate({"q": truth}, {"q": results}, metrics="recall", profile=profile)
    assert report.scores["recall"] == 1.0
