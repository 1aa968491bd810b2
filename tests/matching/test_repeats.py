"""Repeated results and ids of many groups: hits multiply, up to a limit."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groupwise import InputError, evaluate, hit_vector
from groupwise.evaluator.hits import Hits
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching import exact
from groupwise.evaluator.matching.exact import ExactMatcher
from groupwise.evaluator.matching.hit_columns import HitColumns
from groupwise.evaluator.reading.limits import HITS
from groupwise.schemas import RichTruth
from tests import oracle
from tests.oracle import Group
from tests.strategies import IDS, RANKINGS, WEIGHTS

GRADES = st.sampled_from([1.0, 2.0, 3.0, 0.5])
GROUPS = st.lists(
    st.builds(Group, st.lists(st.tuples(IDS, GRADES), min_size=1, max_size=5), WEIGHTS),
    min_size=1,
    max_size=5,
)


def enrich(groups: list[Group]) -> RichTruth:
    return RichTruth(
        [[one for one, _ in group.alternatives] for group in groups],
        [group.weight for group in groups],
        [grade for group in groups for _, grade in group.alternatives],
        [None] * len(groups),
    )


def match(truth: Any, ranking: list[Any], depth: int | None = None) -> Hits:
    matcher = ExactMatcher(depth)
    matcher.add(Rows(["q7"], [truth], [ranking]))
    return matcher.batch()


def list_hits(hits: Hits, name: Callable[[int], Any]) -> list[tuple[int, int, float, Any]]:
    columns = (hits.group, hits.rank, hits.grade, hits.document)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [(group, rank, grade, name(document)) for group, rank, grade, document in rows]


def naive(groups: list[Group], ranking: list[Any]) -> list[tuple[int, int, float, Any]]:
    """Group, rank, best grade and id of every result that meets a group."""
    return [
        (number, rank, group.grade_of(one), one)
        for number, group in enumerate(groups)
        for rank, one in enumerate(ranking, 1)
        if group.is_met_by(one)
    ]


def match_graded(groups: list[Group], ranking: list[Any]) -> list[Any]:
    hits = match(enrich(groups), ranking)
    listed = [one for group in groups for one, _ in group.alternatives]
    name = dict(zip(hits.alternatives.document.tolist(), listed, strict=True))
    assert len({*name.values()}) == len(name)
    return list_hits(hits, name.__getitem__)


@given(groups=GROUPS, ranking=RANKINGS)
def test_hits_are_those_of_comparing_each_with_each(
    groups: list[Group], ranking: list[str]
) -> None:
    assert match_graded(groups, ranking) == naive(groups, ranking)


@settings(max_examples=8, deadline=None)
@given(groups=GROUPS, ranking=RANKINGS.filter(bool))
def test_alternatives_that_a_group_repeats_do_not_multiply_with_results(
    groups: list[Group], ranking: list[str]
) -> None:
    repeated = [group._replace(alternatives=group.alternatives * 400) for group in groups]
    assert match_graded(repeated, ranking * 400) == naive(groups, ranking * 400)


def test_a_group_that_repeats_an_alternative_counts_a_result_once() -> None:
    added: list[int] = []

    class Spied(HitColumns):
        def add_hits(self, ranks: Any, alternatives: Any) -> None:
            added.append(len(ranks))
            super().add_hits(ranks, alternatives)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "HitColumns", Spied)
        hits = match([["a"] * 5000, ["b"]], ["a"] * 4000)
    assert added == [4000]
    assert len(hits.rank) == 4000


@pytest.mark.parametrize("one", ["a", 7])
def test_repeated_results_may_meet_groups_that_share_them_up_to_a_limit(one: Any) -> None:
    """11 times 9,091 is one more than the limit: as many hits as there may be."""
    assert HITS.default == 11 * 9_091 - 1
    truth, ranking = [[one]] * 9_092, [one] * 12
    hits = match(truth, ranking)
    assert len(hits.rank) == 12 * 9_092 == 12 + 9_092 + HITS.default


@pytest.mark.parametrize("one", ["a", 7])
def test_beyond_the_limit_a_query_is_refused(one: Any) -> None:
    """42 times 2,381 is two more than the limit: one hit too many."""
    assert HITS.default == 42 * 2_381 - 2
    truth, ranking = [[one]] * 2_382, [one] * 43
    with pytest.raises(InputError) as caught:
        match(truth, ranking)
    (problem,) = caught.value.problems
    assert problem.query == "q7"
    assert "102,426 hits" in problem.message
    assert "at most 102,425" in problem.message
    assert len(match(truth, ranking, depth=42).rank) == 42 * 2_382


def test_a_hit_for_each_result_or_each_alternative_is_never_too_many() -> None:
    assert len(match([["a"]], ["a"] * 250_000).rank) == 250_000
    assert len(match([["a"]] * 250_000, ["a"]).rank) == 250_000


def test_beside_a_query_that_is_refused_a_cutoff_and_a_hit_vector_have_values() -> None:
    truth, ranking = {"q": [["a"]] * 500, "r": [["b"]]}, {"q": ["x", *["a"] * 500], "r": ["b"]}
    with pytest.raises(InputError, match="query 'q': 250,000 hits"):
        evaluate(truth, ranking, metrics=["map"])
    report = evaluate(truth, ranking, metrics=["map@9"])
    group = Group([("a", 1.0)])
    assert report.per_query["q"]["map@9"] == pytest.approx(
        oracle.value("autorag:map", [group], ["x", *"a" * 8])
    )
    assert hit_vector(truth["q"], ranking["q"]) == [0, *[1] * 500]
    assert hit_vector([[1]] * 500, [2, *[1] * 500]) == [0, *[1] * 500]


@given(groups=GROUPS, ranking=RANKINGS)
def test_hits_of_plain_groups_are_those_of_comparing_each_with_each(
    groups: list[Group], ranking: list[str]
) -> None:
    plain = [[one for one, _ in group.alternatives] for group in groups]
    hits = match(plain, ranking)
    found = list(zip(hits.group.tolist(), hits.rank.tolist(), strict=True))
    assert found == [row[:2] for row in naive(groups, ranking)]


@given(groups=GROUPS, ranking=RANKINGS, times=st.sampled_from([1, 3]))
def test_a_result_counts_once_with_its_best_grade_and_as_new_where_it_is_first(
    groups: list[Group], ranking: list[str], times: int
) -> None:
    """With few groups results are sorted; with more hits than results they are not."""
    truth = enrich(groups * times)
    results = match(truth, ranking).results
    best = {
        rank: max(group.grade_of(one) for group in groups) for rank, one in enumerate(ranking, 1)
    }
    met = [(rank, grade) for rank, grade in best.items() if grade]
    assert list(zip(results.rank.tolist(), results.grade.tolist(), strict=True)) == met
    assert results.first.tolist() == [
        ranking.index(ranking[rank - 1]) == rank - 1 for rank, _ in met
    ]
