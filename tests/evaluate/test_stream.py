"""Live traffic: reports on windows and on everything equal those of ``evaluate``."""

import tracemalloc
from collections.abc import Iterator
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, OptionError, UnknownMetric, evaluate, evaluate_stream

METRICS = ["recall@3", "complete@3", "mrr", "ndcg@5", "first_hit", "trec:map"]
IDS = st.sampled_from("abcdxyz")
TRUTHS = st.lists(st.lists(IDS, min_size=1, max_size=3), max_size=3)
RECORDS = st.lists(
    st.fixed_dictionaries(
        {
            "ground_truth": TRUTHS,
            "results": st.lists(IDS, max_size=6),
            "metadata": st.fixed_dictionaries({"type": st.sampled_from(["hop", "single"])}),
        }
    ),
    min_size=1,
    max_size=12,
)


def number(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"id": str(place), **record} for place, record in enumerate(records, 1)]


def strip(report: Any) -> dict[str, Any]:
    """Return what a report says about queries; a stream has no inputs, and no name for them."""
    return {name: value for name, value in report.to_dict().items() if name != "provenance"}


@given(records=RECORDS, window=st.integers(1, 14))
def test_windows_and_snapshot_equal_evaluate(records: list[Any], window: int) -> None:
    options: dict[str, Any] = {"metrics": METRICS, "by": "type"}
    stream = evaluate_stream(records, window=window, **options)
    reports = [strip(report) for report in stream]
    parts = [number(records)[start : start + window] for start in range(0, len(records), window)]
    expected = [strip(evaluate(part, per_query=False, **options)) for part in parts]
    assert reports == expected
    whole = evaluate(number(records), per_query=False, **options)
    assert strip(stream.snapshot()) == strip(whole)


def test_without_a_window_there_is_one_report_at_the_end() -> None:
    traffic = [([["a"]], ["a"]), ([["b"]], ["x"]), ([["c"]], ["x", "c"])]
    (report,) = evaluate_stream(iter(traffic), metrics="recall")
    assert report.scores == {"recall": pytest.approx(2 / 3)}
    assert report.counts.queries == 3


def test_a_snapshot_counts_records_that_wait_to_be_checked() -> None:
    stream = evaluate_stream(metrics="recall")
    for count in range(1, 200):
        assert stream.add(([["a"]], ["a"])) is None
        assert stream.snapshot().counts.queries == count


def test_a_window_is_complete_with_its_last_record() -> None:
    stream = evaluate_stream(metrics="recall", window=70)
    reports = [stream.add(([["a"]], ["a"])) for _ in range(140)]
    assert [place for place, report in enumerate(reports, 1) if report] == [70, 140]


def test_repeated_ids_count_twice() -> None:
    record = {"id": "same", "ground_truth": [["a"]], "results": ["a"]}
    (report,) = evaluate_stream([record, record], metrics="recall")
    assert report.counts.queries == 2


def test_an_invalid_record_raises_with_its_number() -> None:
    traffic = [([["a"]], ["a"]), ([["b"]], 7)]
    with pytest.raises(
        InputError,
        match="query '2', /results: expected a list of results, best first, got the number 7",
    ):
        list(evaluate_stream(traffic, metrics="recall"))


def test_skipped_records_are_counted_and_the_first_reason_given() -> None:
    traffic: list[Any] = [([["a"]], ["a"]), ([["b"]], 7), "nonsense", ([["c"]], ["x"])]
    stream = evaluate_stream(traffic, metrics="recall", errors="skip", window=2)
    first, second = list(stream)
    assert (first.scores, second.scores) == ({"recall": 1.0}, {"recall": 0.0})
    assert first.warnings[0].startswith("1 record was refused; the first: stream: query '2'")
    assert stream.snapshot().warnings[0].startswith("2 records were refused; the first: stream:")
    assert stream.snapshot().scores == {"recall": 0.5}


def test_ids_of_both_kinds_are_an_error_also_where_records_are_skipped() -> None:
    stream = evaluate_stream([([["a"]], [1])], metrics="recall", errors="skip")
    with pytest.raises(InputError, match="ids of both kinds"):
        list(stream)


def test_ids_of_both_kinds_are_found_across_windows() -> None:
    stream = evaluate_stream([([["a"]], ["b"]), ([[1]], [2])], metrics="recall", window=1)
    with pytest.raises(InputError, match="ids of both kinds"):
        list(stream)


SPAN = {"document": "d", "start": 0, "end": 10}


