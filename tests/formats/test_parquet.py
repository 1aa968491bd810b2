"""Parquet: AutoRAG's files and our own, what is read of them, and what is said of broken ones."""

import gzip
import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pyarrow as pa
import pytest
from pyarrow import parquet

from groupwise import File, InputError, LossyConversion, convert, evaluate
from groupwise import read as read_whole
from groupwise.evaluator.formats.parquet import FORMATS, parquet_records
from groupwise.evaluator.reading.detection import Sample
from groupwise.evaluator.reading.options import Options, Role
from groupwise.evaluator.reading.records import Reading
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.reading.tables import ROWS_PER_BATCH
from groupwise.schemas import Query
from tests.cli.shell import spawn
from tests.paths import AUTORAG, PARQUET

TEXTS = pa.list_(pa.string())
GROUPS = pa.list_(TEXTS)


def read(path: Path, role: Role | None = None, **fields: str) -> list[Any]:
    records = parquet_records(
        Source(path), Options(role=role, fields=fields, texts=role == "corpus")
    )
    return [value for batch in records.batches(Reading()) for value in batch.values]


def written(folder: Path, name: str = "a.parquet", **columns: Any) -> Path:
    path = folder / name
    arrays = {
        column: value if isinstance(value, pa.Array) else pa.array(value)
        for column, value in columns.items()
    }
    parquet.write_table(pa.table(arrays), path)
    return path


def refusal(path: Path, role: Role | None = None) -> str:
    """What is said of a file, without its name; it is one line."""
    with pytest.raises(InputError) as error:
        read(path, role)
    (problem,) = error.value.problems
    assert problem.source == str(path)
    assert "\n" not in problem.message
    return problem.message


def test_ground_truth_as_autorag_has_it() -> None:
    assert read(PARQUET / "qa.parquet", "ground_truth") == [
        {
            "qid": "q1",
            "retrieval_gt": [["a", "b"]],
            "query": "who wrote it",
            "generation_gt": ["Ann"],
        },
        {
            "qid": "q2",
            "retrieval_gt": [["c"], ["d", "e"]],
            "query": "when and where",
            "generation_gt": ["1901, Rome", "Rome in 1901"],
        },
        {"qid": "q3", "retrieval_gt": [], "query": "why", "generation_gt": []},
    ]


def test_results_as_autorag_has_them_go_by_their_place() -> None:
    records = parquet_records(Source(PARQUET / "result.parquet"), Options(role="run"))
    (batch,) = records.batches(Reading())
    assert batch.keys == ["0", "1", "2"]
    assert batch.values == [
        {"retrieved_ids": ["b", "x"], "retrieve_scores": [0.9, 0.1]},
        {"retrieved_ids": ["c", "y"], "retrieve_scores": [0.8, 0.3]},
        {"retrieved_ids": ["z"], "retrieve_scores": [0.5]},
    ]


def test_a_corpus_as_autorag_has_it() -> None:
    assert read(PARQUET / "corpus.parquet", "corpus") == [
        {
            "id": "a", "text": "text a", "document": "book.pdf", "start": 0, "end": 6,
            "metadata": {"page": 1},
        },
        {
            "id": "b", "text": "text b", "document": "book.pdf", "start": 7, "end": 13,
            "metadata": {"page": 2},
        },
        {"id": "c", "text": "text c", "metadata": {}},
    ]  # fmt: skip


def test_whole_numbers_stay_numbers_and_groups_in_full_are_whole() -> None:
    first, second = read(PARQUET / "whole-numbers.parquet")
    assert first == {
        "id": 7,
        "ground_truth": [
            {
                "alternatives": [{"id": 1, "grade": 2.0}, {"id": 2}],
                "weight": 3.0,
                "label": "vital",
            }
        ],
        "results": [2, 9],
    }
    assert second["ground_truth"] == [
        {"alternatives": [{"id": 3}]},
        {"alternatives": [{"id": 4}]},
    ]
    assert type(first["results"][0]) is int


