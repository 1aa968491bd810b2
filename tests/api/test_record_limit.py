"""``max_record_bytes`` of a File holds wherever that is read, and for it alone."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import groupwise
from groupwise import File, InputError
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
Call = Callable[[Callable[[str], File]], Any]
CALLS: dict[str, Call] = {
    "evaluate": lambda file: groupwise.evaluate(file("both.jsonl")),
    "evaluate a pair": lambda file: groupwise.evaluate(file("truth.jsonl"), "run.jsonl"),
    "evaluate a list": lambda file: groupwise.evaluate(file("both.json")),
    "Evaluator": lambda file: groupwise.Evaluator(file("truth.jsonl")),
    "compare": lambda file: groupwise.compare(
        file("truth.jsonl"), {"a": "run.jsonl", "b": "run.jsonl"}
    ),
    "power": lambda file: groupwise.power(file("truth.jsonl"), {"a": "run.jsonl"}),
    "explain": lambda file: groupwise.explain(file("truth.jsonl"), "run.jsonl"),
    "suggest": lambda file: groupwise.suggest(file("truth.jsonl"), run="run.jsonl"),
    "remap": lambda file: groupwise.remap(
        file("truth.jsonl"), old={"a": "t"}, new={"n": "t"}, lossy=True
    ),
    "convert": lambda file: groupwise.convert(file("truth.jsonl"), "copy.json"),
    "read": lambda file: groupwise.read(file("truth.jsonl")),
    "assert_valid": lambda file: groupwise.assert_valid(file("truth.jsonl"), select=["IO"]),
}


def limited(size: int | None) -> Callable[[str], File]:
    return lambda path: File(path, max_record_bytes=size)


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
        CALLS[name](limited(1 << 20))
    assert "raise the limit with File(…, max_record_bytes=…)" in str(error.value)


@pytest.mark.usefixtures("low")
@pytest.mark.parametrize("name", CALLS)
def test_the_call_takes_precedence_over_the_environment(name: str) -> None:
    CALLS[name](limited(1 << 22))
    with pytest.raises((InputError, AssertionError), match=r"of more than 1 MiB"):
        CALLS[name](limited(None))


@pytest.mark.parametrize("name", CALLS)
def test_it_ends_with_the_call(name: str) -> None:
    with pytest.raises((InputError, AssertionError)):
        CALLS[name](limited(1 << 20))
    CALLS[name](limited(None))


@pytest.mark.usefixtures("low")
def test_each_file_has_a_limit_of_its_own() -> None:
    (record := RUN[40].copy())["results"] = [LONG]
    Path("long.jsonl").write_text(f"{json.dumps(record)}\n")
    evaluator = groupwise.Evaluator(File("truth.jsonl", max_record_bytes=1 << 22))
    found = evaluator.evaluate(File("long.jsonl", max_record_bytes=1 << 22))
    assert found.counts.missing == len(RUN) - 1
    with pytest.raises(InputError, match=r"long.jsonl.* of more than 1 MiB"):
        evaluator.evaluate("long.jsonl")


@pytest.mark.usefixtures("low")
def test_a_report_reads_its_files_again_under_the_same_limit() -> None:
    report = groupwise.evaluate(
        File("truth.jsonl", max_record_bytes=1 << 22), File("run.jsonl", max_record_bytes=1 << 22)
    )
    assert report.explain("q40").queries["q40"].groups[0].met


@pytest.mark.usefixtures("low")
def test_other_processes_have_it_too() -> None:
    alone = groupwise.evaluate(File("both.jsonl", max_record_bytes=1 << 22))
    with pretend_processes(2000) as used:
        shared = groupwise.evaluate(File("both.jsonl", max_record_bytes=1 << 22), jobs=2)
    assert used.parts > 1
    assert shared.to_json() == alone.to_json()


def test_each_thread_has_its_own() -> None:
    def is_refused(limit: int) -> bool:
        try:
            groupwise.evaluate(File("both.jsonl", max_record_bytes=limit))
        except InputError:
            return True
        return False

    limits = [1 << 20, 1 << 22] * 8
    with ThreadPoolExecutor(8) as threads:
        assert [*threads.map(is_refused, limits)] == [limit == 1 << 20 for limit in limits]
