"""Tables in long form, as ranx has them: parquet, CSV and frames mean the same."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from groupwise import Dataset, File, InputError, Run, convert, evaluate, inspect, read
from groupwise.evaluator.formats import ranx
from groupwise.evaluator.formats.mapping import long_form
from groupwise.evaluator.formats.opening import detect_records
from tests.cli.shell import spawn
from tests.formats.shapes import SAMPLES

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
pandas = pytest.importorskip("pandas")

FOLDER = SAMPLES / "ranx"
QRELS: dict[str, list[Any]] = {
    "q_id": ["q1", "q1", "q1", "q2"], "doc_id": ["a", "b", "x", "e"], "score": [3, 1, 0, 1],
}  # fmt: skip
RUN: dict[str, list[Any]] = {
    "q_id": ["q1", "q1", "q2", "q2"],
    "doc_id": ["a", "x", "y", "e"],
    "score": [0.9, 0.4, 2.0, 12.0],
}


def write(path: Path, columns: dict[str, Any]) -> Path:
    parquet.write_table(pa.table(columns), path)
    return path


def truths(data: Dataset) -> dict[str, Any]:
    return {
        str(query.id): [
            [(a.id, a.grade) for a in g.alternatives] for g in query.ground_truth.groups
        ]
        for query in data
    }


TABLES: dict[str, Callable[[str, dict[str, list[Any]]], Any]] = {
    "parquet": lambda name, _: FOLDER / f"{name}.parquet",
    "csv": lambda name, _: FOLDER / f"{name}.csv",
    "pandas": lambda _, columns: pandas.DataFrame(columns),
    "objects": lambda _, columns: pandas.DataFrame(columns, dtype=object),
    "arrow": lambda _, columns: pa.table(columns),
}


@pytest.mark.parametrize("truth", TABLES)
@pytest.mark.parametrize("run", TABLES)
def test_every_pair_of_tables_gives_the_same_numbers(truth: str, run: str) -> None:
    """q1 finds a of a and b, at rank 1; q2 finds e at rank 1, by its score."""
    report = evaluate(
        TABLES[truth]("qrels", QRELS), TABLES[run]("run", RUN),
        profile="trec", metrics=["recall", "mrr", "ndcg"],
    )  # fmt: skip
    assert report.per_query == {
        "q1": {"recall": 0.5, "mrr": 1.0, "ndcg": pytest.approx(3 / (3 + 1 / 1.584962500721156))},
        "q2": {"recall": 1.0, "mrr": 1.0, "ndcg": 1.0},
    }


def test_rows_of_mappings_are_read_too() -> None:
    rows = [dict(zip(QRELS, row, strict=True)) for row in zip(*QRELS.values(), strict=True)]
    dataset = Dataset.from_huggingface(rows, flat="any")
    assert truths(dataset) == {"q1": [[("a", 3), ("b", 1)]], "q2": [[("e", 1)]]}
    run = Run.from_pandas(pandas.DataFrame(RUN))
    assert [query.ids() for query in run] == [["a", "x"], ["e", "y"]]


@pytest.mark.parametrize("name", ["qrels.parquet", "qrels.csv"])
def test_judgements_without_groups_ask_for_a_reading(name: str) -> None:
    with pytest.raises(InputError, match="flat"):
        evaluate(FOLDER / name, FOLDER / "run.parquet")


@pytest.mark.parametrize("name", ["run.parquet", "run.csv"])
def test_a_run_in_the_place_of_judgements_is_refused(name: str) -> None:
    done = spawn("evaluate", str(FOLDER / name), str(FOLDER / "qrels.parquet"), "--flat", "any")
    assert done.code == 3
    assert "expected a whole number as the grade, got 0.9" in done.err
    assert "are the files in the wrong order?" in done.err


def test_whole_scores_are_scores_in_a_run() -> None:
    run = read(FOLDER / "qrels.parquet", role="run")
    assert [(query.ids(), query.given_scores()) for query in run] == [
        (["a", "b", "x"], [3, 1, 0]),
        (["e"], [1]),
    ]


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_without_a_role_whole_scores_are_grades(suffix: str) -> None:
    assert isinstance(read(FOLDER / f"qrels.{suffix}", flat="all"), Dataset)
    assert isinstance(read(FOLDER / f"run.{suffix}"), Run)


def test_grades_of_fractions_without_a_remainder_are_whole(tmp_path: Path) -> None:
    """BEIR's qrels on the Hub have such scores."""
    columns = {"query-id": ["q"], "corpus-id": ["a"], "score": [2.0]}
    data = read(write(tmp_path / "qrels.parquet", columns), flat="any")
    assert isinstance(data, Dataset)
    assert truths(data) == {"q": [[("a", 2)]]}


def test_ids_that_are_numbers_stay_numbers() -> None:
    report = evaluate(FOLDER / "groups.parquet", {7: [12, 10], 8: [11]}, metrics="recall")
    assert report.per_query == {"7": {"recall": 1.0}, "8": {"recall": 0.0}}
    with pytest.raises(InputError, match=r"ids=.text.|--ids text"):
        evaluate(FOLDER / "groups.parquet", {7: ["12"], 8: ["11"]}, metrics="recall")


