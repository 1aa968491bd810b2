"""What ndeval gave, case by case, with groups as subtopics.

Three of its measures divide by an ideal ranking that ndeval finds by taking the next best document.
Where documents are in several groups it may miss the best one; then its values are too high. Each
such case is shown to be one: a ranking is built here, from the formulas alone, that is better.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from groupwise import Report, evaluate
from tests.paths import NDEVAL
from tests.trec_files import golden

CUTOFFS = (5, 10, 20)
PLAIN = {
    "NRBP": "nrbp",
    "MAP-IA": "map_ia",
    **{f"strec@{k}": f"recall@{k}" for k in CUTOFFS},
    **{f"P-IA@{k}": f"p_ia@{k}" for k in CUTOFFS},
    **{f"ERR-IA@{k}": f"err_ia@{k}" for k in CUTOFFS},
    **{f"alpha-DCG@{k}": f"alpha_dcg@{k}" for k in CUTOFFS},
}
NORMALISED = {
    "nNRBP": "nnrbp",
    **{f"nERR-IA@{k}": f"nerr_ia@{k}" for k in CUTOFFS},
    **{f"alpha-nDCG@{k}": f"alpha_ndcg@{k}" for k in CUTOFFS},
}
NAMES = PLAIN | NORMALISED
DIFFERING = {
    "nNRBP": 7,
    "nERR-IA@5": 5,
    "nERR-IA@10": 7,
    "nERR-IA@20": 7,
    "alpha-nDCG@5": 5,
    "alpha-nDCG@10": 7,
    "alpha-nDCG@20": 7,
}
"""How many of the cases with shared ids have a better ideal here, by measure."""
CASES = {case["id"]: case for case in golden(NDEVAL)}
Groups = list[set[str]]
Discount = Callable[[int], float]


def groups_of(case: dict[str, Any]) -> Groups:
    return [set(group) for group in case["ground_truth"]]


def is_shared(groups: Groups) -> bool:
    return sum(map(len, groups)) > len(set[str]().union(*groups))


SHARED = {name for name, case in CASES.items() if is_shared(groups_of(case))}


@pytest.fixture(scope="module")
def report() -> Report:
    truths = {name: case["ground_truth"] for name, case in CASES.items()}
    results = {name: case["result"] for name, case in CASES.items()}
    return evaluate(truths, results, profile="coverage", metrics=NAMES.values())


def differences(report: Report, measure: str) -> Iterator[tuple[str, float, float]]:
    """Case, value here, value of ndeval, for those more than 1e-6 apart."""
    for name, case in CASES.items():
        found = report.per_query[name][NAMES[measure]]
        assert found is not None
        if abs(found - case["expected"][measure]) > 1e-6:
            yield name, found, case["expected"][measure]


def test_the_cases_are_as_many_as_the_provenance_says() -> None:
    assert len(CASES) == 1200
    assert len(SHARED) == 232
    assert all(CASES[name]["shared_ids"] for name in SHARED)
    assert all(set(case["expected"]) == set(NAMES) for case in CASES.values())


@pytest.mark.parametrize("measure", PLAIN)
def test_a_measure_agrees_in_all_cases(measure: str, report: Report) -> None:
    assert list(differences(report, measure)) == []


@pytest.mark.parametrize("measure", NORMALISED)
def test_a_normalised_measure_agrees_unless_ids_are_shared(measure: str, report: Report) -> None:
    assert [one for one in differences(report, measure) if one[0] not in SHARED] == []


def discount_of(measure: str) -> Discount:
    if measure == "nNRBP":
        return lambda rank: 0.5 ** (rank - 1)
    if measure.startswith("nERR"):
        return lambda rank: 1 / rank
    return lambda rank: 1 / math.log2(rank + 1)


def depth_of(measure: str) -> int:
    return int(measure.partition("@")[2] or 20)


def worth(groups: Groups, ranking: list[str], discount: Discount) -> float:
    """The discounted gain of a ranking: each group halves with every hit."""
    total, left = 0.0, [1.0] * len(groups)
    for rank, one in enumerate(ranking, 1):
        met = [number for number, group in enumerate(groups) if one in group]
        total += sum(left[number] for number in met) * discount(rank)
        for number in met:
            left[number] /= 2
    return total


def best_worth(groups: Groups, depth: int, discount: Discount) -> float:
    """The most that a ranking is worth which always takes a next best document.

    Of equally good ones each is tried; of the rankings of the same documents the best is kept.
    """
    reached = {frozenset[str](): 0.0}
    for rank in range(1, min(depth, len(set[str]().union(*groups))) + 1):
        longer: dict[frozenset[str], float] = {}
        for taken, total in reached.items():
            for one, gain in next_best(groups, taken).items():
                found = total + gain * discount(rank)
                longer[taken | {one}] = max(found, longer.get(taken | {one}, 0.0))
        reached = longer
    return max(reached.values())


def next_best(groups: Groups, taken: frozenset[str]) -> dict[str, float]:
    """The documents that gain most next; of those that meet the same groups, one."""
    hits = [len(group & taken) for group in groups]
    left = sorted(set[str]().union(*groups) - taken, reverse=True)
    kinds = {tuple(one in group for group in groups): one for one in left}
    gains = {
        one: sum(0.5**count for meets, count in zip(kind, hits, strict=True) if meets)
        for kind, one in kinds.items()
    }
    best = max(gains.values())
    return {one: gain for one, gain in gains.items() if gain == best}


@pytest.mark.parametrize("measure", NORMALISED)
def test_where_ids_are_shared_a_difference_is_a_better_ideal(measure: str, report: Report) -> None:
    depth, discount = depth_of(measure), discount_of(measure)
    found = list(differences(report, measure))
    for name, here, there in found:
        groups = groups_of(CASES[name])
        gained = worth(groups, CASES[name]["result"][:depth], discount)
        assert here < there, name
        assert best_worth(groups, depth, discount) >= gained / here - 1e-9, name
        assert gained / here > gained / there, name
    assert len(found) == DIFFERING[measure]


@pytest.mark.parametrize("measure", NORMALISED)
def test_the_ideal_is_never_below_that_of_ndeval(measure: str, report: Report) -> None:
    for name in SHARED:
        found = report.per_query[name][NAMES[measure]]
        assert found is not None
        assert found <= CASES[name]["expected"][measure] + 1e-6, name
