"""Strings or whole numbers, never both: the first id of each kind is remembered."""

import pickle

from groupwise.evaluator.intake.kinds import Kinds

BOTH = (
    "ids of both kinds: the string 'a' (run, query 'q2') and the number 1 (truth, query 'q1'); "
    "use one kind, or ids='text' to compare all as strings"
)


def test_a_second_kind_is_told_once() -> None:
    kinds = Kinds()
    assert not kinds.note(int, 1, "truth", "q1")
    assert not kinds.note(int, 2, "truth", "q2")
    assert kinds.note(str, "a", "run", "q2")
    assert not kinds.note(str, "b", "run", "q3")
    assert str(kinds.problem()) == BOTH


def test_merging_tells_a_second_kind_once_and_keeps_the_own_first_ids() -> None:
    one, other = Kinds(), Kinds()
    one.note(int, 1, "truth", "q1")
    other.note(str, "a", "run", "q2")
    assert one.merge(pickle.loads(pickle.dumps(other)))  # noqa: S301
    assert str(one.problem()) == BOTH
    assert not one.merge(other)


def test_another_kind_is_compared_with_the_first_one() -> None:
    kinds = Kinds()
    kinds.note(str, "a", "qa.json", "q1")
    advice = "1 and '1' never meet: use one kind, or ids='text' to compare all as strings"
    assert kinds.describe_other(int, "qa.json") == (
        f"ids are whole numbers here and strings before; {advice}"
    )
    assert kinds.describe_other(int, "run.json") == (
        f"ids are whole numbers here and strings in qa.json; {advice}"
    )
