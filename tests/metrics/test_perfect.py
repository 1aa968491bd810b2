"""A perfect ranking scores 1.0, to the bit, with weights, grades and shared documents."""

import random
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import evaluate
from tests import oracle
from tests.comparing import agree
from tests.oracle import Group
from tests.strategies import MANY, SMALL_TRUTHS, written

COVERAGE = ("recall", "mrr", "map", "ndcg", "complete", "f1", "precision")
WEIGHTS = st.sampled_from([0.1, 0.2, 0.3, 0.7, 1.0, 1.1, 2.0, 3.0, 1e-6, 1e9]) | st.floats(
    1e-3, 1e3, allow_nan=False
)


def scores(truth: list[Any], ranking: Any, names: Any, profile: str = "coverage") -> dict[str, Any]:
    report = evaluate({"q": truth}, {"q": list(ranking)}, profile=profile, metrics=names)
    return dict(report.scores)


def weighted(**weights: float) -> list[dict[str, Any]]:
    return [{"alternatives": [one], "weight": weight} for one, weight in weights.items()]


def test_weights_that_round_do_not_spoil_a_perfect_ranking() -> None:
    truth = weighted(a=2, b=3, c=2)
    for order in permutations(truth):
        assert scores(list(order), "bac", COVERAGE) == dict.fromkeys(COVERAGE, 1.0)


@MANY
@given(weights=st.lists(WEIGHTS, min_size=1, max_size=12), source=st.randoms())
def test_any_weights(weights: list[float], source: random.Random) -> None:
    truth = weighted(**{f"d{number}": weight for number, weight in enumerate(weights)})
    heaviest = sorted(truth, key=lambda group: -group["weight"])
    perfect = [group["alternatives"][0] for group in heaviest]
    shuffled = source.sample(truth, len(truth))
    assert scores(shuffled, perfect, COVERAGE) == dict.fromkeys(COVERAGE, 1.0)


@MANY
@given(groups=SMALL_TRUTHS, data=st.data())
def test_shared_and_graded_documents(groups: list[Group], data: st.DataObject) -> None:
    groups = [group._replace(weight=data.draw(WEIGHTS)) for group in groups]
    truth = [written(group) for group in groups]
    for name, best in oracle.best_rankings(groups).items():
        assert scores(truth, best, name)[name] == 1.0


def test_equal_values_in_another_order_are_as_perfect() -> None:
    """0.1 + 0.2 is 0.3, but not in binary: s meets the first two groups, t the third."""
    truth = [
        {"alternatives": ["s"], "weight": 0.1},
        {"alternatives": ["s"], "weight": 0.2},
        {"alternatives": ["t"], "weight": 0.3},
    ]
    for ranking in ("st", "ts"):
        assert scores(truth, ranking, COVERAGE) == dict.fromkeys(COVERAGE, 1.0)


@pytest.mark.parametrize("alpha", ["0.1", "0.3", "0.5", "0.7", "1"])
@pytest.mark.parametrize("name", ["alpha_ndcg", "nerr_ia", "nnrbp"])
def test_subtopics(name: str, alpha: str) -> None:
    """a meets three groups, then b and c one each; d and e come for the second time."""
    truth = [["a", "d"], ["a", "e"], ["a"], ["b"], ["c"]]
    metric = f"{name}(alpha={alpha})"
    assert scores(truth, "abcde", metric) == {metric: 1.0}
    assert scores(truth, "acbed", metric) == {metric: 1.0}


@MANY
@given(grades=st.lists(st.sampled_from([0.1, 0.3, 1.0, 2.0, 3.0, 7.0]), min_size=1, max_size=9))
def test_trec(grades: list[float]) -> None:
    names = ["precision", "recall", "f1", "mrr", "map", "ndcg", "ndcg(gain=exponential)"]
    graded = {f"d{number}": grade for number, grade in enumerate(grades)}
    perfect = sorted(graded, key=lambda one: -graded[one])
    found = scores([{one: grade} for one, grade in graded.items()], perfect, names, "trec")
    assert found == dict.fromkeys(names, 1.0)


def test_what_is_not_perfect_stays_below_one() -> None:
    truth = weighted(a=1, b=1e-9)
    found = scores(truth, "a", ("recall", "mrr", "map", "ndcg"))
    assert all(value < 1 for value in found.values()), found
    assert agree(found["recall"], 1 / (1 + 1e-9))