def test_results_without_ids_are_paired_with_the_ground_truth_by_their_order() -> None:
    report = evaluate(PARQUET / "qa.parquet", PARQUET / "result.parquet", metrics="recall")
    assert dict(report.per_query) == {
        "q1": {"recall": 1.0},
        "q2": {"recall": 0.5},
        "q3": {"recall": None},
    }
    assert (report.counts.unanswerable, report.counts.missing, report.counts.extra) == (1, 0, 0)


def test_results_without_ids_and_ground_truth_must_be_equally_many(tmp_path: Path) -> None:
    for count in (2, 4):
        path = written(tmp_path, retrieved_ids=[["a"]] * count)
        with pytest.raises(InputError, match="rows without query ids for 3 queries"):
            evaluate(PARQUET / "qa.parquet", path)


def test_one_file_can_hold_both_and_be_either() -> None:
    both, truth = PARQUET / "best.parquet", PARQUET / "qa.parquet"
    alone = evaluate(both, metrics="recall")
    assert dict(alone.per_query) == {
        "q1": {"recall": 1.0},
        "q2": {"recall": 0.5},
        "q3": {"recall": None},
    }
    assert evaluate(truth, both, metrics="recall").per_query == alone.per_query
    assert evaluate(both, both, metrics="recall").per_query == alone.per_query


def test_a_flat_ground_truth_asks() -> None:
    run = {"q1": ["a"], "q2": ["c"]}
    with pytest.raises(InputError, match="must all of them be found, or any one") as error:
        evaluate(PARQUET / "flat.parquet", run)
    assert [(one.query, one.line) for one in error.value.problems] == [("q1", 1), ("q2", 2)]
    path = PARQUET / "flat.parquet"
    assert evaluate(path, run, flat="any", metrics="recall").scores == {"recall": 1.0}
    assert evaluate(path, run, flat="all", metrics="recall").scores == {"recall": 0.75}


def test_grades_and_weights_count() -> None:
    path = PARQUET / "whole-numbers.parquet"
    report = evaluate(path, metrics=["coverage:recall", "trec:ndcg"])
    # q7: document 2 of grade 1 at rank 1, document 1 of grade 2 is not found: 1 / (2 + 1/log2(3)).
    assert report.per_query["7"]["trec:ndcg"] == pytest.approx(1 / (2 + 0.6309297535714575))
    assert report.per_query["8"]["trec:ndcg"] == 1.0


def test_ids_of_both_kinds_between_files_are_refused(tmp_path: Path) -> None:
    truth = written(tmp_path, "t.parquet", id=["q"], ground_truth=[[[1, 2]]])
    run = written(tmp_path, "r.parquet", id=["q"], results=[["1"]])
    with pytest.raises(InputError, match=r"ids of both kinds.*ids='text'"):
        evaluate(truth, run)
    assert evaluate(truth, run, ids="text", metrics="recall").scores == {"recall": 1.0}


@pytest.mark.parametrize(
    "kind",
    [
        pa.large_list(pa.large_list(pa.large_string())),
        pa.list_(pa.list_(pa.dictionary(pa.int32(), pa.string()))),
        pa.list_(pa.list_(pa.string(), 1)),
    ],
    ids=str,
)
def test_lists_and_strings_of_other_layouts_are_read_alike(kind: Any, tmp_path: Path) -> None:
    truth = [[["a"], ["b"]], [["c"]], []]
    path = written(tmp_path, id=["1", "2", "3"], ground_truth=pa.array(truth, kind))
    assert [one["ground_truth"] for one in read(path)] == truth


RANKINGS = [["a", "x", "b"], ["ä", "c"], []]
HITS = {"recall": [1.0, 0.5, 0.0], "recall@1": [0.5, 0.0, 0.0]}


@pytest.mark.parametrize(
    "kind",
    [
        pa.list_(pa.string()),
        pa.large_list(pa.large_string()),
        pa.list_(pa.dictionary(pa.int32(), pa.string())),
        *([pa.list_(pa.string_view())] if hasattr(pa, "string_view") else ()),  # from 16 on
    ],
    ids=str,
)
@pytest.mark.parametrize("rows", [1, 2, 3], ids="{} rows".format)
def test_rankings_of_any_layout_are_matched_alike(kind: Any, rows: int, tmp_path: Path) -> None:
    ids = ["1", "2", "3"][:rows]
    truth = written(tmp_path, id=ids, ground_truth=[[["a"], ["b"]], [["c"], ["d"]], [["e"]]][:rows])
    run = written(tmp_path, "r.parquet", id=ids, results=pa.array(RANKINGS[:rows], kind))
    report = evaluate(truth, run, metrics=["recall", "recall@1"])
    found = {name: [report.per_query[one][name] for one in ids] for name in HITS}
    assert found == {name: values[:rows] for name, values in HITS.items()}


