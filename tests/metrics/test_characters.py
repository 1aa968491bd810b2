"""Characters of spans: chunking_evaluation's own values, and sets of characters."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import Hits, evaluate, metric
from groupwise.metrics import span_iou, span_precision, span_recall
from tests.chunking import CHUNKINGS, SPANS, chunks, gunzip

COUNTED = {
    "recall": "span_recall",
    "precision": "span_precision(overlap=count)",
    "iou": "span_iou(overlap=count)",
}


def piece(document: str, start: int, size: int, **others: Any) -> dict[str, Any]:
    end = start + size
    return {
        "id": f"{document}{start}-{end}",
        "document": document,
        "start": start,
        "end": end,
    } | others


@pytest.fixture(scope="module")
def golden() -> list[dict[str, Any]]:
    return [*map(json.loads, gunzip(SPANS / "golden.jsonl.gz").splitlines())]


@pytest.mark.parametrize(("size", "overlap"), CHUNKINGS)
def test_values_are_those_of_chunking_evaluation(
    golden: list[dict[str, Any]], size: int, overlap: int
) -> None:
    cases = [case for case in golden if (case["size"], case["overlap"]) == (size, overlap)]
    known = chunks(size, overlap)
    run = {case["question"]: [known[chunk] for chunk in case["retrieved"]] for case in cases}
    once = ["span_precision", "span_iou"]
    report = evaluate(SPANS / "questions_df.csv", run, metrics=[*COUNTED.values(), *once])
    assert report.counts.scored == len(cases) == 472
    for case in cases:
        values = report.per_query[case["question"]]
        for theirs, ours in COUNTED.items():
            assert values[ours] == pytest.approx(case["expected"][theirs], abs=1e-9)
        if not overlap:
            assert values["span_precision"] == pytest.approx(
                case["expected"]["precision"], abs=1e-9
            )
            assert values["span_iou"] == pytest.approx(case["expected"]["iou"], abs=1e-9)


SPAN = st.tuples(st.sampled_from("de"), st.integers(0, 30), st.integers(1, 20))
RESULT = st.tuples(st.sampled_from("def"), st.integers(0, 30), st.integers(0, 20))


def characters(spans: Any) -> set[tuple[str, int]]:
    return {(document, at) for document, start, size in spans for at in range(start, start + size)}


@given(
    st.lists(st.lists(SPAN, min_size=1, max_size=3), min_size=1, max_size=3),
    st.lists(RESULT, max_size=6),
    st.integers(1, 6) | st.none(),
)
def test_values_are_those_of_sets_of_characters(truth: Any, ranking: Any, k: int | None) -> None:
    groups = [[piece(*span) for span in group] for group in truth]
    results = [piece(*span) for span in ranking]
    wanted = characters(span for group in truth for span in group)
    read = characters(ranking[:k])
    total = sum(size for _, _, size in ranking[:k])
    both = len(wanted & read)
    assert span_recall(groups, results, k=k) == pytest.approx(both / len(wanted))
    assert span_precision(groups, results, k=k) == pytest.approx(both / max(1, len(read)))
    assert span_iou(groups, results, k=k) == pytest.approx(both / len(wanted | read))
    counted: dict[str, Any] = {"k": k, "overlap": "count"}
    assert span_precision(groups, results, **counted) == pytest.approx(both / max(1, total))
    missed = len(wanted - read)
    assert span_iou(groups, results, **counted) == pytest.approx(both / (total + missed))


TRUTH = {
    "q1": [
        {"alternatives": [piece("d", 0, 10)], "label": "hop-1"},
        {"alternatives": [piece("d", 5, 10), piece("d", 100, 5)], "label": "hop-2", "weight": 3},
    ],
    "q2": [[piece("e", 0, 8)]],
}
RUN = {
    "q1": [
        piece("d", 4, 4, score=1.0, tokens=10),
        piece("d", 0, 6, score=2.0, tokens=10),
        piece("d", 100, 2, score=3.0, tokens=10),
    ]
}


def test_labels_budgets_orders_and_missing_queries() -> None:
    names = [
        "span_recall@1", "span_recall(label=hop-1)", "span_recall(label=hop-2)@2",
        "span_recall@20t", "trec:span_recall@1", "trec:span_precision@20t", "span_iou@1",
    ]  # fmt: skip
    report = evaluate(TRUTH, RUN, metrics=names)
    assert report.per_query["q1"] == {
        "span_recall@1": 4 / 20,
        "span_recall(label=hop-1)": 8 / 10,
        "span_recall(label=hop-2)@2": 3 / 15,
        "span_recall@20t": 8 / 20,
        "trec:span_recall@1": 2 / 20,
        "trec:span_precision@20t": 8 / 8,
        "span_iou@1": 4 / 20,
    }
    assert report.per_query["q2"]["span_recall@1"] == 0.0
    assert report.per_query["q2"]["span_recall(label=hop-1)"] is None
    assert report.scores["span_recall@1"] == 0.1


def test_a_query_without_spans_has_no_value() -> None:
    truth = {**TRUTH, "q2": [["e"]], "q3": [[piece("e", 0, 8)]]}
    run = {**RUN, "q2": [piece("e", 0, 2)], "q3": [piece("e", 0, 2), "x"]}
    report = evaluate(truth, run, metrics=["span_recall", "span_recall@1", "recall"])
    assert [report.per_query[query]["span_recall"] for query in truth] == [
        8 / 20 + 2 / 20,
        None,
        None,
    ]
    assert [report.per_query[query]["span_recall@1"] for query in truth] == [4 / 20, None, 2 / 8]
    needs = "it needs the span (document, start, end) of each alternative and result"
    assert f"span_recall has no value for 2 queries: {needs}" in report.warnings
    assert f"span_recall@1 has no value for 1 query: {needs}" in report.warnings


@pytest.mark.usefixtures("nothing_added")
def test_a_metric_of_ones_own_looks_at_spans() -> None:
    @metric(needs="spans")
    def characters_read(hits: Hits) -> Any:
        """Number of characters that the results have."""
        assert hits.spans is not None
        rows = hits.spans.covered
        kept = hits.reaches(rows.query, rows.rank)
        return hits.per_query(rows.query[kept], rows.new[kept].astype(float))

    report = evaluate(TRUTH, RUN, metrics=["characters_read@2", "ild"], missing="skip")
    assert dict(report.scores) == {"characters_read@2": 8.0, "ild": None}


def test_metrics_of_characters_alone_say_nothing_about_ids() -> None:
    """Other ids are not two id spaces: nothing that was asked for compares them."""
    truth = {"q": [[{"id": "g", "document": "d", "start": 0, "end": 10}]]}
    run = {"q": [{"id": "c", "document": "d", "start": 5, "end": 20}]}
    assert evaluate(truth, run, metrics=["span_recall", "span_iou@1"]).warnings == ()
    assert evaluate(truth, run, metrics=["span_recall", "recall"]).warnings
