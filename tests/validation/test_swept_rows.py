"""Clean rows beside others: each is counted, whichever walk tells that it is clean."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groupwise import validate
from groupwise.evaluator.native import fallback, loader
from groupwise.evaluator.reading import jsonl
from groupwise.evaluator.reading.aside import LinesAside
from groupwise.evaluator.reading.records import NumberedLines
from groupwise.evaluator.validation.engine import sweep

RECORDS = [
    {"id": "q0", "ground_truth": [["u", "v", "w"]], "not_relevant": ["c"]},
    {"id": "q1", "ground_truth": [["u", "o"]]},
    {"id": "q2", "ground_truth": [["u"]]},
]


@pytest.mark.parametrize("walk", [loader.walk, fallback], ids=["as it is", "in Python"])
def test_rows_that_share_an_id_are_all_counted(
    walk: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "walk", walk)
    found = validate(RECORDS, k=3, profile="trec").statistics
    assert found is not None
    assert (found.queries, found.groups_per_query) == (3, {1: 3})
    assert found.alternatives_per_group == {1: 1, 2: 1, 3: 1}


USUAL = {"ground_truth": [["a"], ["b"]], "results": ["x", "a", "b"]}
ODD: dict[str, dict[str, Any]] = {
    "GT004": {"ground_truth": [["a"], []]},
    "GT007": {"ground_truth": [["a", "a"]]},
    "GT011": {"ground_truth": [["caf\u00e9\u200b"]]},
    "RN001": {"results": ["a", "b", "a"]},
    "IO006": {"results": ["x", "a", None]},
    "IO008": {"unknown": 1},
}


def write_lines(path: Path, spell: Callable[[dict[str, Any]], str]) -> Path:
    """Write 400 records, three of which are spelled in another way."""
    records = [{"id": f"q{number}", **USUAL} for number in range(400)]
    lines = [json.dumps(record) for record in records]
    for number in (150, 250, 399):
        lines[number] = spell(records[number])
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


@pytest.fixture
def aside(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the lines that are set aside."""
    numbers: list[int] = []
    add = LinesAside.add

    def watch(lines: LinesAside, added: NumberedLines) -> None:
        numbers.extend(added.numbers)
        add(lines, added)

    monkeypatch.setattr(LinesAside, "add", watch)
    monkeypatch.setattr(jsonl, "PACKED_BYTES", 9000)
    return numbers


compiled = pytest.mark.skipif(not loader.COMPILED, reason="not allowed: rankings are packed in C")


@compiled
@pytest.mark.parametrize("code", ODD)
def test_only_lines_that_are_not_clean_are_parsed(
    code: str, tmp_path: Path, aside: list[int]
) -> None:
    path = write_lines(tmp_path / "both.jsonl", lambda record: json.dumps({**record, **ODD[code]}))
    report = validate(path)
    assert report.by_code[code] == 3
    assert [finding.line for finding in report.findings if finding.code == code] == [151, 251, 400]
    assert report.statistics is not None
    assert report.statistics.queries == 400
    assert aside == [151, 251, 400]


@compiled
@pytest.mark.parametrize(
    ("code", "spell"),
    [
        ("IO001", lambda record: json.dumps(record)[:-1]),
        ("IO001", lambda record: json.dumps(record)[:-3]),
        ("IO004", lambda record: json.dumps(record)[:-1] + ',"id":"p"}'),
    ],
)
def test_lines_with_broken_text_are_found_among_others(
    code: str, spell: Callable[[dict[str, Any]], str], tmp_path: Path, aside: list[int]
) -> None:
    report = validate(write_lines(tmp_path / "both.jsonl", spell))
    assert report.by_code[code] == 3
    assert [finding.line for finding in report.findings if finding.code == code] == [151, 251, 400]
    assert aside == [151, 251, 400]


@compiled
def test_blank_lines_among_others_are_no_records(tmp_path: Path, aside: list[int]) -> None:
    report = validate(write_lines(tmp_path / "both.jsonl", lambda _record: " "))
    assert report.statistics is not None
    assert report.statistics.queries == 397
    assert not report.findings
    assert aside == [151, 251, 400]
