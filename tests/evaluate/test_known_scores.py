"""Scores of single queries that are found again by their hits: never those of other hits."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import Hits, evaluate, metric
from groupwise.evaluator.evaluation import known_scores
from groupwise.evaluator.evaluation.single import metric_function
from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.metrics.profiles import PROFILES
from groupwise.evaluator.native.loader import COMPILED

NAMES = [
    f"{profile}:{name}{cut}"
    for profile in PROFILES
    for name in ("precision", "recall", "f1", "mrr", "map", "ndcg", "hit_rate", "complete")
    for cut in ("", "@1", "@3")
]
ids = st.sampled_from("abcdef")
queries = st.tuples(
    st.lists(st.lists(ids, min_size=1, max_size=3), min_size=1, max_size=3),
    st.lists(ids, min_size=1, max_size=6),
)


def score(query: Any) -> dict[str, Any]:
    truth, results = query
    return dict(evaluate({"q": truth}, {"q": results}, metrics=NAMES).scores)


@given(st.lists(queries, min_size=1, max_size=6))
def test_scores_do_not_depend_on_the_queries_before(given_queries: list[Any]) -> None:
    warm = [score(query) for query in given_queries]
    for query, found in zip(given_queries, warm, strict=True):
        known_scores._known.clear()
        assert score(query) == found


@pytest.mark.skipif(not COMPILED, reason="the compiled walk was not built: nothing is kept")
def test_what_is_kept_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_scores, "MOST_KNOWN", 3)
    known_scores._known.clear()
    for k in range(1, 7):
        for rank in range(6):
            results = ["x"] * rank + ["a"]
            found = evaluate({"q": [["a"]]}, {"q": results}, metrics=f"mrr@{k}").scores[f"mrr@{k}"]
            assert found == (1 / (rank + 1) if rank < k else 0)
            assert 1 <= len(known_scores._known) <= 3


@pytest.mark.skipif(not COMPILED, reason="the compiled walk was not built: nothing is kept")
def test_what_is_seldom_met_again_is_not_kept() -> None:
    known_scores._known.clear()
    ids = [f"d{number}" for number in range(200)]
    assert evaluate({"q": [ids]}, {"q": ids}, metrics="precision").scores["precision"] == 1
    assert not known_scores._known


@pytest.mark.usefixtures("nothing_added")
def test_metrics_of_your_own_are_computed_each_time() -> None:
    calls = []

    @metric
    def calls_so_far(hits: Hits) -> FloatArray:
        """Number of calls before this one."""
        calls.append(1)
        return hits.per_query(hits.query) * 0 + len(calls)

    found = [evaluate({"q": [["a"]]}, {"q": ["a"]}, metrics="calls_so_far") for _ in range(3)]
    assert [report.scores["calls_so_far"] for report in found] == [1, 2, 3]


@pytest.mark.usefixtures("nothing_added")
def test_a_metric_that_is_declared_again_is_computed_anew() -> None:
    def declare(value: float) -> None:
        @metric
        def constant(hits: Hits) -> FloatArray:
            """The same for every query."""
            return hits.per_query(hits.query) * 0 + value

    found = []
    for value in (0.25, 0.75):
        declare(value)
        report = evaluate({"q": [["a"]]}, {"q": ["a"]}, metrics=["constant", "recall"])
        alone = metric_function("constant")([["a"]], ["a"])
        found.append((report.scores["constant"], report.scores["recall"], alone))
    assert found == [(0.25, 1, 0.25), (0.75, 1, 0.75)]


def test_a_caller_may_change_what_it_got() -> None:
    first = evaluate({"q": [["a"]]}, {"q": ["x", "a"]}, metrics=["mrr", "recall"])
    _, columns = first.per_query.columns()
    columns["mrr"][0] = 7  # type: ignore[index]
    again = evaluate({"q": [["a"]]}, {"q": ["x", "a"]}, metrics=["mrr", "recall"])
    assert again.per_query["q"]["mrr"] == 0.5
