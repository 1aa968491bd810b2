"""Records with suspicious query ids are found by hash, and reported as if all were looked at."""

import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, evaluate, validate
from groupwise.evaluator.intake.seen_ids import Suspects
from groupwise.evaluator.reading.records import Batch
from groupwise.evaluator.validation.engine.source_check import SourceCheck

IDS = st.sampled_from(["q1", "q2", "q3", 1, "1", None, " ", "é"])
NAMES = st.sampled_from(["id", "id", "id", "qid"])
LIMITS = (0, 1, 2, 1000)


@st.composite
def record(draw: st.DrawFn) -> Any:
    """A record, mostly a sound one."""
    if draw(st.integers(0, 20)) == 0:
        return draw(st.sampled_from([[], 7, {}, {"ground_truth": [["a"]]}]))
    groups = draw(st.sampled_from([[["a"]], [["a"], ["b"]], [], [[]], {"a": 1}, {"a": 0}, {}]))
    return {draw(NAMES): draw(IDS), "ground_truth": groups, "results": ["a", "x"]}


def write(folder: Path, name: str, records: list[Any]) -> Path:
    path = folder / name
    path.write_text("".join(f"{json.dumps(each)}\n" for each in records), encoding="utf-8")
    return path


def look_at_all(*_given: Any) -> None:
    """Find nothing at C speed."""


@given(records=st.lists(record(), min_size=1, max_size=8), run=st.lists(IDS, max_size=5))
def test_findings_are_those_of_looking_at_every_record(
    tmp_path_factory: pytest.TempPathFactory, records: list[Any], run: list[Any]
) -> None:
    folder = tmp_path_factory.mktemp("data")
    data = write(folder, "data.jsonl", records)
    rankings = write(folder, "run.jsonl", [{"id": each, "results": ["a"]} for each in run])
    for limit in LIMITS:
        for given_run in (None, rankings):
            found = validate(data, run=given_run, max_findings=limit).to_json()
            with patch.object(Suspects, "find", look_at_all):
                assert validate(data, run=given_run, max_findings=limit).to_json() == found


@given(records=st.lists(record(), min_size=1, max_size=8))
def test_problems_are_those_of_looking_at_every_record(
    tmp_path_factory: pytest.TempPathFactory, records: list[Any]
) -> None:
    data = write(tmp_path_factory.mktemp("data"), "data.jsonl", records)

    def list_problems() -> str:
        try:
            return evaluate(data).to_json()
        except InputError as error:
            return str(error)

    found = list_problems()
    with patch.object(Suspects, "find", look_at_all):
        assert list_problems() == found


def test_records_with_other_query_ids_are_not_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [f"q{number}" for number in range(200)]
    records = [{"id": each, "ground_truth": [["a"]]} for each in [*ids, "q7", "q7"]]
    usual, looked_at = SourceCheck._read_case, []

    def read_case(check: SourceCheck, batch: Batch, number: int) -> Any:
        looked_at.append(number)
        return usual(check, batch, number)

    monkeypatch.setattr(SourceCheck, "_read_case", read_case)
    report = validate(write(tmp_path, "data.jsonl", records), max_findings=1)
    assert report.by_code["GT001"] == 2
    assert looked_at == [7, 200]  # the first, and the one that is described