@pytest.mark.parametrize(
    ("columns", "role", "message"),
    [
        ({"qid": ["q"], "id": ["a"], "rank": [1]}, "ground_truth", "got results: .* column 'rank'"),
        ({"qid": ["q"], "id": ["a"], "grade": [1]}, "run", "got ground truth: .* column 'grade'"),
        ({"qid": ["q"], "doc_id": ["a"], "page": [2], "rank": [1]}, "run", "one id in two parts"),
        ({"qid": ["q", None], "id": ["a", "b"], "rank": [1, 2]}, "run", ":2: no query id"),
        ({"qid": ["q"], "id": [1.5], "rank": [1]}, "run", "a fraction is not an id"),
        ({"qid": ["q"], "id": ["a"], "score": [float("nan")]}, "run", "not a finite number"),
        ({"qid": ["q"], "id": ["a"], "score": [True]}, "run", "not a finite number"),
        ({"qid": ["q", "q"], "id": ["a", "a"], "rel": [1, 2]}, "ground_truth", "the grade 1 and"),
    ],
)  # fmt: skip
def test_what_is_unsound_is_named(
    columns: dict[str, list[Any]], role: Any, message: str, tmp_path: Path
) -> None:
    path = write(tmp_path / "table.parquet", columns)
    options: Any = {"role": role, **({} if role == "run" else {"flat": "any"})}
    with pytest.raises(InputError, match=message):
        read(path, **options)


def test_a_named_format_says_which_column_is_missing(tmp_path: Path) -> None:
    path = write(tmp_path / "table.parquet", {"doc_id": ["a"], "score": [1]})
    for name in ("ranx", "parquet-long"):
        with pytest.raises(
            InputError, match=r"no column query_id .*; the columns are 'doc_id, score'"
        ):
            read(File(path, format=name))


def test_a_table_of_questions_is_not_in_long_form(tmp_path: Path) -> None:
    path = write(tmp_path / "table.parquet", {"id": ["q"], "query": ["?"], "answer": ["!"]})
    with pytest.raises(InputError, match="no column 'ground_truth' or 'retrieval_gt'"):
        read(path)


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [0, 2, 1, 3]])
def test_a_large_table_is_streamed_if_its_queries_are_adjacent(
    order: list[int], tmp_path: Path
) -> None:
    columns: dict[str, list[Any]] = {
        "q_id": ["q", "q", "r", "r"], "doc_id": ["a", "b", "c", "d"], "score": [0.1, 0.2, 0.3, 0.4],
    }  # fmt: skip
    shuffled = {name: [values[at] for at in order] for name, values in columns.items()}
    path = write(tmp_path / "run.parquet", shuffled)
    with mock.patch.object(ranx, "LARGE_ROWS", 1), mock.patch.object(long_form, "LARGE_BYTES", 1):
        run = read(path, role="run")
    assert {str(query.id): query.ids() for query in run} == {"q": ["b", "a"], "r": ["d", "c"]}


def test_a_table_is_recognised_by_its_columns_and_converted(tmp_path: Path) -> None:
    assert [detect_records(FOLDER / f"{name}.parquet")[1] is not None for name in ("qrels", "run")]
    target = tmp_path / "run.jsonl"
    convert(FOLDER / "run.parquet", target)
    assert [json.loads(line)["results"] for line in target.read_text().splitlines()] == [
        ["a", "x"], ["e", "y"],
    ]  # fmt: skip


def test_the_compressed_run_of_ranx_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "run.lz4"
    path.write_bytes(b"\x04\x22\x4d\x18\x64\x40\xa7 and so on")
    for look_at in (read, inspect):
        with pytest.raises(InputError, match=r"LZ4.*save a run of ranx as JSON or parquet"):
            look_at(path)


def test_all_columns_of_the_long_form_are_read(tmp_path: Path) -> None:
    columns = {
        "query_id": [1, 1, 1], "query": [5, 5, 5], "group": [1, 1, 2], "id": ["a", "b", "c"],
        "grade": [2.0, 1.0, 1.0], "weight": [3, None, 1], "label": [None, 7, None],
        "text": ["x", None, None],
    }  # fmt: skip
    (query,) = read(write(tmp_path / "long.parquet", columns), role="ground_truth")
    assert query.query == "5"
    groups = query.ground_truth.groups
    assert [(g.weight, g.label) for g in groups] == [(3, "7"), (1, None)]
    assert [[(a.id, a.grade, a.text) for a in g.alternatives] for g in groups] == [
        [("a", 2, "x"), ("b", 1, None)],
        [("c", 1, None)],
    ]


@pytest.mark.parametrize(
    ("scores", "results"),
    [
        ([0.1, 0.3, 0.3], ["b", "c", "a"]),
        ([1, 3, 2], ["b", "c", "a"]),
        ([None, None, None], ["a", "b", "c"]),
    ],
)
def test_results_are_ordered_by_score_and_equal_ones_as_they_come(
    scores: list[Any], results: list[str], tmp_path: Path
) -> None:
    columns = {"qid": ["q"] * 3, "docid": ["a", "b", "c"], "score": pa.array(scores, pa.float64())}
    (query,) = read(write(tmp_path / "run.parquet", columns), role="run")
    assert query.ids() == results


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("odd", [[["a"], ["b"]], [{"x": 1}, {"x": 2}]], ids=["lists", "objects"])
@pytest.mark.parametrize("column", ["q_id", "doc_id", "group"])
def test_lists_and_objects_are_no_ids(
    column: str, odd: list[Any], large: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if large:
        monkeypatch.setattr(ranx, "LARGE_ROWS", 0)
    columns = {"q_id": ["q1", "q1"], "doc_id": ["a", "b"], "group": ["1", "2"], "grade": [1, 1]}
    path = write(tmp_path / "odd.parquet", {**columns, column: odd})
    with pytest.raises(InputError, match=r"odd\.parquet:1: .* is not an id; an id is"):
        read(path, role="ground_truth")
    frame = pandas.DataFrame({**columns, column: odd})
    with pytest.raises(InputError, match="is not an id; an id is"):
        Dataset.from_pandas(frame)
