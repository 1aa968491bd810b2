"""Scores of single queries that are found again by their hits: never those of other hits."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import Hits, evaluate, metric
from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.metrics import scoring
from groupwise.evaluator.metrics.profiles import PROFILES

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
    st.lists(st.sampled_from("xyz"), max_size=2),
)


def score(query: Any) -> dict[str, Any]:
    truth, results, unwanted = query
    record = {"id": "q", "ground_truth": truth, "results": results, "not_relevant": unwanted}
    return dict(evaluate([record], metrics=[*NAMES, "trec:bpref", "trec:judged@2"]).scores)


@given(st.lists(queries, min_size=1, max_size=6))
def test_scores_do_not_depend_on_the_queries_before(given_queries: list[Any]) -> None:
    warm = [score(query) for query in given_queries]
    for query, found in zip(given_queries, warm, strict=True):
        scoring._known.clear()
        assert score(query) == found


def test_what_is_kept_has_a_limit(monkeypatch: Any) -> None:
    monkeypatch.setattr(scoring, "MOST_KNOWN", 3)
    monkeypatch.setattr(scoring, "MOST_CHOICES", 2)
    scoring._known.clear()
    for k in range(1, 7):
        for rank in range(6):
            results = ["x"] * rank + ["a"]
            found = evaluate({"q": [["a"]]}, {"q": results}, metrics=f"mrr@{k}").scores[f"mrr@{k}"]
            assert found == (1 / (rank + 1) if rank < k else 0)
    assert len(scoring._known) <= 2
    assert all(len(values) <= 3 for _, values in scoring._known.values())


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


def test_a_caller_may_change_what_it_got() -> None:
    first = evaluate({"q": [["a"]]}, {"q": ["x", "a"]}, metrics=["mrr", "recall"])
    _, columns = first.per_query.columns()
    columns["mrr"][0] = 7  # type: ignore[index]
    again = evaluate({"q": [["a"]]}, {"q": ["x", "a"]}, metrics=["mrr", "recall"])
    assert again.per_query["q"]["mrr"] == 0.5
