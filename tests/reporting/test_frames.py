"""Results as frames: tidy, typed, ids as text, missing values where there is None."""

import math
import sys
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

import groupwise
from groupwise import (
    Comparison,
    InputError,
    OptionError,
    Report,
    compare,
    evaluate,
    explain,
    metric,
    power,
    remap,
    validate,
)
from groupwise.evaluator.hits import Hits
from groupwise.evaluator.reporting.frames.tables import TABLES
from groupwise.schemas.rendering import Framed
from groupwise.schemas.shape import list_subclasses

TRUTH = {
    "q2": {"ground_truth": [["a", "b"], ["c"]], "metadata": {"type": "two"}},
    "q1": {"ground_truth": [["d"]], "metadata": {"type": "one"}},
    "q3": {"ground_truth": [], "answerable": False},
    "10": {"ground_truth": [["z"]], "metadata": {"type": "one"}},
}
RUN = {"q1": ["x", "d"], "q2": ["a", "c"], "10": ["x"], "q3": ["y"]}
OTHER = {"q1": ["d"], "q2": ["x"], "10": ["z"], "q3": ["y"]}
LIBRARIES = ("pandas", "polars", "arrow")


@pytest.fixture(scope="module")
def report() -> Report:
    return evaluate(TRUTH, RUN, metrics=["recall@2", "first_hit"], by="type", confidence=0.95)


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return compare(TRUTH, {"a": RUN, "b": OTHER}, metrics=["recall@2"], margin=0.1)


def build(result: Any, library: str, table: str | None = None) -> dict[str, list[Any]]:
    """Return a table as columns of Python values."""
    if library == "polars":
        pytest.importorskip("polars")
    frame = getattr(result, f"to_{library}")(table)
    if library == "pandas":
        return {
            name: [None if pd.isna(value) else value for value in frame[name]] for name in frame
        }
    columns: dict[str, list[Any]] = (
        frame.to_dict(as_series=False) if library == "polars" else frame.to_pydict()
    )
    return columns


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_row_per_query_and_a_column_per_metric(report: Report, library: str) -> None:
    assert build(report, library) == {
        "query": ["10", "q1", "q2", "q3"],
        "recall@2": [0.0, 1.0, 1.0, None],
        "first_hit": [None, 2, 1, None],
    }


@pytest.mark.parametrize("library", LIBRARIES)
def test_means_and_slices_are_tables_too(report: Report, library: str) -> None:
    scores = build(report, library, "scores")
    assert scores["metric"] == ["recall@2"]
    assert scores["mean"] == [pytest.approx(2 / 3)]
    assert scores["low"][0] < 2 / 3 < scores["high"][0]
    slices = build(report, library, "slices")
    assert set(slices["field"]) == {"type"}
    means = dict(zip(slices["slice"], slices["mean"], strict=True))
    assert means == {"one": 0.5, "two": 1.0, "(none)": None}
    assert sorted(slices["scored"]) == [0, 1, 2]


@pytest.mark.parametrize("library", LIBRARIES)
def test_pairs_and_runs_of_a_comparison(comparison: Comparison, library: str) -> None:
    pairs = build(comparison, library)
    assert (pairs["a"], pairs["b"], pairs["metric"]) == (["a"], ["b"], ["recall@2"])
    assert pairs["difference"] == [pytest.approx(0.0)]  # (1 + 0 + 1) / 3 and (1 + 1 + 0) / 3
    assert (pairs["wins"], pairs["ties"], pairs["losses"]) == ([1], [1], [1])
    assert pairs["significant"] == [False]
    assert pairs["non_inferior"] == [False]
    runs = build(comparison, library, "runs")
    assert runs["run"] == ["a", "b"]
    assert runs["mean"] == [pytest.approx(2 / 3)] * 2
    assert runs["n"] == [3, 3]


@pytest.mark.parametrize("library", LIBRARIES)
def test_groups_of_an_explanation_and_metrics_of_an_analysis(library: str) -> None:
    groups = build(explain(TRUTH, RUN, k=1), library)
    assert groups["query"] == ["10", "q1", "q2", "q2"]
    assert groups["rank"] == [None, 2, 1, 2]
    assert groups["met"] == [False, False, True, False]
    assert groups["reason"] == ["not_retrieved", "beyond_k", None, "beyond_k"]
    analysis = build(power(TRUTH, {"a": RUN}, metrics=["recall"]), library)
    assert (analysis["metric"], analysis["n"]) == (["recall"], [3])
    texts = {"a": "one text", "b": "other words"}
    moved = build(remap({"q": [["a", "b"]]}, old=texts, new={"n": "one text"}), library)
    assert (moved["from"], moved["to"]) == (["a", "b"], ["n", None])
    assert moved["outcome"] == ["exact", "lost"]