def test_strings_that_are_not_utf8_are_one_line(tmp_path: Path) -> None:
    offsets = pa.array([0, 1, 2, 4], pa.int32()).buffers()[1]
    texts = pa.Array.from_buffers(pa.string(), 3, [None, offsets, pa.py_buffer(b"ab\xff\xfe")])
    results = pa.ListArray.from_arrays(pa.array([0, 2, 3], pa.int32()), texts)
    message = refusal(written(tmp_path, id=["1", "2"], results=results))
    assert message.startswith("the column 'results' cannot be read: 'utf-8' codec")


def compression(path: Path) -> dict[str, str]:
    group = parquet.ParquetFile(path).metadata.row_group(0)
    columns = [group.column(number) for number in range(group.num_columns)]
    return {one.path_in_schema: one.compression for one in columns}


@pytest.mark.parametrize(("ids", "expected"), [("abab", True), ("abca", False)])
def test_ids_that_come_again_are_written_once(ids: str, expected: bool, tmp_path: Path) -> None:
    run = tmp_path / "run.jsonl"
    run.write_text("".join(f'{{"id": "{n}", "results": ["{one}"]}}\n' for n, one in enumerate(ids)))
    convert(run, tmp_path / "run.parquet")
    column = parquet.ParquetFile(tmp_path / "run.parquet").metadata.row_group(0).column(1)
    assert ("RLE_DICTIONARY" in column.encodings) is expected
    assert [one["results"] for one in read(tmp_path / "run.parquet")] == [[one] for one in ids]


def test_lists_of_ids_are_written_without_compression_and_texts_with_it(tmp_path: Path) -> None:
    truth, run = tmp_path / "truth", tmp_path / "run"
    record = {"id": "q", "query": "why?", "ground_truth": [["a"]]}
    truth.with_suffix(".jsonl").write_text(json.dumps(record))
    run.with_suffix(".jsonl").write_text(json.dumps({"id": "q", "results": ["a"]}))
    for path in (truth, run):
        convert(path.with_suffix(".jsonl"), path.with_suffix(".parquet"))
    assert compression(truth.with_suffix(".parquet")) == {
        "id": "SNAPPY",
        "query": "SNAPPY",
        "ground_truth.list.element.list.element": "UNCOMPRESSED",
    }
    results = compression(run.with_suffix(".parquet"))
    assert results == {"id": "SNAPPY", "results.list.element": "UNCOMPRESSED"}


@pytest.mark.parametrize("kind", [pa.int8(), pa.int32(), pa.uint16(), pa.uint64()], ids=str)
def test_whole_numbers_of_all_widths_are_ids(kind: Any, tmp_path: Path) -> None:
    path = written(tmp_path, id=["1"], results=pa.array([[5, 7]], pa.list_(kind)))
    assert read(path) == [{"id": "1", "results": [5, 7]}]


@pytest.mark.parametrize(
    ("number", "kind"), [(2**63, pa.uint64()), (-(2**63), pa.int64())], ids=str
)
def test_whole_numbers_that_are_too_large_are_named(number: int, kind: Any, tmp_path: Path) -> None:
    run = written(tmp_path, id=["1"], results=pa.array([[number]], pa.list_(kind)))
    with pytest.raises(InputError, match=f"the number {number} is too large") as error:
        evaluate({"1": [[5]]}, run)
    assert (error.value.problems[0].line, error.value.problems[0].query) == (1, "1")


