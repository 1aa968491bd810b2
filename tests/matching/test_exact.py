"""Which result meets which group: ids are compared as they are, and by nothing else."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import evaluate, hit_vector
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.exact import ExactMatcher
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


class Counted(int):
    """An id that counts how often ids are compared."""

    compared = 0
    __hash__ = int.__hash__

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return int(self) == other


MANY_IDS = 2000


@pytest.mark.parametrize("shared", [[], [0], [0, 0, 7]])
@pytest.mark.parametrize("listed", ["one group", "a group each", "not relevant"])
def test_as_many_comparisons_as_hits(listed: str, shared: list[int]) -> None:
    """Each result is looked up, however many alternatives there are."""
    ids = [*range(MANY_IDS), *shared]
    truth = [ids] if listed == "one group" else [[one] for one in ids]
    unwanted: list[int | str] = []
    if listed == "not relevant":
        truth, unwanted = [[-1]], [*map(Counted, ids)]
    groups: list[list[int | str]] = [[*map(Counted, group)] for group in truth]
    results: list[int | str] = [*map(Counted, reversed(range(MANY_IDS)))]
    Counted.compared = 0
    matcher = ExactMatcher()
    matcher.add(Rows(["q"], [groups], [results], not_relevant=[unwanted]))
    hits = matcher.batch()
    assert Counted.compared < 20 * MANY_IDS
    found = hits.unwanted.rank if unwanted else hits.results.rank
    assert found.tolist() == list(range(1, MANY_IDS + 1))


IDS = st.sampled_from("abcdefgh")
TRUTHS = st.lists(st.lists(IDS, min_size=1, max_size=4), min_size=1, max_size=4)
QUERIES = st.lists(st.tuples(TRUTHS, st.lists(IDS, max_size=6, unique=True)), max_size=4)


@given(batches=st.lists(QUERIES, max_size=3))
def test_documents_are_numbered_by_id_where_a_query_lists_one_twice(
    batches: list[list[tuple[list[list[str]], list[str]]]],
) -> None:
    matcher, numbers, expected = ExactMatcher(), list[int](), set[tuple[int, int]]()
    group = 0
    for queries in batches:
        matcher.add(_rows(queries))
        for truth, ranking in queries:
            numbers += _number(truth, len(numbers))
            for each in truth:
                met = (rank for rank, result in enumerate(ranking, 1) if result in each)
                expected |= {(group, rank) for rank in met}
                group += 1
    hits = matcher.batch()
    assert hits.alternatives.document.tolist() == numbers
    assert [*zip(hits.group.tolist(), hits.rank.tolist(), strict=True)] == sorted(expected)


def _rows(queries: list[tuple[list[list[str]], list[str]]]) -> Rows:
    truths: list[Any] = [truth for truth, _ in queries]
    rankings: list[Any] = [ranking for _, ranking in queries]
    ids = [str(number) for number in range(len(queries))]
    return Rows(ids, truths, rankings)


def _number(truth: list[list[str]], first: int) -> list[int]:
    """Return the number of the document of each alternative, as slowly as it is simple."""
    listed = [one for group in truth for one in group]
    if len({*listed}) == len(listed):
        return [*range(first, first + len(listed))]
    return [first + sorted({*listed}).index(one) for one in listed]
