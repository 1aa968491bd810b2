"""Data sets as parquet, as the Hugging Face Hub has them, mean what their JSON means.

The Hub stores a list of objects as a list of structs, or as a struct of lists. Each sample is
written by hand; what it must be read as is in ``test_rag_datasets``.
"""

import gzip
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from groupwise import Dataset, File, InputError, Run, evaluate
from groupwise.evaluator.formats.opening import detect_records
from groupwise.evaluator.formats.parquet_rows import open_rows
from groupwise.evaluator.formats.registry import list_formats
from groupwise.evaluator.reading.detection import take_sample
from groupwise.evaluator.reading.options import Options, Role
from groupwise.evaluator.reading.records import Reading
from groupwise.evaluator.reading.source import Source
from tests.cli.shell import spawn
from tests.formats.reading import file_of
from tests.formats.shapes import JSON_SAMPLES, OF_FOLDER, SAMPLES, SHAPES
from tests.formats.test_rag_datasets import EXPECTED, EXPECTED_RESULTS, bare
from tests.formats.test_rag_malformed import WHOLE, mutated, taken
from tests.strategies import FEWER

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

CLAIM = ("id", "label", "claim", "verifiable")
PIECE = ("evidence_annotation_id", "evidence_id", "evidence_wiki_url", "evidence_sentence_id")


def records_of(name: str) -> list[Any]:
    """The records of a sample, with values that a column can hold."""
    text = (SAMPLES / name).read_text("utf-8")
    records = list(map(json.loads, text.splitlines())) if name.endswith("l") else json.loads(text)
    prepare = {
        "hotpotqa": name_facts,
        "kilt": name_pages,
        "fever": list_pieces,
        "promptfoo": list_tests,
    }
    form = OF_FOLDER[name]
    return prepare[form](records) if form in prepare else list(records)


def name_facts(records: list[Any]) -> list[Any]:
    """A column has no pairs of text and number: the Hub has objects with title and sent_id."""
    for record in records:
        if isinstance(record["supporting_facts"], list):
            facts = [
                dict(zip(("title", "sent_id"), f, strict=True)) for f in record["supporting_facts"]
            ]
            pages = [{"title": title, "sentences": lines} for title, lines in record["context"]]
            record |= {"supporting_facts": facts, "context": pages, "evidences": None}
    return records


def name_pages(records: list[Any]) -> list[Any]:
    """A column has ids of one kind."""
    for record in records:
        for output in record["output"]:
            for page in output.get("provenance", ()):
                page["wikipedia_id"] = str(page["wikipedia_id"])
                page.pop("meta", None)
    return records


def list_pieces(records: list[Any]) -> list[Any]:
    """The Hub has a row per piece of evidence."""
    return [
        {name: record[name] for name in CLAIM} | dict(zip(PIECE, piece, strict=True))
        for record in records
        for pieces in record["evidence"]
        for piece in ([907, -1, "", -1] if piece[1] is None else piece for piece in pieces)
    ]


def list_tests(found: Any) -> list[Any]:
    """The rows of a file, with every context as a list; a column has no empty objects."""
    rows = found if isinstance(found, list) else found["results"]
    rows = rows["results"] if isinstance(rows, dict) else rows
    for row in rows:
        for variables in (row["vars"], row.get("testCase", {}).get("vars", {})):
            if isinstance(variables.get("context"), str):
                variables["context"] = [variables["context"]]
    return [without_empty(row) for row in rows]


def without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_empty(part) for name, part in value.items() if part not in ({}, [])}
    return [without_empty(part) for part in value] if isinstance(value, list) else value


def in_columns(value: Any) -> Any:
    """Every list of objects as an object of lists, at every depth."""
    if isinstance(value, dict):
        return {name: in_columns(part) for name, part in value.items()}
    if isinstance(value, list) and value and all(isinstance(part, dict) for part in value):
        names = dict.fromkeys(name for part in value for name in part)
        return {name: [in_columns(part.get(name)) for part in value] for name in names}
    return [in_columns(part) for part in value] if isinstance(value, list) else value


def all_in_columns(records: list[Any]) -> list[Any]:
    """The same for all records: where one has no objects, it has empty columns."""
    found = [in_columns(record) for record in records]
    for name in dict.fromkeys(name for record in found for name in record):
        columns = next((r[name] for r in found if isinstance(r.get(name), dict)), None)
        for record in found:
            if columns and record.get(name) == []:
                record[name] = {column: [] for column in columns}
    return found


def write(path: Any, records: list[Any]) -> Any:
    names = dict.fromkeys(name for record in records for name in record)
    columns = {name: [record.get(name) for record in records] for name in names}
    parquet.write_table(pa.table(columns), path)
    return path


def read(path: Path, role: Role) -> dict[str, Any]:
    records, found = detect_records(path, Options(role=role))
    assert found is not None
    reading = Reading()
    values = [value for batch in records.batches(reading) for value in batch.values]
    assert reading.problems == []
    return {"format": found.name, "values": {str(value["id"]): value for value in values}}


