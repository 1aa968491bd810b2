"""What the coverage profile promises of every query."""

import random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from groupwise import evaluate
from tests import oracle
from tests.comparing import agree
from tests.metrics.test_trec_eval_golden import RUNS, robust_run
from tests.oracle import Group
from tests.paths import ROBUST03
from tests.strategies import (
    CASES,
    CUTOFFS,
    MANY,
    RANKINGS,
    SMALL_CASES,
    SMALL_TRUTHS,
    WEIGHTS,
    Case,
    written,
)
from tests.trec_files import judgements, results, truths

ONE_FOR_PERFECT = ("recall", "mrr", "map", "ndcg")
PAID_ONCE = ("precision", "recall", "f1", "complete", "mrr", "map", "ndcg")
"""The metrics in which each group counts once."""
SUBTOPICS = ("alpha_ndcg", "alpha_dcg", "err_ia", "nerr_ia", "p_ia", "map_ia", "nrbp", "nnrbp")
"""The metrics in which a further alternative pays again, less each time."""
ROUNDING = 1e-12


def scores(
    truth: list[Any], ranking: list[Any], k: int | None = None, names: Any = PAID_ONCE
) -> dict[str, float]:
    report = evaluate({"q": truth}, {"q": ranking}, profile="coverage", metrics=names, k=k)
    return {label.partition("@")[0]: value for label, value in report.scores.items()}  # type: ignore[misc]


def never_rises(before: dict[str, float], after: dict[str, float]) -> bool:
    return all(after[name] <= before[name] + ROUNDING for name in before)


@st.composite
def distinct_groups(draw: st.DrawFn) -> list[Group]:
    """Groups that share no document."""
    ids = draw(st.permutations("abcdefgh"))
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    groups = [list(ids[sum(sizes[:place]) :][:size]) for place, size in enumerate(sizes)]
    return [Group([(one, 1.0) for one in group]) for group in groups if group]


def is_shared(groups: list[Group]) -> bool:
    listed = [{one for one, _ in group.alternatives} for group in groups]
    return sum(map(len, listed)) > len(set[Any]().union(*listed))


@MANY
@given(groups=distinct_groups(), source=st.randoms(), filler=st.integers(0, 3))
def test_a_perfect_ranking_scores_exactly_one(
    groups: list[Group], source: random.Random, filler: int
) -> None:
    best = [source.choice(group.alternatives)[0] for group in groups]
    perfect = source.sample(best, len(best))
    found = scores([written(group) for group in groups], [*perfect, *"xyz"[:filler]])
    assert {name: found[name] for name in ONE_FOR_PERFECT} == dict.fromkeys(ONE_FOR_PERFECT, 1.0)
    assert found["complete"] == 1.0


@MANY
@given(groups=distinct_groups(), data=st.data())
def test_a_perfect_ranking_of_weighted_groups_scores_one(
    groups: list[Group], data: st.DataObject
) -> None:
    weighted = [group._replace(weight=data.draw(WEIGHTS)) for group in groups]
    heaviest = sorted(weighted, key=lambda group: -group.weight)
    perfect = [group.alternatives[0][0] for group in heaviest]
    found = scores([written(group) for group in weighted], perfect)
    assert all(agree(found[name], 1.0) for name in ONE_FOR_PERFECT), found


@MANY
@given(groups=SMALL_TRUTHS, k=st.none() | CUTOFFS)
def test_the_best_of_all_rankings_scores_one(groups: list[Group], k: int | None) -> None:
    """Also where documents are shared and graded: the ideal is neither missed nor out of reach."""
    truth = [written(group) for group in groups]
    for name, best in oracle.best_rankings(groups, k).items():
        found = scores(truth, best, k, [name])[name]
        assert found <= 1.0
        assert agree(found, 1.0), (name, best)


@MANY
@given(case=CASES, source=st.randoms(), k=st.none() | CUTOFFS)
def test_a_repeat_never_raises_a_score(case: Case, source: random.Random, k: int | None) -> None:
    assume(case.ranking)
    place = source.randrange(len(case.ranking))
    later = source.randint(place + 1, len(case.ranking))
    repeated = [*case.ranking[:later], case.ranking[place], *case.ranking[later:]]
    names = [*PAID_ONCE, *SUBTOPICS]
    before, after = (scores(case.truth, one, k, names) for one in (case.ranking, repeated))
    assert never_rises(before, after)


@MANY
@given(case=CASES, source=st.randoms(), k=st.none() | CUTOFFS)
def test_a_further_alternative_that_is_no_better_never_raises_a_score(
    case: Case, source: random.Random, k: int | None
) -> None:
    place = source.randint(0, len(case.ranking))
    ids = oracle.documents(case.groups)
    added = [[*case.ranking[:place], one, *case.ranking[place:]] for one in ids]
    no_better = [one for one in added if not oracle.added(case.groups, one)[place]]
    before = scores(case.truth, case.ranking, k)
    for longer in no_better:
        assert never_rises(before, scores(case.truth, longer, k)), longer


def moved_up(ranking: list[Any], place: int, to: int) -> list[Any]:
    rest = [*ranking[:place], *ranking[place + 1 :]]
    return [*rest[:to], ranking[place], *rest[to:]]


@MANY
@given(groups=distinct_groups(), ranking=RANKINGS, k=st.none() | CUTOFFS, source=st.randoms())
def test_moving_a_useful_result_up_never_lowers_a_score(
    groups: list[Group], ranking: list[str], k: int | None, source: random.Random
) -> None:
    """Without weights, grades and shared documents: to any place."""
    useful = oracle.added(groups, ranking)
    truth = [written(group) for group in groups]
    before = scores(truth, ranking, k)
    for place in (place for place, one in enumerate(useful) if one):
        after = scores(truth, moved_up(ranking, place, source.randint(0, place)), k)
        assert never_rises(after, before), place