@pytest.mark.parametrize(
    ("options", "good", "bad", "reason"),
    [
        (
            {"matching": "span"},
            ([[{"id": "a", **SPAN}]], [{"id": "x", **SPAN}]),
            ([[{"id": "a", **SPAN}]], ["x"]),
            'the result "x" has no span',
        ),
        (
            {"matching": {"type": "text", "punctuation": "ignore"}},
            ([[{"id": "a", "text": "b"}]], [{"id": "x", "text": "b"}]),
            ([[{"id": "a", "text": "!!"}]], [{"id": "x", "text": "b"}]),
            "nothing is left of the text",
        ),
        (
            {"matching": {"type": "normalised", "pattern": "^b$"}},
            ([["a"]], ["a"]),
            ([["b"]], ["a"]),
            'leaves nothing of the id "b"',
        ),
        (
            {"metrics": "recall@10t"},
            ([["a"]], [{"id": "a", "tokens": 5}]),
            ([["a"]], ["a"]),
            "a budget of tokens needs the tokens",
        ),
        (
            {"by": "type"},
            {"ground_truth": [["a"]], "results": ["a"], "metadata": {"type": "x"}},
            {"ground_truth": [["a"]], "results": ["b"], "metadata": {"type": {"no": 1}}},
            "an object makes no slice",
        ),
    ],
)
def test_records_that_cannot_be_scored_are_refused_alone(
    options: Any, good: Any, bad: Any, reason: str
) -> None:
    asked = {"metrics": "recall", **options}
    skipping = evaluate_stream([good, bad, good], window=3, errors="skip", **asked)
    (report,) = skipping
    assert (report.counts.queries, [*report.scores.values()]) == (2, [1.0])
    assert report.warnings[0].startswith("1 record was refused; the first: stream: query '2'")
    assert reason in report.warnings[0]
    raising = evaluate_stream(**asked)
    raising.add(good)
    raising.add(bad)
    with pytest.raises(InputError, match=reason):
        raising.snapshot()
    raising.add(good)
    assert raising.snapshot().counts.queries == 2


def test_a_window_may_lack_a_field_that_an_earlier_one_has() -> None:
    record = {"ground_truth": [["a"]], "results": ["a"]}
    tagged = {**record, "metadata": {"type": "x"}}
    first, second = evaluate_stream([tagged, record], metrics="recall", by="type", window=1)
    assert [[*report.slices["type"]] for report in (first, second)] == [["x"], ["(none)"]]


def test_a_window_without_a_report_is_in_the_snapshot() -> None:
    record = {"ground_truth": [["a"]], "results": ["a"]}
    stream = evaluate_stream(metrics="recall", by="type", window=1)
    with pytest.raises(InputError, match="no query has the field 'type'"):
        stream.add(record)
    stream.add({**record, "metadata": {"type": "x"}})
    assert stream.snapshot().counts.queries == 2


@pytest.mark.parametrize("records", [None, 5, "traffic.jsonl", {"q1": {}}])
def test_what_is_no_iterator_of_records_is_refused_at_once(records: Any) -> None:
    with pytest.raises(OptionError, match="records: expected an iterator of mappings or pairs"):
        evaluate_stream(records, metrics="recall")


def test_a_window_of_refused_records_gives_no_report() -> None:
    traffic: list[Any] = ["x", "y", ([["a"]], ["a"]), ([["a"]], ["b"])]
    reports = list(evaluate_stream(traffic, metrics="recall", errors="skip", window=2))
    assert [report.scores["recall"] for report in reports] == [0.5]


def test_nothing_yet_is_said() -> None:
    with pytest.raises(InputError, match="no queries yet"):
        evaluate_stream(metrics="recall").snapshot()
    assert list(evaluate_stream([], metrics="recall")) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"window": 0}, "window=0: expected a whole number of queries from 1 on"),
        ({"window": True}, "window=True: expected a whole number of queries"),
        ({"errors": "ignore"}, "errors='ignore': expected 'raise' or 'skip'"),
        ({"unanswerable": "error"}, "unanswerable='error': expected 'skip' or 'zero'"),
    ],
)
def test_options_are_checked_before_the_first_record(options: Any, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        evaluate_stream(metrics="recall", **options)


def test_metrics_are_checked_before_the_first_record() -> None:
    with pytest.raises(UnknownMetric, match="recall"):
        evaluate_stream(metrics="recal")


def test_snapshots_from_another_thread_see_whole_records() -> None:
    stream = evaluate_stream(metrics=["recall", "mrr"])
    stream.add(([["a"], ["b"]], ["a"]))
    threads = [Thread(target=_add_many, args=(stream,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert stream.snapshot().scores["recall"] == 0.5
    assert stream.snapshot().counts.queries == 2001


def _add_many(stream: Any) -> None:
    for _ in range(500):
        stream.add(([["a"], ["b"]], ["a"]))


def test_memory_does_not_grow_with_the_queries() -> None:
    assert _measure_peak(8_000) < 1.2 * _measure_peak(2_000)


def _measure_peak(queries: int) -> int:
    def traffic() -> Iterator[Any]:
        for place in range(queries):
            yield {"id": f"q{place}", "ground_truth": [[f"d{place}"]], "results": ["x", "y"] * 5}

    stream = evaluate_stream(traffic(), metrics=METRICS, window=1_000)
    tracemalloc.start()
    for report in stream:
        assert report.counts.queries == 1_000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak
