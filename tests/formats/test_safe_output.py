"""Ids that are formulas or commands of a runner: made harmless where that changes no data."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from groupwise import InputError, convert, evaluate, read, validate
from groupwise.evaluator.reporting.forms import render
from groupwise.evaluator.text import json_safe, printable

COMMANDS = ["::stop-commands::x", "  ::error::x", "##[add-path]x", "a ##[stop-commands]x"]
FORMULAS = ["=1+1", "+cmd", "@SUM(1)", "-2+3"]


def write(path: Path, *records: Any) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def is_command(line: str) -> bool:
    """Whether a runner obeys the line, as actions/runner tells it (ActionCommand.cs)."""
    return line.lstrip().startswith("::") or "##[" in line


@pytest.mark.parametrize("id_", COMMANDS)
@pytest.mark.parametrize("form", ["csv", "markdown", "json", "jsonl", "table"])
def test_no_line_of_a_report_is_a_command(id_: str, form: str) -> None:
    report = evaluate({id_: [["a"]]}, {id_: ["a"]}, metrics="recall")
    text = render(report, form)
    assert not any(map(is_command, text.splitlines()))


def test_the_same_data_comes_out_of_json() -> None:
    text = json.dumps(COMMANDS)
    assert "##[" not in json_safe(text)
    assert json.loads(json_safe(text)) == COMMANDS


@pytest.mark.parametrize("id_", COMMANDS)
def test_what_people_read_is_no_command(id_: str) -> None:
    assert not is_command(printable(id_))
    assert printable("a::b") == "a::b"


@pytest.mark.parametrize("id_", ["::stop-commands::x", " ::error::a,b", '::a"b'])
def test_no_line_of_converted_csv_begins_with_a_command(id_: str, tmp_path: Path) -> None:
    path = write(tmp_path / "truth.jsonl", {"id": id_, "ground_truth": [["a", id_]]})
    convert(path, tmp_path / "truth.csv")
    text = (tmp_path / "truth.csv").read_text()
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())
    assert [row["query_id"] for row in csv.DictReader(text.splitlines())] == [id_, id_]
    (query,) = read(tmp_path / "truth.csv", role="ground_truth")
    assert (query.id, query.ground_truth.truth()) == (id_, [["a", id_]])


@pytest.mark.parametrize("formula", FORMULAS)
def test_formulas_are_written_as_they_are_with_a_warning(formula: str, tmp_path: Path) -> None:
    truth = write(tmp_path / "truth.jsonl", {"id": "q", "ground_truth": [[formula]]})
    run = write(tmp_path / "run.jsonl", {"id": formula, "results": ["a"]})
    for path, role in ((truth, "ground_truth"), (run, "run")):
        done = convert(path, path.with_suffix(".csv"), role=role)  # type: ignore[arg-type]
        (warning,) = done.warnings
        assert warning.startswith("1 query with cells that a spreadsheet reads as formulas")
    (query,) = read(truth.with_suffix(".csv"), role="ground_truth")
    assert query.ground_truth.truth() == [[formula]]


def test_numbers_are_no_formulas(tmp_path: Path) -> None:
    path = write(tmp_path / "run.jsonl", {"id": "-5", "results": ["a"], "scores": [-1.5]})
    assert convert(path, tmp_path / "run.csv").warnings == ()


@pytest.mark.parametrize("text", ['{"t": 1, "t": 2}', '{"a": {"t": 1, "u": 0, "t": 2}}'])
def test_a_key_that_json_text_in_parquet_repeats_is_refused(text: str, tmp_path: Path) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "truth.parquet"
    columns = {"id": ["p", "q"], "ground_truth": [[["a"]]] * 2, "metadata": ['{"t": 1}', text]}
    parquet.write_table(pa.table(columns), path)
    with pytest.raises(InputError, match="the key 't' is repeated in 'metadata'") as caught:
        read(path, role="ground_truth")
    assert [problem.line for problem in caught.value.problems] == [2]
    with pytest.raises(InputError, match="the key 't' is repeated"):
        evaluate(path, {"q": ["a"]}, metrics="recall")
    assert "IO004" in {finding.code for finding in validate(path).findings}


def test_a_key_that_json_text_in_a_frame_repeats_is_refused() -> None:
    pandas = pytest.importorskip("pandas")
    columns = {"id": ["q"], "ground_truth": [[["a"]]], "metadata": ['{"t": 1, "t": 2}']}
    with pytest.raises(InputError, match="the key 't' is repeated in 'metadata'"):
        evaluate(pandas.DataFrame(columns), {"q": ["a"]}, metrics="recall")
