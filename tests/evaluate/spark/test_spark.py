"""Reports on DataFrames have the bytes of reports on the same data in memory."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import groupwise
from groupwise import File, Hits, metric
from groupwise.evaluator.hits import FloatArray
from groupwise.spark import evaluate
from tests.evaluate.spark.frames import draw_plain, draw_rich, seeded, spread

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning")
METRICS = ["recall@3", "ndcg", "coverage:ndcg@5", "trec:map", "trec:bpref", "first_hit"]
OPTIONS: list[dict[str, Any]] = [
    {"profile": "trec", "ties": "report", "unanswerable": "zero", "provenance": True},
    {},
    {"per_query": False, "missing": "skip", "empty_results": "skip"},
    {"by": ["kind", "hops", "groups", "label"], "per_query": False},
    {"by": "kind", "confidence": 0.95, "ceilings": True, "bands": True},
    {"metrics": ["recall@80t", "recall(label=vital)"], "curve": 3},
    {"gates": ["recall@3 >= 0.9", "lower(ndcg) >= 0.1", "kind=x: recall@3 >= 0.2"]},
    {"explain": 3, "metrics": ["recall@3"]},
    {"matching": "normalised", "profile": "coverage"},
]


def compare(spark: Any, tables: Any, **options: Any) -> groupwise.Report:
    """The report of Spark, which has the bytes of the local one."""
    frames = [spark.createDataFrame(table).repartition(2) for table in tables]
    options = {"metrics": METRICS, "per_query": True, **options}
    report, _ = evaluate(*frames, **options)
    assert report.to_json() == groupwise.evaluate(*tables, **options).to_json()
    return report


FIRST, *OTHERS = OPTIONS
CHOICES = [FIRST, *(pytest.param(options, marks=pytest.mark.nightly) for options in OTHERS)]


@pytest.mark.parametrize("options", CHOICES, ids=" ".join)
def test_options_mean_the_same(spark: Any, options: dict[str, Any]) -> None:
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 7)
    compare(spark, draw_rich(seeded(len(options))), **options)


@pytest.mark.nightly
@pytest.mark.parametrize("size", [1, 10_000])
def test_lists_of_ids(spark: Any, size: int) -> None:
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", size)
    compare(spark, draw_plain(seeded(size)), ids="text", provenance=True)


@pytest.mark.nightly
def test_unequal_partitions(spark: Any) -> None:
    tables = draw_rich(seeded(5), 80)
    spark.conf.set("spark.sql.shuffle.partitions", 64)  # most of them are empty
    report, _ = evaluate(*(spread(spark, table, 7) for table in tables), metrics=METRICS)
    assert (
        report.to_json() == groupwise.evaluate(*tables, metrics=METRICS, per_query=False).to_json()
    )


def test_whole_numbers(spark: Any) -> None:
    rows = [{"id": number, "ground_truth": [[number, 7], [8]]} for number in range(9)]
    truths = pa.Table.from_pylist(rows)
    run = pa.Table.from_pylist([{"id": each, "results": [7, 1, 5]} for each in range(2, 11)])
    report = compare(spark, (truths, run))
    assert (report.counts.missing, report.counts.extra) == (2, 2)
    as_text = run.set_column(0, "id", run.column("id").cast("string"))
    assert compare(spark, (truths, as_text)).to_json() == report.to_json()


@pytest.mark.nightly
def test_flat_lists(spark: Any) -> None:
    truths = pa.table({"id": ["a", "b", "c"], "ground_truth": [["x", "x"], ["x", "y", "y"], ["z"]]})
    run = pa.table({"id": ["a", "b", "c"], "results": [["x"], ["y"], ["x"]]})
    report = compare(spark, (truths, run), flat="all")
    assert "2 flat lists repeat ids" in report.warnings[0]
    compare(spark, (truths, run), flat="any")


@pytest.mark.nightly
def test_the_columns_of_autorag_and_columns_with_odd_names(spark: Any) -> None:
    truths = pa.table({"qid": ["a", "b"], "retrieval_gt": [[["x"]], [["y"]]], "note": [1, 2]})
    run = pa.table({"the.id": ["a", "b"], "hits `now`": [["x"], ["z"]]})
    fields = {"id": "the.id", "results": "hits `now`"}
    frames = [spark.createDataFrame(table) for table in (truths, run)]
    renamed_truths = frames[0].withColumnsRenamed({"qid": "the.id", "retrieval_gt": "gold"})
    report, _ = evaluate(
        File(renamed_truths, map={"id": "the.id", "ground_truth": "gold"}),
        File(frames[1], map=fields),
        metrics="recall",
    )
    renamed = run.rename_columns(["id", "results"])
    local = groupwise.evaluate(truths, renamed, metrics="recall", per_query=False)
    assert report.to_json() == local.to_json()
    other, _ = evaluate(frames[0], spark.createDataFrame(renamed), metrics="recall")
    assert other.to_json() == local.to_json()


@pytest.mark.nightly
def test_metadata_as_a_map_or_as_json(spark: Any) -> None:
    truths, run = draw_rich(seeded(3))
    frames = [spark.createDataFrame(table) for table in (truths, run)]
    struct, _ = evaluate(*frames, metrics="recall", by="kind")
    for spelled in ("map('kind', metadata.kind)", "to_json(metadata)"):
        told = frames[0].selectExpr("id", "ground_truth", f"{spelled} AS metadata")
        assert evaluate(told, frames[1], metrics="recall", by="kind")[0] == struct


def test_scores_of_queries_are_those_of_the_report(spark: Any) -> None:
    tables = draw_rich(seeded(11))
    report, scores = evaluate(
        *map(spark.createDataFrame, tables), metrics=METRICS, curve=2, missing="skip",
        per_query=True,
    )  # fmt: skip
    assert dict(scores.dtypes) == {
        "id": "string", **dict.fromkeys(METRICS, "double"), "first_hit": "bigint"
    }  # fmt: skip
    found = {row["id"]: row.asDict() for row in scores.collect()}
    assert found == {query: {"id": query, **report.per_query[query]} for query in report.per_query}
    assert len(found) == report.counts.queries
    assert None in {row["recall@3"] for row in found.values()}


@pytest.mark.nightly
def test_a_run_without_rows(spark: Any) -> None:
    truths, run = draw_plain(seeded(2))
    frames = [spark.createDataFrame(truths), spark.createDataFrame(run).where("false")]
    with pytest.raises(groupwise.InputError) as error:
        evaluate(*frames)
    with pytest.raises(groupwise.InputError) as expected:
        groupwise.evaluate(truths, run.slice(0, 0))
    assert str(error.value) == str(expected.value)


@pytest.mark.nightly
def test_a_metric_of_a_notebook(spark: Any, nothing_added: None) -> None:
    @metric
    def longest(hits: Hits) -> FloatArray:
        """The number of results, as a share of 20."""
        values: FloatArray = hits.length / 20
        return values

    report = compare(spark, draw_plain(seeded(4)), metrics=["longest", "recall"])
    assert 0 < (report.scores["longest"] or 0) < 1


@pytest.mark.nightly
def test_a_plugin_is_loaded_in_the_executors(
    spark: Any, tmp_path: Path, nothing_added: None
) -> None:
    plugin = tmp_path / "own.py"
    plugin.write_text(
        "from groupwise import metric\n\n@metric\ndef halved(hits):\n    return hits.length * 0.5\n"
    )
    truths, run = draw_plain(seeded(4))
    frames = [spark.createDataFrame(table) for table in (truths, run)]
    report, scores = evaluate(*frames, metrics="halved", plugins=[str(plugin)])
    local = groupwise.evaluate(truths, run, metrics="halved", per_query=False)
    assert report.to_json() == local.to_json()
    assert scores.count() == report.counts.queries


@pytest.mark.nightly
def test_gates_compare_with_a_baseline(spark: Any, tmp_path: Path) -> None:
    truths, run = draw_rich(seeded(8))
    frames = [spark.createDataFrame(table) for table in (truths, run)]
    file = tmp_path / "baseline.json"
    evaluate(*frames, metrics="recall@3", by="kind", save_baseline=file, per_query=True)
    again = tmp_path / "local.json"
    groupwise.evaluate(truths, run, metrics="recall@3", by="kind", save_baseline=again)
    assert json.loads(file.read_bytes()) == json.loads(again.read_bytes())
    gates = ["recall@3 >= baseline", "kind=x: recall@3 >= baseline + 0.5"]
    report = compare(spark, (truths, run), gates=gates, baseline=file)
    assert [verdict.passed for verdict in report.gates] == [True, False]


@pytest.mark.nightly
def test_a_report_explains_its_queries(spark: Any) -> None:
    tables = draw_plain(seeded(9))
    report, _ = evaluate(*map(spark.createDataFrame, tables), metrics="recall@3")
    local = groupwise.evaluate(*tables, metrics="recall@3")
    query = tables[1].column("id")[0].as_py()
    assert report.explain(query) == local.explain(query)