TABLES = {
    "structs": lambda records: records,
    "columns": all_in_columns,
}
SINGLE = [name for name in EXPECTED if JSON_SAMPLES.get(name, WHOLE[0]) not in WHOLE]
RUNS = [name for name in EXPECTED_RESULTS if JSON_SAMPLES.get(name, WHOLE[0]) not in WHOLE]


@pytest.mark.parametrize("form", TABLES)
@pytest.mark.parametrize("name", SINGLE)
def test_a_table_is_recognised_and_has_the_groups_of_its_json(
    name: str, form: str, tmp_path: Path
) -> None:
    path = write(tmp_path / "data.parquet", TABLES[form](records_of(name)))
    found = read(path, "ground_truth")
    assert found["format"] == OF_FOLDER[name]
    truths = {key: bare(value.get("ground_truth")) for key, value in found["values"].items()}
    assert truths == EXPECTED[name]


@pytest.mark.parametrize("form", TABLES)
@pytest.mark.parametrize("name", RUNS)
def test_a_table_of_results_has_the_results_of_its_json(
    name: str, form: str, tmp_path: Path
) -> None:
    path = write(tmp_path / "data.parquet", TABLES[form](records_of(name)))
    found = read(path, "run")
    assert found["format"] == OF_FOLDER[name]
    results = {key: bare([value["results"]])[0] for key, value in found["values"].items()}
    assert results == EXPECTED_RESULTS[name]


def test_every_data_set_that_is_read_as_json_lines_is_here() -> None:
    assert {OF_FOLDER[name] for name in [*SINGLE, *RUNS]} == {*OF_FOLDER.values()} - {*WHOLE}


def test_a_compressed_table_is_evaluated_on_the_command_line(tmp_path: Path) -> None:
    """Of the first question the first of two pages is found, of the second none."""
    run = tmp_path / "run.jsonl"
    run.write_text('{"id": "h1", "results": ["x", "Aldmoor"]}\n{"id": "h2", "results": ["x"]}\n')
    packed = tmp_path / "hotpotqa.parquet.gz"
    packed.write_bytes(gzip.compress((SAMPLES / "hub/hotpotqa.parquet").read_bytes()))
    done = spawn("evaluate", str(packed), str(run), "-m", "recall", "--format", "json")
    assert done.code == 0
    assert json.loads(done.out)["scores"] == {"recall": 0.25}


def test_a_table_of_goldens_with_results_is_evaluated_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "goldens.parquet", records_of("deepeval/goldens.json"))
    assert evaluate(path, metrics="recall").scores == {"recall": 0.75}


def test_a_row_without_a_part_of_an_id_is_named(tmp_path: Path) -> None:
    records = records_of("financebench/open_source.jsonl")
    records[1]["evidence"][1]["doc_name"] = None
    path = write(tmp_path / "data.parquet", records)
    with pytest.raises(InputError, match=r"data.parquet:2: /evidence/1: no evidence_doc_name or"):
        evaluate(path, {"q": ["a"]})


def test_a_value_in_a_column_is_named_with_its_place(tmp_path: Path) -> None:
    record = {"id": "h", "question": "?", "context": {"title": ["T"]}}
    facts = {"title": ["T", " "], "sent_id": [0, 1]}
    path = write(tmp_path / "data.parquet", [record | {"supporting_facts": facts}])
    with pytest.raises(InputError, match=r":1: /supporting_facts/title/1: expected a non-blank"):
        evaluate(path, {"h": ["a"]})


def test_a_claim_that_reappears_is_a_repeated_query(tmp_path: Path) -> None:
    """Rows of a claim are adjacent on the Hub; elsewhere its evidence would be torn apart."""
    rows = list_pieces(json.loads(f"[{(SAMPLES / 'fever/dev.jsonl').read_text().splitlines()[0]}]"))
    other = rows[0] | {"id": 9}
    path = write(tmp_path / "data.parquet", [rows[0], other, rows[1]])
    with pytest.raises(InputError, match=r"query id"):
        evaluate(path, {"1": ["a"]})


def test_columns_count_although_the_first_row_has_nothing_in_them(tmp_path: Path) -> None:
    """As in JSON, where a null is a field: this golden has no results yet."""
    goldens = records_of("deepeval/goldens.json")
    table = write(tmp_path / "goldens.parquet", [goldens[0] | {"context": None}, goldens[1]])
    with pytest.raises(InputError, match=r"goldens.parquet:1: no context"):
        evaluate(table, {"q": ["a"]})


def test_our_own_columns_take_precedence(tmp_path: Path) -> None:
    """A file with groups is ours, whatever other columns it has."""
    record = records_of("hotpotqa/dev.json")[0] | {"id": "q", "ground_truth": [["a"]]}
    path = write(tmp_path / "data.parquet", [record])
    records, found = detect_records(path)
    assert found is not None
    assert found.name == "parquet"
    assert [b.values[0]["ground_truth"] for b in records.batches(Reading())] == [[["a"]]]


def test_a_table_of_nothing_known_says_which_columns_there_are(tmp_path: Path) -> None:
    path = write(tmp_path / "data.parquet", [{"frage": "?", "seiten": ["a"]}])
    with pytest.raises(InputError, match="there are 'frage', 'seiten'"):
        evaluate(path, {"q": ["a"]})


