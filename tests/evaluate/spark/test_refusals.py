"""What DataFrames cannot be evaluated, and what the message says; columns cost no job."""

import sys
from typing import Any

import pytest

import groupwise
from groupwise import ExtensionError, Hits, InputError, OptionError, PluginError, metric
from groupwise.evaluator.evaluation.engines.spark.evaluator import explained_failures
from groupwise.evaluator.hits import FloatArray
from groupwise.spark import evaluate

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning")
TRUTHS = "id string, ground_truth array<array<string>>"
RUN = "id string, results array<string>"
GROUPS, RESULTS = [["x", "y"]], ["x"]


def open_frames(spark: Any, truths: str = TRUTHS, run: str = RUN) -> list[Any]:
    """DataFrames without rows."""
    return [spark.createDataFrame([], schema) for schema in (truths, run)]


def refuse(spark: Any, truths: list[Any], run: list[Any], **options: Any) -> list[str]:
    frames = [spark.createDataFrame(truths, TRUTHS), spark.createDataFrame(run, RUN)]
    with pytest.raises(InputError) as error:
        evaluate(*frames, metrics="recall", **options)
    return sorted(str(error.value).splitlines())


@pytest.mark.parametrize(
    ("truths", "run", "message"),
    [
        (
            "id string, gold array<array<string>>", RUN,
            "ground_truth: no column 'ground_truth' or 'retrieval_gt'; there are 'id', 'gold'",
        ),
        (
            "id string, ground_truth map<string,string>", RUN,
            ("ground_truth: the column 'ground_truth' is of type map<string,string>; it should "
            "hold lists of groups, each a list of strings or whole numbers"),
        ),
        (
            "id double, ground_truth array<array<decimal(5,0)>>", RUN,
            ("ground_truth: the column 'id' is of type double; it should hold strings or whole "
            "numbers\nground_truth: the column 'ground_truth' is of type "
            "array<array<decimal(5,0)>>; it should hold lists of groups, each a list of strings or "
            "whole numbers"),
        ),
        (
            TRUTHS, "id string, results string",
            ("results: the column 'results' is of type string; it should hold lists of strings or "
            "whole numbers, best first"),
        ),
        (
            TRUTHS, "id string, results array<string>, scores array<string>",
            ("results: the column 'scores' is of type array<string>; it should hold lists of "
            "numbers"),
        ),
        (
            TRUTHS, "results array<string>",
            ("results: no column of query ids ('id', 'query_id' or 'qid'): the rows of a Spark "
            "DataFrame have no order, so results need the id"),
        ),
        (
            TRUTHS, "query_id string, doc_id string, score array<double>",
            ("results: the column 'score' is of type array<double>; it should hold numbers, or "
            "their text"),
        ),
        (
            "query_id string, doc_id string, rank int", RUN,
            ("ground_truth: expected ground truth, got results: there is a column 'rank'; are the "
            "files in the wrong order?"),
        ),
        (
            "id string, ID string, ground_truth array<array<string>>", RUN,
            "ground_truth: the columns 'id' and 'ID' have one name; rename one of them",
        ),
    ],
)  # fmt: skip
def test_columns_are_checked_before_any_job(
    spark: Any, truths: str, run: str, message: str
) -> None:
    spark.conf.set("spark.sql.caseSensitive", "true")
    frames = open_frames(spark, truths, run)
    spark.conf.unset("spark.sql.caseSensitive")
    spark.sparkContext.setJobGroup("columns", "columns")
    with pytest.raises(InputError) as error:
        evaluate(*frames)
    assert str(error.value) == message
    assert spark.sparkContext.statusTracker().getJobIdsForGroup("columns") == []


@pytest.mark.nightly
def test_something_else_than_a_dataframe(spark: Any) -> None:
    frames = open_frames(spark)
    with pytest.raises(InputError, match="ground_truth: expected a Spark DataFrame, got"):
        evaluate({"q": [["a"]]}, frames[1])
    with pytest.raises(InputError, match="results: expected a Spark DataFrame, got"):
        evaluate(frames[0], None)


