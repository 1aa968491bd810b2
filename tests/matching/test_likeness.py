"""Cosines of results: exact for equal vectors, and the same whatever else is asked."""

from enum import Enum
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import evaluate
from tests.comparing import agree

TRUTH = {"q": [["a"], ["b"]]}
EVERYTHING = ["recall", "trec:ndcg", "ild", "ild@7", "novelty_ndcg@3"]


def ild(results: Any, vectors: Any, metrics: Any = "ild", **options: Any) -> Any:
    report = evaluate(TRUTH, {"q": results}, metrics=metrics, vectors=vectors, **options)
    return next(value for name, value in report.scores.items() if name.startswith("ild"))


@pytest.mark.parametrize(
    "vector",
    [[1e20, 0.0], [1e-25, 0.0], [1e-300, 1e-310], [1e300, 1e300], [0.1, 0.2, 0.3], [5, 7], [-0.3]],
)
@pytest.mark.parametrize("factor", [1.0, 3.0, 0.1])
def test_equal_directions_are_alike_however_long_they_are(vector: Any, factor: float) -> None:
    other = [factor * part for part in vector]
    if 0 < abs(other[0]) < float("inf"):
        assert ild(["a", "b"], {"a": vector, "b": other}) == 0.0
        assert ild(["a", "b"], {"a": vector, "b": [-part for part in other]}) == 2.0


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64])
def test_vectors_of_any_type_are_computed_in_double_precision(kind: type) -> None:
    vectors: Any = {"a": np.array([1, 0], kind), "b": np.array([3, 4], kind)}
    assert ild(["a", "b"], vectors) == 0.4


NUMBERS = st.integers(-3, 3).map(float)
VECTORS = st.lists(st.lists(NUMBERS, min_size=3, max_size=3).filter(any), min_size=40, max_size=40)


@given(vectors=VECTORS, length=st.integers(2, 40))
def test_the_values_are_those_of_the_formula_and_within_their_range(
    vectors: list[list[float]], length: int
) -> None:
    chosen = np.array(vectors[:length])
    unit = chosen / np.sqrt((chosen**2).sum(axis=1, keepdims=True))
    pairs = [1 - float(unit[i] @ unit[j]) for j in range(length) for i in range(j)]
    results = [f"d{number}" for number in range(length)]
    found = ild(results, dict(zip(results, vectors, strict=False)))
    assert agree(found, sum(pairs) / len(pairs))
    assert 0 <= found <= 2


@pytest.mark.parametrize("k", [2, 5, 10, 17])
@pytest.mark.parametrize("width", [3, 64, 300])
def test_a_cutoff_does_not_depend_on_what_else_is_asked(k: int, width: int) -> None:
    rng = np.random.default_rng(k)
    vectors = {f"d{number}": rng.normal(size=width) for number in range(40)}
    alone = ild(list(vectors), vectors, [f"ild@{k}"])
    assert ild(list(vectors), vectors, [f"ild@{k}", *EVERYTHING]) == alone
    assert ild(list(vectors)[:k], vectors) == alone


def test_results_without_a_vector_matter_from_their_rank_on() -> None:
    vectors = {"a": [1, 0], "b": [3, 4]}
    for metrics in (["ild@2"], ["ild@2", *EVERYTHING]):
        assert ild(["a", "b", "unknown"], vectors, metrics) == 0.4
    zero = {**vectors, "c": [0.0, 0.0]}
    assert ild(["a", "b", "c"], zero, ["ild@2", "ild"]) == 0.4
    assert ild(["a", "b", "c"], zero, ["ild"]) is None
    assert ild(["c", "a", "b"], zero, ["ild@2"]) is None


def test_queries_without_vectors_are_told() -> None:
    truths = {query: [["a"]] for query in ("all", "some", "none", "short", "empty")}
    run = {"all": ["a", "b"], "some": ["a", "x"], "none": ["x", "y"], "short": ["a"], "empty": []}
    names = ["ild", "ild@1", "novelty_ndcg", "recall"]
    report = evaluate(truths, run, metrics=names, vectors={"a": [1, 0], "b": [0, 1]})
    said = [warning for warning in report.warnings if "vector" in warning]
    assert said[0] == "ild has no value for 2 queries: it needs a vector per result (vectors=…)"
    assert said[1].startswith("ild@1 has no value for any query")
    assert said[2].startswith("novelty_ndcg has no value for 2 queries: it needs a vector per")
    assert len(said) == 3


def test_no_warning_where_all_vectors_are_there() -> None:
    vectors = {"a": [1, 0], "b": [0, 1]}
    report = evaluate(TRUTH, {"q": ["a", "b"]}, metrics=["ild", "ild@2"], vectors=vectors)
    assert report.warnings == ()


class Page(str, Enum):  # noqa: UP042  (as people have it)
    FIRST = "z"
    SECOND = "a"


def test_string_enums_are_their_values() -> None:
    results = [Page.SECOND, Page.FIRST]
    assert ild(results, {"z": [1, 0], "a": [3, 4]}) == 0.4
    assert ild(["z", "a"], {Page.FIRST: [1, 0], Page.SECOND: [3, 4]}) == 0.4
    run = {"q": {"results": results, "scores": [1.0, 1.0]}}
    assert evaluate({"q": [["z"]]}, run, profile="trec", metrics="mrr").scores["mrr"] == 1.0
    report = evaluate({Page.FIRST: [["z"]]}, {"z": [Page.FIRST]}, metrics="recall")
    assert [(type(query), query) for query in report.per_query] == [(str, "z")]
