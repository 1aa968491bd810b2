"""Data sets and runs from frames and tables of other libraries."""

import sys
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from groupwise import Dataset, File, InputError, Run, evaluate
from tests.comparing import without_names
from tests.paths import AUTORAG, PARQUET

TRUTH = {"qid": ["q1", "q2"], "retrieval_gt": [[["a", "b"], ["c"]], [["d"]]]}
RESULTS = {
    "qid": ["q1", "q2"],
    "retrieved_ids": [["a", "x"], ["d"]],
    "retrieve_scores": [[2.0, 1.0], [0.5]],
}
GROUPS = {"q1": [["a", "b"], ["c"]], "q2": [["d"]]}
RECALL = {"q1": {"recall": 0.5}, "q2": {"recall": 1.0}}


def groups(dataset: Dataset) -> dict[str, Any]:
    return {
        one.id: [[a.id for a in group.alternatives] for group in one.ground_truth.groups]
        for one in dataset
    }


def polars_frame(columns: dict[str, Any]) -> Any:
    polars = pytest.importorskip("polars", reason="polars is in the extra 'peers'")
    return polars.DataFrame(columns)


def nested(value: Any) -> Any:
    """Arrays of arrays of objects, as ``pandas.read_parquet`` gives them."""
    if not isinstance(value, list):
        return value
    array = np.empty(len(value), dtype=object)
    array[:] = [nested(one) for one in value]
    return array


def pandas_of_arrays(columns: dict[str, Any]) -> Any:
    return pd.DataFrame({name: [nested(one) for one in column] for name, column in columns.items()})


def pandas_of_the_past(columns: dict[str, Any]) -> Any:
    """A frame that offers no Arrow stream, as those before pandas 2.2."""

    class DataFrame(pd.DataFrame):  # type: ignore[misc]
        __module__ = "pandas.core.frame"

        def __getattribute__(self, name: str) -> Any:
            if name == "__arrow_c_stream__":
                raise AttributeError(name)
            return super().__getattribute__(name)

    return DataFrame(pandas_of_arrays(columns))


FRAMES = pytest.mark.parametrize(
    "frame",
    [
        pa.table,
        pa.RecordBatch.from_pydict,
        pd.DataFrame,
        pandas_of_arrays,
        pandas_of_the_past,
        polars_frame,
    ],
    ids=["table", "batch", "pandas", "pandas of arrays", "pandas before 2.2", "polars"],
)


@FRAMES
def test_a_frame_becomes_a_data_set_and_a_run(frame: Any) -> None:
    dataset, run = Dataset.from_arrow(frame(TRUTH)), Run.from_arrow(frame(RESULTS))
    assert groups(dataset) == GROUPS
    assert [(one.id, one.ids(), one.given_scores()) for one in run] == [
        ("q1", ["a", "x"], [2.0, 1.0]),
        ("q2", ["d"], [0.5]),
    ]
    assert dict(evaluate(dataset, run, metrics="recall").per_query) == RECALL


@FRAMES
def test_a_frame_is_evaluated_as_it_is(frame: Any) -> None:
    report = evaluate(frame(TRUTH), frame(RESULTS), metrics="recall")
    assert dict(report.per_query) == RECALL
    both = evaluate(frame(TRUTH | RESULTS), metrics="recall")
    assert dict(both.per_query) == RECALL


@FRAMES
def test_results_without_ids_go_by_their_order(frame: Any) -> None:
    results = {"retrieved_ids": [["a"], ["d"]]}
    report = evaluate(frame(TRUTH), frame(results), metrics="recall")
    assert dict(report.per_query) == RECALL


@FRAMES
def test_ids_that_are_whole_numbers_stay_numbers(frame: Any) -> None:
    found = Dataset.from_arrow(frame({"id": [1, 2], "ground_truth": [[[1], [2, 3]], [[4]]]}))
    assert groups(found) == {"1": [[1], [2, 3]], "2": [[4]]}


@FRAMES
def test_columns_of_other_names_can_be_named(frame: Any) -> None:
    columns = {"question": ["q1"], "gold": [[["a"]]], "odd": [1.5]}
    names = {"id": "question", "ground_truth": "gold"}
    assert groups(Dataset.from_arrow(frame(columns), fields=names)) == {"q1": [["a"]]}
    with pytest.raises(InputError, match="no column 'ground_truth' or 'retrieval_gt'"):
        Dataset.from_arrow(frame(columns))


@FRAMES
def test_evaluate_takes_the_names_of_columns(frame: Any) -> None:
    truths = frame({"qid": ["q1"], "gold": [[["a"], ["b"]]]})
    runs = frame({"qid": ["q1"], "found": [["a", "x"]]})
    names = {"ground_truth": "gold", "results": "found"}
    assert evaluate(File(truths, map=names), File(runs, map=names), metrics="recall").scores == {
        "recall": 0.5
    }


