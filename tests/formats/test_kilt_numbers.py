"""What docs/explanation/kilt.md says of KILT's numbers and ours.

KILT's side is written here from its definition, in plain loops: an evidence set is one point of
the ranking, at the place of its last page, and a page of no set is a point, too.
"""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import File, evaluate
from groupwise.evaluator.formats.mapping.evidence import expand_to_groups, reduce_sets
from tests.formats.shapes import SAMPLES

Sets = Sequence[frozenset[str]]
PAGES = [f"p{number}" for number in range(8)]
RANKINGS = st.lists(st.sampled_from([*PAGES, "x", "y", "z"]), min_size=1, max_size=9, unique=True)
CUTOFFS = st.integers(1, 8)


def points(ranking: list[str], sets: Sets) -> list[bool | None]:
    """True for a set that is found, False for a page of no set, None for a set found in part."""
    last = [max((at for at, page in enumerate(ranking) if page in s), default=-1) for s in sets]
    found: list[bool | None] = []
    for place, page in enumerate(ranking):
        if not any(page in pages for pages in sets):
            found.append(False)
        ended = [pages for pages, end in zip(sets, last, strict=True) if end == place]
        found += [True if pages <= {*ranking} else None for pages in ended]
    return found


def kilt_recall(ranking: list[str], sets: Sets, k: int) -> float:
    return points(ranking, sets)[:k].count(True) / len(sets)


def kilt_precision(ranking: list[str], sets: Sets, k: int) -> float:
    return points(ranking, sets)[:k].count(True) / k


def kilt_success(ranking: list[str], sets: Sets, k: int) -> float:
    return float(True in points(ranking, sets)[:k])


def kilt_rprec(ranking: list[str], sets: Sets) -> Fraction:
    return max(Fraction(len(pages & {*ranking[: len(pages)]}), len(pages)) for pages in sets)


def ours(ranking: list[str], sets: Sets, metric: str) -> float:
    groups = expand_to_groups(reduce_sets(map(sorted, sets)), expand=True)
    value = evaluate({"q": groups}, {"q": ranking}, metrics=metric).per_query["q"][metric]
    assert isinstance(value, float)
    return value


SETS = [frozenset({"101", "103"}), frozenset({"104"})]
RANKING = ["103", "999", "104", "101"]


def test_the_example_of_the_page_by_kilts_definition() -> None:
    assert points(RANKING, SETS) == [False, True, True]
    assert kilt_rprec(RANKING, SETS) == Fraction(1, 2)
    assert [kilt_precision(RANKING, SETS, k) for k in (1, 2, 3)] == [0, 1 / 2, 2 / 3]
    assert [kilt_recall(RANKING, SETS, k) for k in (1, 2, 3)] == [0, 1 / 2, 1]
    assert [kilt_success(RANKING, SETS, k) for k in (1, 2, 3)] == [0, 1, 1]


def test_the_example_of_the_page_by_our_metrics() -> None:
    files = [SAMPLES / f"kilt/{name}.jsonl" for name in ("two-readings", "guess-two-readings")]
    metrics = ["recall@1", "recall@2", "recall@3", "complete@2", "complete@3", "trec:r_precision"]
    report = evaluate(*(File(file, cnf=True) for file in files), metrics=metrics)
    assert report.scores == {
        "recall@1": 0.5,
        "recall@2": 0.5,
        "recall@3": 1.0,
        "complete@2": 0.0,
        "complete@3": 1.0,
        "trec:r_precision": pytest.approx(2 / 3),
    }


@given(RANKINGS, st.sets(st.sampled_from(PAGES), min_size=1), CUTOFFS)
def test_sets_of_one_page_have_the_numbers_of_trec(
    ranking: list[str], pages: set[str], k: int
) -> None:
    sets = [frozenset({page}) for page in sorted(pages)]
    assert kilt_rprec(ranking, sets) == ours(ranking, sets, "hit_rate@1")
    assert kilt_precision(ranking, sets, k) == pytest.approx(
        ours(ranking, sets, f"trec:precision@{k}")
    )
    assert kilt_recall(ranking, sets, k) == pytest.approx(ours(ranking, sets, f"trec:recall@{k}"))
    assert kilt_success(ranking, sets, k) == ours(ranking, sets, f"hit_rate@{k}")


@given(RANKINGS, st.sets(st.sampled_from(PAGES), min_size=1), CUTOFFS)
def test_a_single_set_is_found_where_it_is_complete(
    ranking: list[str], pages: set[str], k: int
) -> None:
    sets = [frozenset(pages)]
    assert float(kilt_rprec(ranking, sets)) == pytest.approx(
        ours(ranking, sets, "trec:r_precision")
    )
    later = ours(ranking, sets, f"complete@{k + len(pages) - 1}")
    assert kilt_recall(ranking, sets, k) == kilt_success(ranking, sets, k) == later


@given(
    RANKINGS,
    st.lists(st.frozensets(st.sampled_from(PAGES), min_size=1, max_size=3), min_size=1, max_size=4),
)
def test_expanded_sets_are_complete_when_one_of_them_is_found(
    ranking: list[str], sets: list[frozenset[str]]
) -> None:
    assert kilt_success(ranking, sets, 100) == ours(ranking, sets, "complete")


def test_a_set_that_contains_another_counts_in_kilt_only() -> None:
    """As the page says: groupwise drops it, and the numbers part."""
    sets = [frozenset({"a"}), frozenset({"a", "b"})]
    assert kilt_recall(["a"], sets, 1) == 0.5
    assert ours(["a"], sets, "trec:recall@1") == 1.0