@pytest.mark.parametrize("kind", [pa.uint8(), pa.int64(), pa.uint64()], ids=str)
def test_rankings_of_whole_numbers_are_matched(kind: Any, tmp_path: Path) -> None:
    rankings = pa.array([[], [7, 5], [], [1]], pa.list_(kind))
    run = written(tmp_path, id=["0", "1", "2", "3"], results=rankings)
    truth = {"0": [[5]], "1": [[5], [6]], "2": [[5]], "3": [[5], [1]]}
    report = evaluate(truth, run, metrics=["recall", "mrr"])
    found = {query: (one["recall"], one["mrr"]) for query, one in report.per_query.items()}
    # One of two groups is found, at rank 2 and at rank 1; the mean is over both groups.
    assert found == {"0": (0, 0), "1": (0.5, 1 / 4), "2": (0, 0), "3": (0.5, 1 / 2)}


def test_many_rows_come_in_batches_with_their_numbers(tmp_path: Path) -> None:
    ids = [f"q{number}" for number in range(1000)]
    results = [[f"d{number}", f"e{number}"][: number % 3] for number in range(1000)]
    path = tmp_path / "a.parquet"
    table = pa.table({"id": ids, "results": pa.array(results, TEXTS)})
    parquet.write_table(table, path, row_group_size=170)
    records = parquet_records(Source(path), Options())
    for _ in range(2):
        found, numbers = [], []
        for batch in records.batches(Reading()):
            assert len(batch.values) <= ROWS_PER_BATCH
            found += batch.values
            numbers += [batch.place(number, ())[0] for number in range(len(batch.values))]
        assert [(one["id"], one["results"]) for one in found] == list(
            zip(ids, results, strict=True)
        )
        assert numbers == list(range(1, 1001))


def test_a_problem_has_its_row(tmp_path: Path) -> None:
    truths = [[["a"]]] * 99 + [[["a"], [" "]]]
    path = written(tmp_path, qid=[str(one) for one in range(100)], retrieval_gt=truths)
    with pytest.raises(InputError) as error:
        evaluate(path, {"0": ["a"]})
    (problem,) = error.value.problems
    assert (problem.line, problem.query, problem.pointer) == (100, "99", "/retrieval_gt/1/0")
    assert "a blank id" in problem.message


@pytest.mark.parametrize(
    ("truth", "said"),
    [
        ([[["a"]], None], "null"),
        ([[["a"]], [None]], "null"),
        ([[["a"]], [["b", None]]], "null is not an id"),
        ([[["a"]], [[]]], "an empty group"),
    ],
)
def test_nulls_and_gaps_within_are_named(truth: Any, said: str, tmp_path: Path) -> None:
    path = written(tmp_path, qid=["q1", "q2"], retrieval_gt=pa.array(truth, GROUPS))
    with pytest.raises(InputError, match=said) as error:
        evaluate(path, {"q1": ["a"], "q2": ["a"]})
    assert [(one.line, one.query) for one in error.value.problems] == [(2, "q2")]


def test_a_query_without_an_id_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, qid=["q1", None], retrieval_gt=[[["a"]], [["b"]]])
    with pytest.raises(InputError, match="null is not a query id"):
        evaluate(path, {"q1": ["a"]})


def test_scores_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, id=["q"], results=[["a", "b"]], scores=[[1.0, float("nan")]])
    with pytest.raises(InputError, match="finite"):
        evaluate({"q": [["a"]]}, path)


def test_other_columns_are_left_alone(tmp_path: Path) -> None:
    path = written(tmp_path, id=["q"], results=[["a"]], odd=[b"\xff"], other=[{"a": 1}])
    assert read(path, "run") == [{"id": "q", "results": ["a"]}]


def test_a_column_of_another_name_can_be_named(tmp_path: Path) -> None:
    path = written(tmp_path, question_id=["q"], retrieved_ids_semantic=[["a"]])
    found = read(path, "run", id="question_id", results="retrieved_ids_semantic")
    assert found == [{"id": "q", "results": ["a"]}]
    with pytest.raises(InputError, match="no column 'nothing'"):
        read(path, "run", results="nothing")


