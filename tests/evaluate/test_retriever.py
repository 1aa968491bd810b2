"""A live retriever: called for every query, its failures counted and named, never waited for."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groupwise import Dataset, InputError, evaluate
from groupwise.evaluator.evaluation import evaluate_retriever
from groupwise.evaluator.evaluation import retriever as retrieving
from groupwise.evaluator.evaluation.evaluate_retriever import show_progress
from tests.api.test_documents import HaystackDocument, LangChainDocument, NodeWithScore, TextNode
from tests.comparing import without_names

QUERIES = [
    {"id": f"q{number}", "query": f"text {number}", "ground_truth": [["a"], ["b"]]}
    for number in range(12)
]


def number_in(text: str) -> int:
    return int(text.split()[1])


def recall(report: Any) -> dict[str, Any]:
    return {query: scores["recall"] for query, scores in report.per_query.items()}


def test_five_lines_are_enough() -> None:
    def retriever(text: str) -> list[str]:
        return ["a", "b"] if text == "text 3" else ["x", "a"]

    report = evaluate(QUERIES, retriever=retriever, metrics="recall")
    assert recall(report) == {f"q{n}": 1.0 if n == 3 else 0.5 for n in range(12)}
    assert report.failures == {}
    assert "failures" not in report.to_dict()


@pytest.mark.parametrize(
    "answer",
    [
        ["a"],
        ("a",),
        [("a", 0.5)],
        [{"id": "a", "score": 0.5}],
        {"results": ["a"], "scores": [0.5]},
        {"documents": [HaystackDocument("a", "one")]},
        [LangChainDocument("one", "a")],
        [(LangChainDocument("one", "a"), 0.5)],
        [NodeWithScore(TextNode("a", "one"), 0.5)],
        iter(["a"]),
    ],
    ids=lambda one: type(one).__name__,
)
def test_all_that_retrievers_return_is_taken(answer: Any) -> None:
    report = evaluate(QUERIES[:1], retriever=lambda _text: answer, metrics="recall")
    assert recall(report) == {"q0": 0.5}
    assert not report.failures


def test_objects_that_are_asked_by_a_method() -> None:
    class Invoked:
        def invoke(self, _text: str) -> list[str]:
            return ["a"]

    class Retrieving:
        def retrieve(self, _text: str) -> list[str]:
            return ["b"]

    for retriever in (Invoked(), Retrieving()):
        assert recall(evaluate(QUERIES[:1], retriever=retriever, metrics="recall")) == {"q0": 0.5}
    with pytest.raises(InputError, match="retriever: expected a function of the text"):
        evaluate(QUERIES, retriever=7)


def test_failures_count_as_empty_results_and_say_why() -> None:
    def retriever(text: str) -> Any:
        match number_in(text):
            case 1:
                raise ConnectionError("refused\nby the server")
            case 2:
                return None
            case 3:
                return [" "]
            case 4:
                sys.exit(3)
        return ["a"]

    report = evaluate(QUERIES[:6], retriever=retriever, metrics="recall")
    assert recall(report) == {"q0": 0.5, "q1": 0, "q2": 0, "q3": 0, "q4": 0, "q5": 0.5}
    assert (report.counts.scored, report.counts.empty_results) == (6, 4)
    assert list(report.failures) == ["q1", "q2", "q3", "q4"]
    assert report.failures["q1"] == "ConnectionError: refused"
    assert report.failures["q2"].startswith("expected a list of results (ids, ")
    assert report.failures["q3"].startswith("result 1: a blank id")
    assert report.failures["q4"] == "SystemExit: 3"
    assert "failed for 4 of 6 queries" in report.warnings[0]
    assert json.loads(report.to_json())["failures"] == report.failures


def test_a_call_that_hangs_holds_up_nobody() -> None:
    hanging = threading.Event()

    def retriever(text: str) -> list[str]:
        if number_in(text) in (1, 2, 7):
            hanging.wait(60)
        return ["a"]

    report = evaluate(QUERIES, retriever=retriever, timeout=3, workers=2, metrics="recall")
    hanging.set()
    assert recall(report) == {f"q{n}": 0.0 if n in (1, 2, 7) else 0.5 for n in range(12)}
    reason = "timeout: no answer within 3 seconds"
    assert report.failures == {"q1": reason, "q2": reason, "q7": reason}


def test_when_too_many_calls_hang_no_more_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieving, "MOST_HANGING", 3)
    hanging, calls = threading.Event(), []

    def retriever(text: str) -> list[str]:
        calls.append(text)
        hanging.wait(60)
        return ["a"]

    report = evaluate(QUERIES, retriever=retriever, timeout=0.05, workers=1)
    hanging.set()
    assert len(calls) == 3
    reasons = list(report.failures.values())
    assert len([one for one in reasons if one.startswith("timeout")]) == 3
    assert len([one for one in reasons if one == "not asked: 3 earlier calls hang"]) == 9


def test_async_functions_run_side_by_side_in_one_loop() -> None:
    loops: set[int] = set()
    together: list[int] = []

    async def retriever(text: str) -> list[str]:
        loops.add(id(asyncio.get_running_loop()))
        together.append(1)
        while len(together) < 4:
            await asyncio.sleep(0.01)
        if number_in(text) == 5:
            await asyncio.sleep(60)
        if number_in(text) == 6:
            raise ValueError("no")
        return ["a"]

    report = evaluate(QUERIES, retriever=retriever, workers=4, timeout=5, metrics="recall")
    assert len(loops) == 1
    assert report.failures == {
        "q5": "timeout: no answer within 5 seconds",
        "q6": "ValueError: no",
    }
    assert recall(report)["q4"] == 0.5


def test_async_functions_can_be_evaluated_within_a_loop() -> None:
    async def retriever(_text: str) -> list[str]:
        return ["a"]

    async def main() -> Any:
        return evaluate(QUERIES[:2], retriever=retriever, metrics="recall")

    assert recall(asyncio.run(main())) == {"q0": 0.5, "q1": 0.5}


def test_no_more_than_so_many_calls_at_a_time() -> None:
    lock, now, most = threading.Lock(), [0], [0]
    three = threading.Barrier(3)

    def retriever(_text: str) -> list[str]:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        three.wait(60)
        with lock:
            now[0] -= 1
        return ["a"]

    assert not evaluate(QUERIES, retriever=retriever, workers=3).failures
    assert most[0] == 3


def test_the_report_does_not_depend_on_who_answers_first() -> None:
    def slow_first(text: str) -> list[str]:
        time.sleep(0.02 * (12 - number_in(text)))
        return ["a"] if number_in(text) % 3 else []

    def slow_last(text: str) -> list[str]:
        time.sleep(0.01 * number_in(text))
        return ["a"] if number_in(text) % 3 else []

    texts = [
        evaluate(QUERIES, retriever=one, workers=workers).to_json()
        for one in (slow_first, slow_last)
        for workers in (1, 12)
    ]
    assert len(set(texts)) == 1


def test_alone_and_without_a_limit_it_stays_in_the_thread_of_the_caller() -> None:
    threads = set()

    def retriever(_text: str) -> list[str]:
        threads.add(threading.current_thread())
        return ["a"]

    evaluate(QUERIES, retriever=retriever, workers=1, timeout=None)
    assert threads == {threading.current_thread()}


def test_a_query_needs_its_text_and_nobody_is_asked_before() -> None:
    calls: list[str] = []
    with pytest.raises(InputError, match='expected it in the field "query"') as error:
        evaluate({"q1": [["a"]], "q2": [["b"]]}, retriever=calls.append)
    assert [one.query for one in error.value.problems] == ["q1", "q2"]
    with pytest.raises(InputError, match="any one"):
        evaluate([{"id": "q", "query": "?", "ground_truth": ["a"]}], retriever=calls.append)
    assert calls == []


def test_ids_of_another_kind_are_told_after_the_first_call() -> None:
    calls: list[str] = []

    def retriever(text: str) -> list[int]:
        calls.append(text)
        return [1]

    with pytest.raises(InputError, match="ids='text'"):
        evaluate(QUERIES, retriever=retriever, workers=1)
    assert len(calls) == 1
    assert evaluate(QUERIES, retriever=retriever, ids="text").counts.scored == 12


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"workers": 0}, "workers: expected a whole number from 1 on, got 0"),
        ({"workers": 1.5}, "workers: expected a whole number from 1 on, got 1.5"),
        ({"timeout": 0}, "timeout: expected seconds above 0, or None; got 0"),
        ({"timeout": float("nan")}, "timeout: expected seconds above 0, or None; got nan"),
        ({"results": {}}, "both results and a retriever"),
    ],
)
def test_words_that_make_no_sense_are_refused(words: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        evaluate(QUERIES, retriever=lambda _text: ["a"], **words)


def test_progress_is_told_in_the_thread_of_the_caller() -> None:
    told_: list[tuple[int, threading.Thread]] = []

    def tell(done: int) -> None:
        told_.append((done, threading.current_thread()))

    evaluate(QUERIES, retriever=lambda _text: ["a"], progress=tell)
    of_calls = told_[:12]
    assert [done for done, _ in of_calls] == list(range(1, 13))
    assert {thread for _, thread in told_} == {threading.current_thread()}


def test_a_bar_is_shown_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with show_progress(3, None) as tell:
        assert tell is None
    monkeypatch.setattr(evaluate_retriever, "_has_terminal", lambda: True)
    with show_progress(3, None) as tell:
        assert tell is not None
        tell(2)
    assert capsys.readouterr().out == ""


def test_a_data_set_and_a_file_are_taken_too(tmp_path: Path) -> None:
    path = tmp_path / "qa.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in QUERIES), "utf-8")
    reports = [
        without_names(evaluate(one, retriever=lambda _text: ["a"], provenance=True))
        for one in (path, Dataset.model_validate(QUERIES), QUERIES)
    ]
    assert len(set(reports)) == 1


SCRIPT = """
import sys, time
from groupwise import evaluate
def retriever(text):
    print("asked", flush=True)
    time.sleep(600)