@MANY
@given(case=CASES, k=st.none() | CUTOFFS)
def test_moving_a_useful_result_past_a_useless_one_never_lowers_a_score(
    case: Case, k: int | None
) -> None:
    """With weights, grades and shared documents a useful result may be worth more than another."""
    useful = oracle.added(case.groups, case.ranking)
    before = scores(case.truth, case.ranking, k)
    for place in range(1, len(useful)):
        if useful[place] and not useful[place - 1]:
            after = scores(case.truth, moved_up(case.ranking, place, place - 1), k)
            assert never_rises(after, before), place


@pytest.mark.parametrize(
    ("truth", "ranking", "name"),
    [
        ([{"a": 1, "b": 3}], "ab", "precision"),
        ([["a", "c"], ["c"]], "ac", "precision"),
        ([["a", "c"], ["c"], ["d"]], "acd", "map"),
        ([{"alternatives": ["a"], "weight": 10}, ["b"]], "ab", "ndcg"),
    ],
)
def test_one_useful_result_before_another_may_be_better(
    truth: list[Any], ranking: str, name: str
) -> None:
    """Why the property above is told of useless results only; each value is 1 by the formulas."""
    swapped = moved_up(list(ranking), 1, 0)
    assert scores(truth, list(ranking))[name] == 1.0
    assert scores(truth, swapped)[name] < 1.0


@MANY
@given(case=SMALL_CASES, source=st.randoms(), k=st.none() | CUTOFFS)
def test_order_and_names_change_no_bit(case: Case, source: random.Random, k: int | None) -> None:
    """Most of these share documents between groups, so that their ideal is searched for."""
    new = dict(zip("abcdexyz", source.sample("abcdexyz", 8), strict=True))
    groups = [
        group._replace(
            alternatives=[
                (new[str(one)], grade)
                for one, grade in source.sample(group.alternatives, len(group.alternatives))
            ]
        )
        for group in source.sample(case.groups, len(case.groups))
    ]
    names = [*PAID_ONCE, *SUBTOPICS]
    other = scores([written(g) for g in groups], [new[one] for one in case.ranking], k, names)
    assert other == scores(case.truth, case.ranking, k, names)


@MANY
@given(case=CASES, k=st.none() | CUTOFFS)
def test_no_score_leaves_the_range_from_0_to_1(case: Case, k: int | None) -> None:
    found = scores(case.truth, case.ranking, k, [*PAID_ONCE, *SUBTOPICS])
    assert all(0 <= value <= 1 for value in found.values()), found


@MANY
@given(case=CASES, k=st.none() | CUTOFFS)
def test_alpha_of_one_is_ndcg_unless_documents_are_shared(case: Case, k: int | None) -> None:
    groups = [Group([(one, 1.0) for one, _ in group.alternatives]) for group in case.groups]
    assume(not is_shared(groups))
    truth = [written(group) for group in groups]
    found = scores(truth, case.ranking, k, ["ndcg", "alpha_ndcg(alpha=1)"])
    assert agree(*found.values())


ALIKE = ("recall", "precision", "map", "ndcg")


@MANY
@given(
    ids=st.lists(st.sampled_from("abcdefgh"), min_size=1, unique=True), ranking=RANKINGS, k=CUTOFFS
)
def test_singleton_groups_score_as_in_trec(ids: list[str], ranking: list[str], k: int) -> None:
    assume(k <= len(ranking))
    names = [f"{profile}:{name}" for profile in ("coverage", "trec") for name in ALIKE]
    report = evaluate({"q": [[one] for one in ids]}, {"q": ranking}, metrics=names, k=k)
    for name in ALIKE:
        assert agree(report.scores[f"coverage:{name}@{k}"], report.scores[f"trec:{name}@{k}"]), name


@pytest.mark.parametrize("run", RUNS)
def test_singleton_groups_score_as_in_trec_on_a_real_run(run: str) -> None:
    """Each relevant document is a group; precision where a list is as long as the cutoff."""
    binary = {
        query: {one: min(grade, 1) for one, grade in documents.items()}
        for query, documents in judgements(ROBUST03 / "robust03_qrels.txt.gz").items()
    }
    judged = [{**one, "ground_truth": plain(one["ground_truth"])} for one in truths(binary)]
    ordered = {
        query: sorted(pairs, key=lambda pair: (pair[1], pair[0]), reverse=True)
        for query, pairs in robust_run(run).items()
    }
    ranked = results(ordered)
    length = {one["id"]: len(one["results"]) for one in ranked}
    names = [f"{profile}:{name}" for profile in ("coverage", "trec") for name in ALIKE]
    cuts = (1, 5, 10, 100, 1000)
    report = evaluate(judged, ranked, metrics=[*names, *(f"{n}@{k}" for n in names for k in cuts)])
    for query, found in report.per_query.items():
        for label in (f"{name}{cut}" for name in ALIKE for cut in ("", *(f"@{k}" for k in cuts))):
            name, _, k = label.partition("@")
            if name != "precision" or int(k or 0) <= length[query]:
                assert agree(found[f"coverage:{label}"], found[f"trec:{label}"]), (query, label)
    assert report.counts.scored == 100


def plain(graded: list[dict[str, int]]) -> list[list[str]]:
    return [list(group) for group in graded]