@pytest.mark.parametrize(
    ("columns", "role", "said"),
    [
        ({"qid": ["q"]}, "ground_truth", "no column 'ground_truth' or 'retrieval_gt'"),
        ({"retrieval_gt": [[["a"]]]}, "ground_truth", "no column 'id' or 'qid' or 'query_id'"),
        ({"id": ["q"], "result": [["a"]]}, "run", "did you mean 'result'?"),
        ({"odd": [1]}, None, "there are 'odd'"),
        ({"contents": ["a"]}, "corpus", "no column 'id' or 'doc_id' or '_id'"),
        ({"id": [1.5], "results": [["a"]]}, "run", "'id' is of type double"),
        ({"id": ["q"], "results": ["a"]}, "run", "'results' is of type string"),
        ({"id": ["q"], "results": [[1.5]]}, "run", "it should hold lists of strings or whole"),
        ({"id": ["q"], "results": [[b"a"]]}, "run", "is of type list<element: binary>"),
        ({"id": ["q"], "results": [["a"]], "scores": [["1"]]}, "run", "lists of numbers"),
        ({"qid": ["q"], "retrieval_gt": ["[['a']]"]}, "ground_truth", "lists of groups"),
        ({"id": ["q"], "qid": ["q"], "results": [["a"]]}, "run", "'id' and 'qid' both hold the id"),
    ],
)
def test_a_wrong_column_is_one_clear_line(
    columns: dict[str, Any], role: Role, said: str, tmp_path: Path
) -> None:
    assert said in refusal(written(tmp_path, **columns), role)


def sound() -> bytes:
    return (PARQUET / "qa.parquet").read_bytes()


@contextmanager
def holding(data: bytes, folder: Path, name: str = "a.parquet") -> Iterator[Path]:
    path = folder / name
    path.write_bytes(data)
    yield path


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "the file is empty"),
        (b"PAR1", "cut short"),
        (sound()[:700], "cut short"),
        (sound()[:-1], "cut short"),
        (b'{"id": "q1"}\n', "this is not parquet"),
        (b"PARE" + sound()[4:], "encrypted"),
        (sound()[:-4] + b"PARE", "encrypted"),
    ],
    ids=["empty", "magic only", "half", "a byte short", "JSON", "PARE", "PARE at the end"],
)
def test_a_file_that_is_no_parquet_is_one_clear_line(
    data: bytes, said: str, tmp_path: Path
) -> None:
    with holding(data, tmp_path) as path:
        assert said in refusal(path)


@pytest.mark.parametrize(
    ("name", "role"),
    [("qa.parquet", "ground_truth"), ("result.parquet", "run"), ("corpus.parquet", "corpus")],
)
def test_gzipped_parquet_is_the_same_in_every_role(name: str, role: Role, tmp_path: Path) -> None:
    plain = PARQUET / name
    with holding(gzip.compress(plain.read_bytes()), tmp_path, f"{name}.gz") as path:
        assert read(path, role) == read(plain, role)
        with pytest.raises(InputError, match="the limit"):
            parquet_records(Source(path, max_bytes=100), Options(role=role))


def test_a_damaged_file_is_a_value_or_one_clear_line(tmp_path: Path) -> None:
    """Each byte in turn is another one: nothing but an InputError comes out."""
    data = sound()
    refused: list[InputError] = []
    for place in range(4, len(data) - 4, 3):
        broken = data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :]
        with holding(broken, tmp_path) as path:
            try:
                evaluate(path, {"q1": ["a"]})
            except InputError as error:
                refused.append(error)
    assert len(refused) > 50
    assert all("\n" not in one.message for error in refused for one in error.problems)


def test_a_file_with_encrypted_columns_is_one_clear_line(tmp_path: Path) -> None:
    message = "Cannot decrypt ColumnMetadata. FileDecryptor is not setup correctly"
    with mock.patch.object(parquet, "ParquetFile", side_effect=OSError(message)):
        assert "a column is encrypted" in refusal(PARQUET / "qa.parquet")


