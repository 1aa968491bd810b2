"""Clean rows beside others: each is counted, whichever walk tells that it is clean."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from groupwise import validate
from groupwise.evaluator.native import fallback, loader
from groupwise.evaluator.reading import jsonl
from groupwise.evaluator.reading.packing import PackedBatch
from groupwise.evaluator.reading.records import Batch
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


ODD: dict[str, dict[str, object]] = {
    "GT004": {"ground_truth": [["a"], []]},
    "GT007": {"ground_truth": [["a", "a"]]},
    "GT011": {"ground_truth": [["caf\u00e9\u200b"]]},
    "RN001": {"results": ["a", "b", "a"]},
}


@pytest.mark.skipif(not loader.COMPILED, reason="not allowed: rankings are packed in C")
@pytest.mark.parametrize("code", ODD)
def test_only_lines_that_are_not_clean_are_parsed(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "both.jsonl"
    usual = {"ground_truth": [["a"], ["b"]], "results": ["x", "a", "b"]}
    odd = dict.fromkeys((150, 250, 399), ODD[code])
    records = [{"id": f"q{n}", **usual, **odd.get(n, {})} for n in range(400)]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    selected: list[int] = []
    select = PackedBatch.select

    def watch(batch: PackedBatch, rows: Sequence[int]) -> Batch | None:
        selected.extend(rows)
        return select(batch, rows)

    monkeypatch.setattr(PackedBatch, "select", watch)
    monkeypatch.setattr(jsonl, "PACKED_BYTES", 9000)
    report = validate(path)
    assert report.by_code[code] == 3
    assert [finding.line for finding in report.findings if finding.code == code] == [151, 251, 400]
    assert report.statistics is not None
    assert report.statistics.queries == 400
    assert len(selected) == 3
