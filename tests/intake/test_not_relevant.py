"""Ids of documents judged not relevant: of the kind of all others, in every form of the input."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from groupwise import Dataset, InputError, evaluate, read, validate

Record = dict[str, Any]


def as_objects(records: list[Record], _folder: Path) -> Any:
    return records


def as_mapping(records: list[Record], _folder: Path) -> Any:
    return {record["id"]: {n: v for n, v in record.items() if n != "id"} for record in records}


def as_models(records: list[Record], _folder: Path) -> Any:
    return Dataset.model_validate(records)


def as_json(records: list[Record], folder: Path) -> Any:
    path = folder / "truth.json"
    path.write_text(json.dumps(records))
    return path


def as_json_lines(records: list[Record], folder: Path) -> Any:
    path = folder / "truth.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def as_table(records: list[Record], _folder: Path) -> Any:
    return pa.Table.from_pylist(records)


def as_parquet(records: list[Record], folder: Path) -> Any:
    path = folder / "truth.parquet"
    pq.write_table(pa.Table.from_pylist(records), path)
    return path


FORMS = [as_objects, as_mapping, as_models, as_json, as_json_lines, as_table, as_parquet]
Form = Callable[[list[Record], Path], Any]
PLAIN: Record = {"id": "q", "ground_truth": [[1]], "not_relevant": [2]}
OTHER: Record = {"id": "r", "ground_truth": [[5], [6]], "not_relevant": []}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("others", [[], [OTHER]])
@pytest.mark.parametrize("results", [["2", "1"], [2, 1]])
def test_ids_as_text_are_text_here_too(
    form: Form, others: list[Record], results: list[Any], tmp_path: Path
) -> None:
    """2 is judged against, and comes before 1: bpref is 0."""
    truth = form([PLAIN, *others], tmp_path)
    report = evaluate(truth, {"q": results}, metrics="trec:bpref", ids="text", missing="skip")
    assert report.scores["trec:bpref"] == 0.0
    assert "bpref" not in " ".join(report.warnings)


RICH: Record = {
    "id": "q",
    "ground_truth": [{"alternatives": [{"id": 1, "grade": 2}], "weight": 2}],
    "not_relevant": ["2"],
}


@pytest.mark.parametrize("form", [as_objects, as_mapping, as_json, as_json_lines])
@pytest.mark.parametrize("record", [RICH, {**PLAIN, "not_relevant": ["2"]}])
def test_kinds_that_differ_within_a_query_are_text_if_asked(
    form: Form, record: Record, tmp_path: Path
) -> None:
    truth = form([record], tmp_path)
    report = evaluate(truth, {"q": [2, 1]}, metrics="trec:bpref", ids="text")
    assert report.scores["trec:bpref"] == 0.0


MIXED: list[list[Record]] = [
    [{"id": "q", "ground_truth": [["a"]], "not_relevant": [2]}],
    [{"id": "q", "ground_truth": [["a"]], "not_relevant": []}, {**PLAIN, "id": "r"}],
    [
        {"id": "q", "ground_truth": [["a"]], "not_relevant": []},
        {"id": "r", "ground_truth": [], "not_relevant": [2]},
    ],
]


@pytest.mark.parametrize("form", [as_objects, as_mapping, as_json, as_json_lines])
@pytest.mark.parametrize("records", MIXED)
def test_a_whole_number_beside_strings_is_refused(
    form: Form, records: list[Record], tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="ids of both kinds: the string 'a'"):
        evaluate(form(records, tmp_path), {"q": ["a"]})


@pytest.mark.parametrize("form", [as_table, as_parquet])
def test_a_column_of_whole_numbers_beside_strings_is_refused(form: Form, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="ids of both kinds: the string 'a'"):
        evaluate(form(MIXED[0], tmp_path), {"q": ["a"]})


@pytest.mark.parametrize("form", FORMS)
def test_they_are_of_the_kind_of_the_results(form: Form, tmp_path: Path) -> None:
    alone = {"id": "q", "ground_truth": [], "not_relevant": [2]}
    truth = form([{**PLAIN, "id": "r"}, alone], tmp_path)
    with pytest.raises(InputError, match="ids of both kinds"):
        evaluate(truth, {"q": ["a"]})


@pytest.mark.parametrize("form", [as_json, as_json_lines])
@pytest.mark.parametrize("records", MIXED[:2])
def test_reading_and_validating_find_it_too(
    form: Form, records: list[Record], tmp_path: Path
) -> None:
    path = form(records, tmp_path)
    with pytest.raises(InputError, match="ids of both kinds"):
        read(path, role="ground_truth")
    assert "IO006" in validate(path).codes