@FRAMES
def test_a_flat_list_asks_and_a_problem_has_its_row(frame: Any) -> None:
    flat = frame({"qid": ["q1", "q2"], "retrieval_gt": [["a"], ["b", "c"]]})
    with pytest.raises(InputError, match="any one") as error:
        Dataset.from_arrow(flat)
    assert [(one.line, one.query) for one in error.value.problems] == [(1, "q1"), (2, "q2")]
    assert groups(Dataset.from_arrow(flat, flat="all")) == {"q1": [["a"]], "q2": [["b"], ["c"]]}


def test_frames_have_a_method_each() -> None:
    assert Dataset.from_pandas(pd.DataFrame(TRUTH)) == Dataset.from_arrow(pa.table(TRUTH))
    assert Dataset.from_polars(polars_frame(TRUTH)) == Dataset.from_arrow(pa.table(TRUTH))
    assert Run.from_pandas(pd.DataFrame(RESULTS)) == Run.from_arrow(pa.table(RESULTS))
    assert Run.from_polars(polars_frame(RESULTS)) == Run.from_arrow(pa.table(RESULTS))


@pytest.mark.parametrize("name", ["qa_data_sample", "gen_by_autorag_qa"])
def test_what_pandas_reads_of_autorag_is_what_we_read_of_it(name: str) -> None:
    path = AUTORAG / "data" / f"{name}.parquet"
    dataset = Dataset.from_pandas(pd.read_parquet(path))
    results = {one.id: [one.ground_truth.alternatives[0].id] for one in dataset}
    reports = [evaluate(given, results, provenance=True) for given in (path, dataset)]
    assert without_names(reports[0]) == without_names(reports[1])


def test_pandas_of_mixed_ids_are_refused_with_their_row() -> None:
    frame = pd.DataFrame({"id": ["q1", "q2"], "results": [["a"], ["b", 1]]})
    with pytest.raises(InputError, match="ids of both kinds") as error:
        Run.from_pandas(frame)
    assert error.value.problems[0].line == 2


def test_an_index_that_is_named_as_an_id_counts_as_a_column() -> None:
    frame = pd.DataFrame(TRUTH).set_index("qid")
    assert groups(Dataset.from_pandas(frame)) == GROUPS


def test_pandas_with_gaps_in_the_text_of_queries() -> None:
    frame = pandas_of_the_past({**TRUTH, "query": ["what", float("nan")]})
    assert [one.query for one in Dataset.from_pandas(frame)] == ["what", None]


class Rows:
    """What a data set of Hugging Face offers: columns by name, and rows to go through."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows
        self.column_names = list(rows[0])

    def __iter__(self) -> Any:
        return iter(self.rows)


@pytest.mark.parametrize("shape", [list, iter, Rows])
def test_rows_that_are_mappings_become_a_data_set(shape: Any) -> None:
    rows = [
        {"question_id": 1, "gold": [["a"]], "context": {"any": "thing"}},
        {"question_id": 2, "gold": [["b"], ["c"]], "context": None},
    ]
    names = {"id": "question_id", "ground_truth": "gold"}
    found = Dataset.from_huggingface(shape(rows), fields=names)
    assert groups(found) == {"1": [["a"]], "2": [["b"], ["c"]]}
    run = Run.from_huggingface(shape([{"id": "q", "results": ["a"]}]))
    assert run.queries[0].ids() == ["a"]


def test_rows_with_names_of_columns_are_evaluated_as_they_are() -> None:
    truth = Rows([{"qid": "q1", "retrieval_gt": [["a"], ["b"]]}])
    run = Rows([{"qid": "q1", "retrieved_ids": ["a"], "other": 1}])
    assert evaluate(truth, run, metrics="recall").scores == {"recall": 0.5}


def test_rows_that_are_no_mappings_are_refused() -> None:
    rows: Any = [{"id": "q", "ground_truth": [["a"]]}, ["q", "a"]]
    with pytest.raises(InputError, match=r"expected a row, .* got a list") as error:
        Dataset.from_huggingface(rows)
    assert error.value.problems[0].line == 2


@pytest.mark.parametrize("value", [7, "text", [1], object()])
def test_what_is_no_frame_is_said_to_be_none(value: Any) -> None:
    with pytest.raises(InputError, match="expected a table"):
        Dataset.from_arrow(value)


def test_without_pyarrow_pandas_goes_by_its_cells_and_others_say_what_to_install() -> None:
    table, frame = pa.table(TRUTH), pandas_of_arrays(TRUTH)
    with mock.patch.dict(sys.modules, {"pyarrow": None}):
        assert groups(Dataset.from_pandas(frame)) == GROUPS
        with pytest.raises(InputError, match="pip install pyarrow"):
            Dataset.from_arrow(table)


def test_a_frame_is_not_changed() -> None:
    frame = pandas_of_arrays(TRUTH)
    before = frame.copy(deep=True)
    Dataset.from_pandas(frame)
    pd.testing.assert_frame_equal(frame, before)


def test_the_samples_read_by_pandas_are_evaluated() -> None:
    truth, run = (pd.read_parquet(PARQUET / f"{name}.parquet") for name in ("qa", "result"))
    report = evaluate(truth, run, metrics="recall")
    assert dict(report.per_query) == {
        "q1": {"recall": 1.0},
        "q2": {"recall": 0.5},
        "q3": {"recall": None},
    }