def test_no_such_file_and_no_pyarrow_are_one_line_each(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.parquet") == "no such file"
    with mock.patch.dict(sys.modules, {"pyarrow.parquet": None}):
        assert "pip install pyarrow" in refusal(PARQUET / "qa.parquet")


def test_standard_input_can_be_parquet() -> None:
    stream = mock.Mock(buffer=io.BytesIO(sound()))
    with mock.patch.object(sys, "stdin", stream):
        records = parquet_records(Source("-"), Options(role="ground_truth"))
        assert sum(len(batch.values) for batch in records.batches(Reading())) == 3


@pytest.mark.parametrize(("name", "rows"), [("qa_data_sample", 10), ("gen_by_autorag_qa", 20)])
def test_the_real_files_of_autorag_are_recognised(name: str, rows: int) -> None:
    path = AUTORAG / "data" / f"{name}.parquet"
    sample = Sample("any.name", path.read_bytes()[:100])
    assert [one.name for one in FORMATS if one.recognises(sample)] == ["parquet"]
    assert len(read(path)) == rows


def groups_in(path: Path | File) -> dict[str, Any]:
    dataset = read_whole(path, role="ground_truth")
    return {one.id: one.ground_truth.truth() for one in dataset.queries if isinstance(one, Query)}


@pytest.mark.parametrize("name", ["qa_data_sample", "gen_by_autorag_qa"])
def test_autorag_to_jsonl_to_diversity_qrels_and_back_are_the_same_groups(
    name: str, tmp_path: Path
) -> None:
    source, jsonl = AUTORAG / "data" / f"{name}.parquet", tmp_path / "a.jsonl"
    qrels, again, back = tmp_path / "a.qrels", tmp_path / "b.jsonl", tmp_path / "b.parquet"
    convert(source, jsonl)
    with pytest.raises(LossyConversion, match="the text of queries"):
        convert(File(jsonl, subtopics=True), qrels)
    assert not qrels.exists()
    convert(File(jsonl, subtopics=True), qrels, lossy=True)
    convert(File(qrels, subtopics=True), again)
    convert(again, back, to="autorag")
    rows = parquet.read_table(source).to_pylist()
    expected = {row["qid"]: row["retrieval_gt"] for row in rows}
    assert groups_in(jsonl) == groups_in(again) == groups_in(back) == expected
    assert groups_in(File(qrels, subtopics=True)) == expected


def test_autorag_to_autorag_loses_nothing(tmp_path: Path) -> None:
    source, target = AUTORAG / "data" / "gen_by_autorag_qa.parquet", tmp_path / "qa.parquet"
    assert convert(source, target, to="autorag").lost == ()
    found, expected = (
        {row["qid"]: row for row in parquet.read_table(path).to_pylist()}
        for path in (target, source)
    )
    assert found == expected


def test_texts_are_read_where_they_count(tmp_path: Path) -> None:
    truth, run = PARQUET / "qa.parquet", PARQUET / "result.parquet"
    report = evaluate(truth, run, metrics="recall@4t", characters_per_token=2)
    # "text b" has 3 tokens, "text x" 3 more: one result of each query fits into 4.
    assert dict(report.per_query["q1"]) == {"recall@4t": 1.0}
    with pytest.raises(InputError, match="a budget of tokens needs"):
        evaluate(truth, run, metrics="recall@4t")


def test_a_column_is_named_on_the_command_line(tmp_path: Path) -> None:
    path = written(tmp_path, retrieved_ids_semantic=[["b"], ["c"], []])
    words = ("evaluate", str(PARQUET / "qa.parquet"), str(path), "-m", "recall", "--format", "json")
    done = spawn(*words, "--map", "results=retrieved_ids_semantic")
    assert (done.code, json.loads(done.out)["scores"]) == (0, {"recall": 0.75})
    refused = spawn(*words)
    assert refused.code == 3
    assert "did you mean 'retrieved_ids_semantic'?" in refused.err
    assert [line.partition(" ")[0] for line in refused.err.splitlines()] == ["error:", "try:", ""]
    assert refused.err.endswith("--map 'id=#,results=retrieved_ids_semantic'\n")


def test_a_truncated_file_is_one_line_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "qa.parquet"
    path.write_bytes(sound()[:900])
    done = spawn("evaluate", str(path), str(PARQUET / "result.parquet"))
    assert (done.code, done.out) == (3, "")
    assert done.err == f"error: {path}: the parquet file is cut short: it does not end with PAR1\n"


def test_a_data_set_that_is_no_json_gets_no_fingerprint_and_says_so() -> None:
    path, corpus = str(PARQUET / "qa.parquet"), str(PARQUET / "corpus.parquet")
    done = spawn("fingerprint", path, "--corpus", corpus)
    assert (done.code, done.out) == (3, "")
    assert "into JSON and JSON Lines only" in done.err
