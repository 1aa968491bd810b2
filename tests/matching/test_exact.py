"""Which result meets which group: ids are compared as they are, and by nothing else."""

from typing import Any

import pytest
from hypothesis import given

from groupwise import evaluate, hit_vector
from tests.strategies import CASES, Case


@given(case=CASES)
def test_the_hit_vector_says_which_results_meet_any_group(case: Case) -> None:
    expected = [int(any(group.is_met_by(one) for group in case.groups)) for one in case.ranking]
    assert hit_vector(case.truth, case.ranking) == expected


def test_the_hit_vector_of_the_running_example() -> None:
    truth = [["test-1", "test-2"], ["test-3"]]
    assert hit_vector(truth, ["test-1", "pred-1", "test-2", "pred-3"]) == [1, 0, 1, 0]
    assert hit_vector(truth, []) == []


@pytest.mark.parametrize(
    ("gold", "found"),
    [
        ("A", "a"),
        ("a", " a"),
        ("a", "a\u200b"),
        ("é", "e\u0301"),
        ("\uff21", "A"),
        ("01", "1"),
        ("a,b", "a"),
    ],
)
def test_ids_that_look_alike_are_not_the_same(gold: str, found: str) -> None:
    assert hit_vector([[gold]], [found, gold]) == [0, 1]


@pytest.mark.parametrize("one", [0, -5, 2**63 - 1, "null", "a\u2028b", "a\x00b", "  a ", "[a]"])
def test_an_odd_id_is_an_id_like_any_other(one: Any) -> None:
    assert hit_vector([[one]], [one]) == [1]


def test_whole_numbers_are_compared_as_numbers_and_as_text_if_asked() -> None:
    assert hit_vector([[1, 2]], [2, 3]) == [1, 0]
    assert hit_vector([[1, 2]], ["2", "3"], ids="text") == [1, 0]
    assert hit_vector([["1"]], [1], ids="text") == [1]


def test_results_beyond_the_deepest_cutoff_are_not_looked_at() -> None:
    report = evaluate([[["a"]]], [["x", "y", "a"]], metrics=["recall@2", "first_hit@2"])
    assert dict(report.per_query["0"]) == {"recall@2": 0.0, "first_hit@2": None}
