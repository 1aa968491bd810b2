"""Rankings in two orders at once: the same numbers as in each by itself."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from groupwise import evaluate
from groupwise.evaluator.evaluation import partial
from groupwise.evaluator.hits import Order
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching import EXACT, Orders

RANKINGS = st.permutations("abcd").map(list)
SCORES = st.just([4.0, 3.0, 2.0, 1.0]) | st.lists(
    st.sampled_from([1.0, 2.0]), min_size=4, max_size=4
)
VECTORS = {document: [number, 1.0] for number, document in enumerate("abcd")}
BOTH: set[Order] = {"given", "score"}


@given(st.lists(st.tuples(RANKINGS, SCORES), min_size=1, max_size=200))
def test_a_report_on_both_orders_is_that_of_each(rankings: list[Any]) -> None:
    truth = {str(number): [["a"], ["b"]] for number in range(len(rankings))}
    run = {
        str(number): {"results": results, "scores": scores}
        for number, (results, scores) in enumerate(rankings)
    }
    names = ["autorag:mrr", "trec:mrr", "autorag:ild@2", "trec:ild@2"]
    asked: dict[str, Any] = {"ties": "report", "vectors": VECTORS}
    both = evaluate(truth, run, metrics=names, **asked)
    for name in names:
        alone = evaluate(truth, run, metrics=[name], **asked)
        assert alone.scores[name] == both.scores[name]
        for query in truth:
            assert alone.per_query[query][name] == both.per_query[query][name]
        assert alone.ties is not None
        assert both.ties is not None
        assert alone.ties.bounds.get(name) == both.ties.bounds.get(name)


def test_queries_before_the_first_that_scores_reorder_are_a_batch_of_their_own() -> None:
    orders = Orders(EXACT, BOTH, None, [], "score")
    rows = [("1", [2.0, 1.0]), ("2", [1.0, 2.0]), ("3", [2.0, 1.0])]
    for query, scores in rows:
        orders.add(Rows([query], [[["a"]]], [["a", "b"]], scores=[scores]))
    first, second = orders.batches()
    assert first.hits["given"] is first.hits["score"]
    assert second.hits["given"].rank.tolist() == [1, 1]
    assert second.hits["score"].rank.tolist() == [2, 1]
    assert orders.batches() == []


def test_progress_is_called_once_per_flush() -> None:
    truth = {str(number): [["a"]] for number in range(70)}
    scores = {number: [1.0, 2.0] if number == 69 else [2.0, 1.0] for number in range(70)}
    run = {str(i): {"results": ["a", "b"], "scores": scores[i]} for i in range(70)}
    calls: list[int] = []
    evaluate(truth, run, metrics=["mrr", "trec:mrr"], progress=calls.append)
    assert calls == [70]
    assert partial.QUERIES_PER_BATCH > 70
