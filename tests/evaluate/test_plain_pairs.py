"""A few queries of plain ids take a shorter way; the report is the same."""

from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import Evaluator, File, InputError, evaluate

IDS = st.sampled_from("abcdxyz")
TRUTHS = st.lists(st.lists(IDS, min_size=1, max_size=3), min_size=1, max_size=3)
QUERIES = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", " ", "é"]), st.tuples(TRUTHS, st.lists(IDS, max_size=6))
)
METRICS = [
    "recall@3",
    "complete@3",
    "mrr",
    "ndcg@5",
    "first_hit",
    "trec:map",
    "coverage:alpha_ndcg",
]


def outcome(truths: Any, results: Any, **options: Any) -> Any:
    """Return the report as a dict, or the error's text."""
    try:
        return evaluate(truths, results, metrics=METRICS, **options).to_dict()
    except InputError as error:
        return str(error)


@given(queries=QUERIES, explain=st.none() | st.just(2))
def test_the_report_is_that_of_tuples_which_take_the_long_way(queries: Any, explain: Any) -> None:
    truths = {query: truth for query, (truth, _) in queries.items()}
    results = {query: ranking for query, (_, ranking) in queries.items()}
    tuples = {query: tuple(ranking) for query, ranking in results.items()}
    assert outcome(truths, results, explain=explain) == outcome(truths, tuples, explain=explain)


@pytest.mark.parametrize("options", [{}, {"explain": 2}, {"curve": 3}, {"ceilings": True}], ids=str)
def test_plain_queries_take_the_shorter_way(options: dict[str, Any]) -> None:
    truths = {"q1": [["a", "b"], ["c"]], "q2": [["d"]]}
    results: dict[str, Any] = {"q1": ["x", "b", "a"], "q2": []}
    long = outcome(truths, {query: tuple(ids) for query, ids in results.items()}, **options)
    with mock.patch.object(Evaluator, "_open_run", side_effect=AssertionError("the long way")):
        assert outcome(truths, results, **options) == long
        with pytest.raises(AssertionError, match="the long way"):
            outcome(truths, {"q1": ("x",), "q2": []}, **options)


@pytest.mark.parametrize(
    ("truths", "results"),
    [
        ({"q": [["a"]]}, {"q": [1]}),
        ({"q": [["a"]]}, {"p": ["a"]}),
        ({"q": [["a", ""]]}, {"q": ["a"]}),
        ({"q": [["a"]]}, {"q": [["a"]]}),
        ({"q": [[]]}, {"q": ["a"]}),
        ({1: [["a"]]}, {1: ["a"]}),
        ({"q": [["a"], ["a", "b"]]}, {"q": ["b", "a", "b"]}),
        ({}, {}),
    ],
)
def test_what_is_not_plain_is_treated_as_before(truths: Any, results: Any) -> None:
    tuples = {query: tuple(ranking) for query, ranking in results.items()}
    assert outcome(truths, results) == outcome(truths, tuples)


def test_plain_objects_have_no_format() -> None:
    with pytest.raises(InputError, match="format='trec' is said of a file"):
        File({"q": [["a"]]}, format="trec")


@pytest.mark.parametrize(
    ("truth", "message"),
    [
        (["\ud800"], r'a flat list of ids: .*\[\["\\ud800"\]\]'),
        ([["\ud800", 1]], r'ids of both kinds in \["\\ud800", 1\]'),
        ([{"\ud800": "x"}], r"unknown field '\\ud800'"),
    ],
)
def test_half_a_surrogate_pair_in_an_invalid_id_is_escaped(truth: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        evaluate({"q": truth}, {"q": ["a"]}, metrics="recall")
