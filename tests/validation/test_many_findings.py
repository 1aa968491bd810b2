"""Bad records beyond those that are described cost little: what grows with them is counted."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from groupwise import validate
from groupwise.evaluator.validation.engine.quick_count import QuickCount
from groupwise.evaluator.validation.engine.source_check import SourceCheck

Record = dict[str, Any]


def counted(owner: type, name: str) -> Any:
    """Return a context in which a method is called as ever, by a mock that counts the calls."""
    return mock.patch.object(owner, name, autospec=True, side_effect=getattr(owner, name))


def write(path: Path, records: list[Record]) -> Path:
    lines = path.suffix == ".jsonl"
    path.write_text("\n".join(map(json.dumps, records)) if lines else json.dumps(records))
    return path


BAD: dict[str, Callable[[int], Record]] = {
    "without any id": lambda n: {"id": f"q{n}", "ground_truth": [[""]], "results": []},
    "with ids": lambda n: {"id": f"q{n}", "ground_truth": [["a"], []], "results": ["a"]},
    "with grades by id": lambda n: {"id": f"q{n}", "ground_truth": {"a": 1, "b": 0}},
    "too deep": lambda n: {"id": f"q{n}", "ground_truth": [[["a"]], ["b"]], "results": ["b"]},
    "with an object for results": lambda n: {
        "id": f"q{n}",
        "ground_truth": [["a"]],
        "results": {"ids": ["a"]},
    },
    "with scores that are texts": lambda n: {
        "id": f"q{n}",
        "ground_truth": [["a"]],
        "results": ["a"],
        "scores": ["0.5"],
    },
    "one of ten": lambda n: {"id": f"q{n}", "ground_truth": [["a"], *[[]] * (n % 10 == 0)]},
}


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
@pytest.mark.parametrize("kind", BAD)
def test_within_a_block_only_what_is_described_goes_through_the_models(
    kind: str, suffix: str, tmp_path: Path
) -> None:
    path = write(tmp_path / f"bad{suffix}", list(map(BAD[kind], range(600))))
    with counted(SourceCheck, "_validate") as models:
        report = validate(path, max_findings=7)
    assert (len(report.findings), report.counts.error) == (7, 60 if "ten" in kind else 600)
    assert models.call_count == 7


@pytest.mark.parametrize(("kind", "described"), [("without any id", 0), ("with ids", 1)])
def test_one_record_tells_the_kind_of_ids(kind: str, described: int, tmp_path: Path) -> None:
    path = write(tmp_path / "bad.jsonl", list(map(BAD[kind], range(600))))
    with counted(SourceCheck, "_validate") as models:
        assert validate(path, max_findings=0).counts.error == 600
    assert models.call_count == described


def test_a_blank_query_id_is_no_reason_to_look_for_odd_characters(tmp_path: Path) -> None:
    records: list[Record] = [{"id": " ", "ground_truth": [["a"]], "results": ["a"]}] * 600
    path = write(tmp_path / "bad.jsonl", records)
    with counted(SourceCheck, "_validate") as models:
        report = validate(path, max_findings=7)
    assert report.by_code["GT002"] == 600
    assert "GT011" not in report.by_code
    assert models.call_count == 7


def test_records_before_the_first_id_are_taken_together(tmp_path: Path) -> None:
    calls = {}
    for number in (100, 400):
        path = write(tmp_path / "bad.json", list(map(BAD["without any id"], range(number))))
        with counted(QuickCount, "take") as taken:
            validate(path, max_findings=7)
        calls[number] = taken.call_count
    assert calls[400] == calls[100]