queries = [{"id": "q", "query": "?", "ground_truth": [["a"]]}]
try:
    evaluate(queries, retriever=retriever, timeout=TIMEOUT)
except KeyboardInterrupt:
    sys.exit(130)
print("reported", flush=True)
"""


def started(timeout: str) -> Any:
    command = [sys.executable, "-c", SCRIPT.replace("TIMEOUT", timeout)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stdout.readline() == "asked\n"
    return process


@pytest.mark.skipif(os.name == "nt", reason="signals are not allowed to other processes there")
@pytest.mark.parametrize("timeout", ["None", "300"])
def test_a_person_can_interrupt_it(timeout: str) -> None:
    process = started(timeout)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    process.stdout.close()


def test_the_program_ends_though_a_call_still_hangs() -> None:
    process = started("0.1")
    assert process.stdout.read() == "reported\n"
    assert process.wait(60) == 0
    process.stdout.close()


def sleep_once(seconds: float) -> Callable[[int], None]:
    """Return a callback that is slow when it is first called."""
    pauses = iter([seconds])
    return lambda _done: time.sleep(next(pauses, 0))


def test_a_slow_progress_callback_makes_no_timeouts() -> None:
    """All calls end at once; they are looked at later than their deadlines."""
    report = evaluate(
        QUERIES,
        retriever=lambda _text: ["a", "b"],
        metrics="recall",
        timeout=2,
        progress=sleep_once(2.5),
    )
    assert report.failures == {}
    assert report.scores["recall"] == 1.0


def test_a_call_that_ends_too_late_is_late_however_slow_progress_is() -> None:
    def retriever(text: str) -> list[str]:
        time.sleep(2.5 if text == "text 1" else 0)
        return ["a", "b"]

    report = evaluate(
        QUERIES[:2],
        retriever=retriever,
        metrics="recall",
        timeout=1.5,
        progress=sleep_once(3),
    )
    assert report.failures == {"q1": "timeout: no answer within 1.5 seconds"}


@pytest.mark.parametrize(("timeout", "spelled"), [(0.2, "0.2 seconds"), (1, "1 second")])
def test_a_generator_is_run_within_the_timeout(timeout: float, spelled: str) -> None:
    yielded: list[int] = []

    def endless(_text: str) -> Any:
        while True:
            time.sleep(0.01)
            yielded.append(1)
            yield "x"

    began = time.monotonic()
    report = evaluate(QUERIES[:1], retriever=endless, metrics="recall", timeout=timeout)
    assert report.failures == {"q0": f"timeout: no answer within {spelled}"}
    assert time.monotonic() - began < 5
    assert any(is_still(yielded) for _ in range(100))


def is_still(growing: list[int]) -> bool:
    """Whether nothing is added to a list for a while."""
    before = len(growing)
    time.sleep(0.1)
    return len(growing) == before


def test_async_generators_are_taken_too() -> None:
    async def retriever(_text: str) -> Any:
        for one in ("x", "a"):
            await asyncio.sleep(0)
            yield one

    assert recall(evaluate(QUERIES[:1], retriever=retriever, metrics="recall")) == {"q0": 0.5}


@pytest.mark.parametrize("name", ["id", "qid", "query_id"])
@pytest.mark.parametrize("given", ["q1", "Q0", 0])
def test_an_answer_for_another_query_is_a_failure(name: str, given: Any) -> None:
    answer = {name: given, "results": ["a", "b"]}
    report = evaluate(QUERIES[:2], retriever=lambda _text: answer, metrics="recall")
    expected = {"q0", "q1"} - {given}
    assert report.failures.keys() == expected
    assert all("expected the results of the query" in why for why in report.failures.values())
    assert recall(report) == {query: float(query not in expected) for query in ("q0", "q1")}


@pytest.mark.parametrize("name", ["id", "qid", "query_id"])
def test_an_answer_may_name_its_query(name: str) -> None:
    def retriever(text: str) -> dict[str, Any]:
        return {name: f"q{number_in(text)}", "results": ["a", "b"], "scores": [2, 1]}

    assert evaluate(QUERIES, retriever=retriever, metrics="recall").scores["recall"] == 1.0
