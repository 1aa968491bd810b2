"""``max_record_bytes`` holds for all that a call reads, wherever, and for that call alone."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import groupwise
from groupwise import InputError
from tests.jobs import pretend_processes

LONG = "x" * 3_000_000
RECORDS: list[dict[str, Any]] = [
    {
        "id": f"q{number}",
        "query": LONG if number == 40 else "short",
        "ground_truth": [["a"], [f"d{number}"]],
        "results": ["a", "b"],
    }
    for number in range(60)
]
TRUTHS = [{key: each[key] for key in ("id", "query", "ground_truth")} for each in RECORDS]
RUN = [{"id": each["id"], "results": each["results"]} for each in RECORDS]
Call = Callable[..., Any]
CALLS: dict[str, Call] = {
    "evaluate": lambda **limit: groupwise.evaluate("both.jsonl", **limit),
    "evaluate a pair": lambda **limit: groupwise.evaluate("truth.jsonl", "run.jsonl", **limit),
    "evaluate a list": lambda **limit: groupwise.evaluate("both.json", **limit),
    "Evaluator": lambda **limit: groupwise.Evaluator("truth.jsonl", **limit),
    "compare": lambda **limit: groupwise.compare(
        "truth.jsonl", {"a": "run.jsonl", "b": "run.jsonl"}, **limit
    ),
    "power": lambda **limit: groupwise.power("truth.jsonl", {"a": "run.jsonl"}, **limit),
    "explain": lambda **limit: groupwise.explain("truth.jsonl", "run.jsonl", **limit),
    "suggest": lambda **limit: groupwise.suggest("truth.jsonl", run="run.jsonl", **limit),
    "remap": lambda **limit: groupwise.remap(
        "truth.jsonl", old={"a": "t"}, new={"n": "t"}, lossy=True, **limit
    ),
    "convert": lambda **limit: groupwise.convert("truth.jsonl", "copy.json", **limit),
    "read": lambda **limit: groupwise.read("truth.jsonl", **limit),
    "assert_valid": lambda **limit: groupwise.assert_valid(
        "truth.jsonl", select=["IO"], **limit
    ),
}  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, records in (("both", RECORDS), ("truth", TRUTHS), ("run", RUN)):
        lines = "".join(f"{json.dumps(record)}\n" for record in records)
        (tmp_path / f"{name}.jsonl").write_text(lines)
    (tmp_path / "both.json").write_text(json.dumps(RECORDS))
    return tmp_path


@pytest.fixture
def low(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUPWISE_MAX_RECORD_BYTES", "1M")


@pytest.mark.parametrize("name", CALLS)
def test_a_longer_record_is_refused(name: str) -> None:
    with pytest.raises((InputError, AssertionError), match=r"of more than 1 MiB") as error:
        CALLS[name](max_record_bytes=1 << 20)
    assert "raise the limit with max_record_bytes=…" in str(error.value)


@pytest.mark.usefixtures("low")
@pytest.mark.parametrize("name", CALLS)
def test_the_call_takes_precedence_over_the_environment(name: str) -> None:
    CALLS[name](max_record_bytes=1 << 22)
    with pytest.raises((InputError, AssertionError), match=r"of more than 1 MiB"):
        CALLS[name]()


@pytest.mark.parametrize("name", CALLS)
def test_it_ends_with_the_call(name: str) -> None:
    with pytest.raises((InputError, AssertionError)):
        CALLS[name](max_record_bytes=1 << 20)
    CALLS[name]()


@pytest.mark.usefixtures("low")
def test_an_evaluator_has_it_for_each_run() -> None:
    (record := RUN[40].copy())["results"] = [LONG]
    Path("long.jsonl").write_text(f"{json.dumps(record)}\n")
    evaluator = groupwise.Evaluator("truth.jsonl", max_record_bytes=1 << 22)
    assert evaluator.evaluate("long.jsonl").counts.missing == len(RUN) - 1


@pytest.mark.usefixtures("low")
def test_a_report_reads_its_files_again_under_the_same_limit() -> None:
    report = groupwise.evaluate("truth.jsonl", "run.jsonl", max_record_bytes=1 << 22)
    assert report.explain("q40").queries["q40"].groups[0].met


@pytest.mark.usefixtures("low")
def test_other_processes_have_it_too() -> None:
    alone = groupwise.evaluate("both.jsonl", max_record_bytes=1 << 22)
    with pretend_processes(2000) as used:
        shared = groupwise.evaluate("both.jsonl", max_record_bytes=1 << 22, jobs=2)
    assert used.parts > 1
    assert shared.to_json() == alone.to_json()


def test_each_thread_has_its_own() -> None:
    def is_refused(limit: int) -> bool:
        try:
            groupwise.evaluate("both.jsonl", max_record_bytes=limit)
        except InputError:
            return True
        return False

    limits = [1 << 20, 1 << 22] * 8
    with ThreadPoolExecutor(8) as threads:
        assert [*threads.map(is_refused, limits)] == [limit == 1 << 20 for limit in limits]