@pytest.mark.parametrize("library", LIBRARIES)
def test_findings_of_a_validation(library: str) -> None:
    findings = build(validate({"q": [["a"], ["a"]]}), library)
    assert findings["query"] == ["q"] * len(findings["code"])
    assert set(findings["severity"]) <= {"error", "warning", "info"}
    assert findings["code"]


def test_types_of_columns(report: Report, comparison: Comparison) -> None:
    frame = report.to_pandas()
    assert frame["query"].dtype == pd.Series(["text"]).dtype
    assert frame["recall@2"].dtype == "float64"
    assert frame["first_hit"].dtype == "Int64"
    assert math.isnan(frame["recall@2"].iloc[3])
    pairs = comparison.to_pandas()
    assert (pairs["wins"].dtype, pairs["significant"].dtype) == ("int64", "bool")
    schema = report.to_arrow().schema
    assert schema.types == [pa.string(), pa.float64(), pa.int64()]
    assert comparison.to_arrow().schema.field("significant").type == pa.bool_()


def test_types_do_not_depend_on_values() -> None:
    nothing = evaluate({"q": []}, {"q": ["a"]}, metrics=["recall", "first_hit"])
    assert nothing.to_arrow().schema.types == [pa.string(), pa.float64(), pa.int64()]
    assert str(nothing.to_pandas().dtypes.iloc[2]) == "Int64"
    assert evaluate(TRUTH, RUN, metrics=["recall"]).to_arrow("slices").num_rows == 0
    polars = pytest.importorskip("polars")
    assert nothing.to_polars().schema["first_hit"] == polars.Int64
    assert nothing.to_polars().schema["recall"] == polars.Float64


def test_every_kind_with_tables_has_a_first_one(report: Report) -> None:
    assert [getattr(groupwise, name) for name in groupwise.__all__]  # loads every model
    kinds = {vars(model).get("kind") for model in list_subclasses(Framed)}
    assert set(TABLES) == kinds - {None}
    assert report.to_arrow() == report.to_arrow("queries")
    with pytest.raises(
        OptionError, match="no table 'query' of this report; did you mean 'queries'"
    ):
        report.to_pandas("query")


def test_a_report_without_queries_says_so() -> None:
    report = evaluate(TRUTH, RUN, metrics=["recall"], per_query=False)
    with pytest.raises(InputError, match="the report is of per_query=False"):
        report.to_pandas()
    assert list(report.to_pandas("scores")["metric"]) == ["recall"]


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_missing_library_is_one_line(
    report: Report, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    method = library.removeprefix("py")
    with pytest.raises(InputError) as refused:
        getattr(report, f"to_{method}")()
    expected = f"this needs {library}, which is not installed: pip install {library}"
    assert str(refused.value) == expected


@pytest.mark.parametrize("library", LIBRARIES)
def test_hostile_ids_stay_as_they_are(library: str) -> None:
    ids = ["<script>", "=1+1", "\x1b[31m", "a\u202eb", "mean", "\ud800"]
    report = evaluate({one: [["a"]] for one in ids}, {one: ["a"] for one in ids}, metrics="recall")
    shown = {*ids} - {"\ud800"} | {"\\ud800"}
    assert set(build(report, library)["query"]) == shown


@pytest.mark.usefixtures("nothing_added")
def test_a_metric_called_query_does_not_collide() -> None:
    @metric
    def query(hits: Hits) -> Any:
        """Return ones."""
        return hits.length * 0.0 + 1.0

    report = evaluate({"q": [["a"]]}, {"q": ["a"]}, metrics=["query"])
    assert build(report, "arrow") == {"query_id": ["q"], "query": [1.0]}


def test_the_same_frame_in_any_order() -> None:
    reverse = evaluate(dict(reversed(TRUTH.items())), dict(reversed(RUN.items())), metrics="recall")
    assert reverse.to_arrow() == evaluate(TRUTH, RUN, metrics="recall").to_arrow()
