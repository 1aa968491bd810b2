"""Evidence sets as groups: met all if and only if one set is found whole."""

from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import evaluate
from groupwise.evaluator.evaluation.plan import Plan
from groupwise.evaluator.evaluation.sources import evaluate_pair
from groupwise.evaluator.formats.mapping.evidence import (
    MOST_GROUPS,
    expand_to_groups,
    is_exact,
    reduce_sets,
)
from groupwise.evaluator.formats.mapping.mapped_records import Unfit
from groupwise.evaluator.formats.registry import list_formats
from groupwise.evaluator.intake.objects import as_records
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.reading.source import Source
from groupwise.schemas import Id
from tests.formats.shapes import SAMPLES, of_sample, read

DOCUMENTS: list[Id] = list("abcdef")
SETS = st.lists(st.lists(st.sampled_from(DOCUMENTS), min_size=1), min_size=1, max_size=5)


def every_subset(documents: list[Id]) -> list[set[Id]]:
    sizes = range(len(documents) + 1)
    return [set(one) for one in chain(*(combinations(documents, size) for size in sizes))]


@given(SETS)
def test_all_groups_are_met_iff_a_set_is_found_whole(sets: list[list[Id]]) -> None:
    groups = expand_to_groups(reduce_sets(sets), expand=True)
    for found in every_subset(DOCUMENTS):
        whole = any(set(one) <= found for one in sets)
        met = all(set(group) & found for group in groups)
        assert met == whole


@given(SETS)
def test_no_group_holds_another_and_none_repeats_a_document(sets: list[list[Id]]) -> None:
    groups = expand_to_groups(reduce_sets(sets), expand=True)
    assert all(len(set(group)) == len(group) for group in groups)
    assert not [
        (one, other)
        for number, one in enumerate(groups)
        for place, other in enumerate(groups)
        if number != place and set(one) <= set(other)
    ]


@given(SETS)
def test_it_is_refused_unless_exact_or_asked_for(sets: list[list[Id]]) -> None:
    unlike = reduce_sets(sets)
    if is_exact(unlike):
        assert expand_to_groups(unlike, expand=False) == expand_to_groups(unlike, expand=True)
    else:
        with pytest.raises(Unfit, match="--cnf"):
            expand_to_groups(unlike, expand=False)


def test_one_set_is_a_group_per_document() -> None:
    assert expand_to_groups([["b", "a"]], expand=False) == [["b"], ["a"]]


def test_sets_of_one_are_one_group() -> None:
    assert expand_to_groups([["b"], ["a"]], expand=False) == [["b", "a"]]


def test_a_set_that_holds_another_adds_nothing() -> None:
    assert reduce_sets([["a", "b"], ["a"], ["b", "a", "b"], ["a"]]) == [["a"]]


def test_two_sets_with_a_page_in_common() -> None:
    """(a and r) or (b and r) is r and (a or b); the order is that of the sets."""
    groups = expand_to_groups([["a", "r"], ["b", "r"]], expand=True)
    assert sorted(map(sorted, groups)) == [["a", "b"], ["r"]]


def test_an_expansion_that_is_too_large_says_so() -> None:
    """Ten pairs without a page in common have 2 to the tenth groups."""
    pairs: list[list[Id]] = [[f"{n}-x", f"{n}-y"] for n in range(10)]
    with pytest.raises(Unfit, match=f"more than {MOST_GROUPS} groups"):
        expand_to_groups(pairs, expand=True)
    assert len(expand_to_groups(pairs[:9], expand=True)) == 512


@pytest.mark.parametrize("name", ["kilt/two-readings.jsonl", "fever/two-readings.jsonl"])
def test_two_readings_are_explained(name: str) -> None:
    values, reading = read(SAMPLES / name, name.partition("/")[0])
    (problem,) = reading.problems
    assert values == []
    assert problem.line == 1
    assert problem.pointer in ("/output", "/evidence")
    for words in ("OR of ANDs", "AND of ORs", "--cnf", "complete", "recall"):
        assert words in problem.message


def test_kilt_expanded() -> None:
    """(101 and 103) or 104."""
    (record,) = of_sample("kilt/two-readings.jsonl", "ground_truth", cnf=True)
    assert sorted(map(sorted, record["ground_truth"])) == [["101", "104"], ["103", "104"]]


def test_fever_expanded() -> None:
    """(Aldmoor and River) or (Brill and River)."""
    (record,) = of_sample("fever/two-readings.jsonl", "ground_truth", cnf=True)
    groups = sorted(map(sorted, record["ground_truth"]))
    assert groups == [["Aldmoor", "Brill"], ["River_Senn"]]


def test_the_report_says_what_is_kept() -> None:
    path = SAMPLES / "kilt/two-readings.jsonl"
    truths = list_formats()["kilt"].read(Source(path), Options(role="ground_truth", cnf=True))
    report = evaluate_pair(Plan("complete"), truths, as_records({"k4": ["103", "101"]}, "results"))
    assert report.scores == {"complete": 1.0}
    (warning,) = report.warnings
    assert warning.endswith(
        "1 query: evidence sets were expanded to groups (--cnf): full coverage (complete) is kept, "
        "fractions such as recall, precision or ndcg are not"
    )


def test_an_exact_file_gives_no_warning() -> None:
    assert read(SAMPLES / "kilt/dev.jsonl", "kilt", cnf=True)[1].warnings == []
    assert evaluate({"q": [["a"]]}, {"q": ["a"]}).warnings == ()