def test_an_empty_table_is_not_recognised(tmp_path: Path) -> None:
    schema = pa.schema([("user_input", pa.string()), ("reference_contexts", pa.list_(pa.string()))])
    parquet.write_table(schema.empty_table(), tmp_path / "data.parquet")
    with pytest.raises(InputError, match="no column"):
        evaluate(tmp_path / "data.parquet", {"q": ["a"]})


@pytest.mark.parametrize("name", ["hotpotqa", "deepeval"])
def test_a_named_format_reads_rows_too(name: str, tmp_path: Path) -> None:
    """By name, a table whose first row is unsound is read, and the row is reported."""
    sample = {"hotpotqa": "hotpotqa/dev.json", "deepeval": "deepeval/goldens.json"}[name]
    records = records_of(sample)
    records[0]["question" if name == "hotpotqa" else "input"] = None
    path = write(tmp_path / "data.parquet", records)
    with pytest.raises(InputError, match=r"data.parquet:1: no (question|input)"):
        evaluate(File(path, format=name), {"q": ["a"]})


@pytest.mark.parametrize("form", [form for form in SHAPES if form not in WHOLE])
@FEWER
@given(data=st.data())
def test_an_unsound_row_is_a_problem_and_nothing_else(form: str, data: st.DataObject) -> None:
    """Whatever a column can hold of a changed record, as objects or in columns."""
    names = [name for name, owner in JSON_SAMPLES.items() if owner == form]
    record = data.draw(mutated([record for name in names for record in records_of(name)]))
    role = data.draw(st.sampled_from([None, *sorted(list_formats()[form].holds)]))
    assume(record and isinstance(record, dict))
    in_form = record if data.draw(st.booleans()) else in_columns(record)
    buffer = io.BytesIO()
    try:
        write(buffer, [in_form])
    except (pa.ArrowException, OverflowError):
        assume(False)
    with file_of(buffer.getvalue(), ".parquet") as path:
        rows, problems = taken(list_formats()[form].read(Source(path), Options(role=role)), role)
    assert rows or problems.count
    assert all(str(problem) for problem in problems.kept)


def as_pandas(records: list[Any]) -> Any:
    return pytest.importorskip("pandas").DataFrame(records)


FRAMES: dict[str, Callable[[list[Any]], Any]] = {
    "arrow": pa.Table.from_pylist,
    "pandas": as_pandas,
    "pandas through parquet": lambda records: as_pandas(records).map(as_arrays),
}


def as_arrays(cell: Any) -> Any:
    """Lists as NumPy arrays at every depth, as pandas reads parquet."""
    numpy = pytest.importorskip("numpy")
    if isinstance(cell, dict):
        return {name: as_arrays(part) for name, part in cell.items()}
    if not isinstance(cell, list):
        return cell
    found = numpy.empty(len(cell), dtype=object)
    found[:] = [as_arrays(part) for part in cell]
    return found


@pytest.mark.parametrize("form", TABLES)
@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize("name", SINGLE)
def test_a_frame_has_the_groups_of_its_json(name: str, kind: str, form: str) -> None:
    frame = FRAMES[kind](TABLES[form](records_of(name)))
    dataset = Dataset.from_pandas(frame) if "pandas" in kind else Dataset.from_arrow(frame)
    groups = {
        str(query.id): [[one.id for one in g.alternatives] for g in query.ground_truth.groups]
        for query in dataset
    }
    assert groups == {query: found or [] for query, found in EXPECTED[name].items()}


def test_rows_of_the_hub_are_evaluated_with_results_by_question() -> None:
    """As ``load_dataset`` gives them: rows that are mappings."""
    rows = records_of("hotpotqa/dev.json")
    dataset = Dataset.from_huggingface(rows)
    report = evaluate(dataset, {"h1": ["Aldmoor"], "h2": ["Brill", "Aldmoor"]}, metrics="recall")
    assert report.per_query == {"h1": {"recall": 0.5}, "h2": {"recall": 1.0}}


def test_a_frame_of_ground_truth_alone_is_no_run() -> None:
    with pytest.raises(InputError, match="expected results, got HotpotQA"):
        Run.from_huggingface(records_of("hotpotqa/dev.json"))


PARQUET_SAMPLES = sorted(path.relative_to(SAMPLES) for path in SAMPLES.rglob("*.parquet"))
LONG_TABLES = {"ranx", "parquet-long"}


@pytest.mark.parametrize("name", PARQUET_SAMPLES, ids=str)
def test_the_rows_of_a_sample_are_those_of_one_format(name: Path) -> None:
    """ranx's tables are in long form, too, and are asked first."""
    file = open_rows(Source(SAMPLES / name))
    sample = replace(take_sample(Source(SAMPLES / name)), row=file.first_row())
    tables = [known for known in list_formats().values() if ".parquet" in known.suffixes]
    found = {known.name for known in tables if known.recognises(sample)} - {"parquet"}
    expected = {"hub": {name.stem}, "parquet": set()}
    assert found == expected.get(name.parts[0], found & LONG_TABLES)
    assert found or name.parts[0] == "parquet"