def test_options_are_checked_before_any_job(spark: Any) -> None:
    frames = open_frames(spark)
    with pytest.raises(groupwise.UnknownMetric, match="did you mean"):
        evaluate(*frames, metrics="recal")
    with pytest.raises(InputError, match="missing='no'"):
        evaluate(*frames, missing="no")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="add per_query=True"):
        evaluate(*frames, save_baseline="baseline.json")
    with pytest.raises(OptionError, match="need per_query=True"):
        evaluate(*frames, explain=3)
    with pytest.raises(PluginError, match="no_such_plugin"):
        evaluate(*frames, plugins=["no_such_plugin"])


def test_repeated_queries_of_either_side_are_named(spark: Any) -> None:
    truths = [("a", GROUPS), ("b", GROUPS), ("a", GROUPS), ("c", GROUPS), ("a", GROUPS)]
    run = [("b", RESULTS), ("c", RESULTS), ("c", RESULTS)]
    assert refuse(spark, truths, run) == [
        "ground_truth: query 'a': the query id is repeated (… and 1 more like it)",
        "results: query 'c': the query id is repeated",
    ]


@pytest.mark.nightly
def test_invalid_values_are_named_by_their_query(spark: Any) -> None:
    truths = [
        ("a", [["x", None]]), ("b", [[]]), ("c", None), (None, GROUPS), (" ", GROUPS),
        ("d", GROUPS),
    ]  # fmt: skip
    run: list[Any] = [("a", ["", "x"]), ("d", [None]), (None, RESULTS)]
    found = refuse(spark, truths, run)
    local = [
        {"id": query, field: value}
        for rows, field in ((truths, "ground_truth"), (run, "results"))
        for query, value in rows
    ]
    with pytest.raises(InputError) as error:
        groupwise.evaluate(local[: len(truths)], local[len(truths) :], metrics="recall")
    assert found == sorted(str(error.value).splitlines())
    assert len(found) == 8


@pytest.mark.nightly
def test_policies_that_refuse(spark: Any) -> None:
    truths, run = [("a", GROUPS), ("b", []), ("c", GROUPS)], [("a", RESULTS), ("e", RESULTS)]
    refused: dict[str, Any] = {"missing": "error", "extra": "error", "unanswerable": "error"}
    assert refuse(spark, truths, run, **refused) == [
        "query 'b': no groups: nothing answers this query",
        "query 'c': no results",
        "query 'e': no ground truth",
    ]


@pytest.mark.nightly
def test_ids_of_both_kinds(spark: Any) -> None:
    frames = [
        spark.createDataFrame([("a", GROUPS)], TRUTHS),
        spark.createDataFrame([("a", [1])], "id string, results array<int>"),
    ]
    with pytest.raises(InputError, match="ids of both kinds: the string 'x'"):
        evaluate(*frames)
    assert evaluate(*frames, ids="text", metrics="recall")[0].scores == {"recall": 0.0}


@pytest.mark.nightly
def test_text_that_is_not_utf_8(spark: Any) -> None:
    truths = spark.createDataFrame([("a", GROUPS)], TRUTHS)
    run = spark.sql("SELECT 'a' AS id, array(CAST(X'ff41' AS STRING)) AS results")
    with pytest.raises(InputError, match="the column 'results' cannot be read"):
        evaluate(truths, run)


@pytest.mark.nightly
def test_a_metric_that_fails_is_named(spark: Any, nothing_added: None) -> None:
    @metric
    def broken(hits: Hits) -> FloatArray:
        """Fail."""
        raise KeyError("gone")

    frames = [
        spark.createDataFrame([("a", GROUPS)], TRUTHS),
        spark.createDataFrame([("a", RESULTS)], RUN),
    ]
    with pytest.raises(ExtensionError, match="the metric 'broken' failed: KeyError: 'gone'"):
        evaluate(*frames, metrics="broken")


def test_without_pyspark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(InputError, match=r"^this needs PySpark 4 or later.*pip install"):
        evaluate({"q": [["a"]]}, {"q": ["a"]})


def test_executors_without_groupwise() -> None:
    errors = pytest.importorskip("pyspark.errors", reason="pyspark is not installed")
    said = "ModuleNotFoundError: No module named 'groupwise.evaluator'"
    with pytest.raises(PluginError, match="PYSPARK_PYTHON"), explained_failures():
        raise errors.PySparkException(said)
    with pytest.raises(errors.PySparkException, match="else"), explained_failures():
        raise errors.PySparkException("something else")
