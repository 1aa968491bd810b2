"""TREC Robust 2003 in DataFrames: the bytes of the report on its files, however it is cut."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

import groupwise
from groupwise.spark import evaluate
from tests.comparing import without_names
from tests.evaluate.spark.conftest import require_spark
from tests.evaluate.spark.frames import spread
from tests.paths import ROBUST03, ROOT

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning"),
]
QRELS, RUN = ROBUST03 / "robust03_qrels.txt.gz", ROBUST03 / "input.pircRBa1.gz"
OPTIONS: dict[str, Any] = {
    "profile": "trec",
    "metrics": ["map", "ndcg@10", "precision@10", "bpref", "mrr", "recall@100"],
    "provenance": True,
}
PARTITIONS = [7, 64]


def read_fields(path: Any) -> Iterator[list[str]]:
    with gzip.open(path, "rt") as lines:
        yield from map(str.split, lines)


def read_long() -> list[pa.Table]:
    """Judgements and results, a row each, as the files have them."""
    qrels = [{"query_id": q, "doc_id": d, "grade": int(g)} for q, _, d, g in read_fields(QRELS)]
    run = [{"query_id": q, "doc_id": d, "score": float(s)} for q, _, d, _, s, _ in read_fields(RUN)]
    return [pa.Table.from_pylist(rows) for rows in (qrels, run)]


def read_wide() -> list[pa.Table]:
    """A row per query, as the models have it."""
    truths = [
        {
            "id": query.id,
            "ground_truth": [
                {"alternatives": [{"id": one.id, "grade": one.grade} for one in group.alternatives]}
                for group in query.ground_truth.groups
            ],
            "not_relevant": query.judged_not_relevant(),
        }
        for query in groupwise.read(QRELS, role="ground_truth", flat="any").queries
    ]
    run = [
        {"id": query.id, "results": query.ids(), "scores": query.given_scores()}
        for query in groupwise.read(RUN, role="run").queries
    ]
    return [pa.Table.from_pylist(rows) for rows in (truths, run)]


def report_files(**more: Any) -> str:
    """The report on the files; fingerprints depend on the order of tied results in the file."""
    return without_names(groupwise.evaluate(QRELS, RUN, **OPTIONS | {"per_query": False} | more))


@pytest.mark.parametrize("partitions", PARTITIONS)
def test_a_row_per_query(spark: Any, partitions: int) -> None:
    spark.conf.set("spark.sql.shuffle.partitions", partitions)
    frames = [spread(spark, table, partitions) for table in read_wide()]
    report, scores = evaluate(*frames, per_query=partitions == 7, **OPTIONS)
    assert report.to_json() == report_files(per_query=partitions == 7)
    found = {row["id"]: row["map"] for row in scores.collect()}
    local = groupwise.evaluate(QRELS, RUN, **OPTIONS).per_query
    assert found == dict(local.column("map"))


@pytest.mark.parametrize("partitions", PARTITIONS)
def test_a_row_per_result(spark: Any, partitions: int) -> None:
    spark.conf.set("spark.sql.shuffle.partitions", partitions)
    frames = [spark.createDataFrame(table).repartition(partitions) for table in read_long()]
    report, _ = evaluate(*frames, **OPTIONS | {"provenance": False})
    assert report.to_json() == report_files(provenance=False)


def test_a_cluster_of_processes() -> None:
    """Executors are processes of their own, and run a Python of their own."""
    require_spark()
    done = subprocess.run(
        [sys.executable, "-m", "tests.evaluate.spark.cluster", *map(str, PARTITIONS)],
        cwd=ROOT, env=os.environ | {"PYSPARK_PYTHON": sys.executable},
        capture_output=True, check=False, text=True, timeout=500,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    reports = [line for line in done.stdout.splitlines() if line.startswith("{")]
    assert [json.loads(line)["counts"]["queries"] for line in reports] == [100, 100]
    assert {f"{line}\n" for line in reports} == {report_files()}
