"""What holds for every metric of every profile, whatever the ground truth and the results."""

import copy
import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.metrics.every import METRICS, values, values_of_all
from tests.oracle import Group
from tests.strategies import CASES, CUTOFFS, FEWER, MANY, Case, written


@MANY
@given(case=CASES, k=st.none() | CUTOFFS)
def test_a_value_lies_in_the_declared_range(case: Case, k: int | None) -> None:
    for label, value in values(case.truth, case.ranking, k).items():
        if METRICS[label].needs:
            assert value is None or not (case.ranking or value), label
        elif METRICS[label].kind == "rank":
            assert value is None or value in range(1, len(case.ranking) + 1), label
        else:
            assert value is not None, label
            assert 0 <= value <= METRICS[label].highest, label


@MANY
@given(case=CASES, source=st.randoms())
def test_the_order_of_groups_changes_nothing(case: Case, source: random.Random) -> None:
    shuffled = source.sample(case.truth, len(case.truth))
    assert values(shuffled, case.ranking) == values(case.truth, case.ranking)


@MANY
@given(case=CASES, source=st.randoms())
def test_the_order_of_alternatives_changes_nothing(case: Case, source: random.Random) -> None:
    def shuffled(group: Group) -> Group:
        order = source.sample(group.alternatives, len(group.alternatives))
        return group._replace(alternatives=order)

    truth = [written(shuffled(group)) for group in case.groups]
    assert values(truth, case.ranking) == values(case.truth, case.ranking)


@MANY
@given(case=CASES, new=st.permutations("abcdefghwxyz"), kind=st.sampled_from(["text", "number"]))
def test_the_names_of_documents_change_nothing(case: Case, new: list[str], kind: str) -> None:
    names = dict(zip("abcdefghwxyz", new, strict=True))

    def renamed(one: Any) -> str | int:
        return f"doc {names[one]}" if kind == "text" else ord(names[one])

    truth = [
        written(group._replace(alternatives=[(renamed(i), g) for i, g in group.alternatives]))
        for group in case.groups
    ]
    ranking = [renamed(one) for one in case.ranking]
    assert values(truth, ranking) == values(case.truth, case.ranking)


HEEDING_THE_CUTOFF = {
    "trec:precision",
    "trec:f1",
    "trec:ndcg",
    "coverage:mrr",
    "coverage:ndcg",
    "coverage:alpha_ndcg",
    "coverage:alpha_dcg",
    "coverage:err_ia",
    "coverage:nerr_ia",
    "coverage:p_ia",
}
"""They divide by k itself, or by an ideal ranking of k results."""


@MANY
@given(case=CASES, k=CUTOFFS)
def test_a_cutoff_is_a_truncation(case: Case, k: int) -> None:
    cut, shortened = values(case.truth, case.ranking, k), values(case.truth, case.ranking[:k])
    for label in METRICS.keys() - HEEDING_THE_CUTOFF:
        assert cut[label] == shortened[label], label


@MANY
@given(case=CASES, k=CUTOFFS)
def test_what_is_behind_the_cutoff_changes_nothing(case: Case, k: int) -> None:
    assert values(case.truth, case.ranking, k) == values(case.truth, case.ranking[:k], k)


@MANY
@given(case=CASES)
def test_the_inputs_are_left_unchanged(case: Case) -> None:
    truth, ranking = case.truth, case.ranking
    before = copy.deepcopy((truth, ranking))
    values(truth, ranking)
    assert (truth, ranking) == before


@MANY
@given(case=CASES)
def test_the_same_input_gives_the_same_value_again(case: Case) -> None:
    assert values(case.truth, case.ranking) == values(case.truth, case.ranking)


@MANY
@given(case=CASES)
def test_weights_matter_by_their_ratio_only(case: Case) -> None:
    doubled = [group._replace(weight=2 * group.weight) for group in case.groups]
    assert values([written(group) for group in doubled], case.ranking) == values(
        case.truth, case.ranking
    )


@FEWER
@given(cases=st.lists(CASES, min_size=1, max_size=12))
def test_a_batch_of_many_is_each_one_by_one(cases: list[Case]) -> None:
    queries = [(case.truth, case.ranking) for case in cases]
    assert values_of_all(queries) == [values(truth, ranking) for truth, ranking in queries]


@MANY
@given(case=CASES)
def test_the_plain_way_of_writing_is_the_full_one(case: Case) -> None:
    ones = [Group([(one, 1.0) for one, _ in group.alternatives]) for group in case.groups]
    short = [[one for one, _ in group.alternatives] for group in ones]
    assert values(short, case.ranking) == values([written(one) for one in ones], case.ranking)
