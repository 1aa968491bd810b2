"""A generated data set on Spark, cut unevenly, beside the local engine: the same bytes?

    python -m benchmarks.spark_million [--queries 1000000] [--folder build/spark]

The data is written as parquet once. Each master runs in a process of its own. Inputs have 7 and 64
partitions, one of them empty, one with half of the queries; so many are scored, too.
"""

import argparse
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import groupwise

MASTERS = ("local[2]", "local-cluster[2,1,1024]")
PARTITIONS = (7, 64)
OPTIONS: dict[str, Any] = {
    "profile": "coverage",
    "metrics": ["precision@10", "recall@5", "ndcg@10", "map@10", "mrr@10", "trec:ndcg@10"],
    "per_query": False,
    "provenance": True,
}
SETTINGS = {
    "spark.driver.memory": "1g",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.executor.memory": "1g",
    "spark.sql.adaptive.coalescePartitions.enabled": "false",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
TRUTH = """
    concat('q', id) AS id,
    array(array(concat('d', id % 40), concat('d', (id * 3 + 1) % 40)), array(concat('d', id % 7)))
    AS ground_truth
"""
RUN = """
    concat('q', id + 500) AS id,
    if(id % 997 = 5, CAST(array() AS array<string>),
       transform(sequence(0, 9), place -> concat('d', (id * 7 + place * 13) % 40))) AS results
"""
"""Ten results each; the first queries are missing, as many are extra, some are empty."""


def start(master: str) -> Any:
    """Return a session of Spark whose executors run this Python."""
    from pyspark.sql import SparkSession  # noqa: PLC0415

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    builder = SparkSession.builder.master(master).appName("groupwise")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def generate(spark: Any, queries: int, partitions: int, columns: str) -> Any:
    """Return a DataFrame of uneven partitions."""
    half, rest = queries // 2, partitions - 2
    others = f"sequence({half} + id - 2, {queries} - 1, {rest})"
    numbers = f"CASE id WHEN 0 THEN sequence(0, {half} - 1) WHEN 1 THEN array() ELSE {others} END"
    parts = spark.range(0, partitions, 1, partitions).selectExpr(f"{numbers} AS numbers")
    frame = parts.selectExpr("explode(numbers) AS id")
    sizes = frame.rdd.mapPartitions(lambda rows: [sum(1 for _ in rows)]).collect()
    assert (len(sizes), max(sizes), min(sizes)) == (partitions, half, 0), sizes
    return frame.selectExpr(*split_columns(columns))


def split_columns(columns: str) -> list[str]:
    """Return the two expressions of a list: the id, and the rest."""
    first, _, rest = columns.partition("AS id,")
    return [f"{first} AS id", rest]


def evaluate_cuts(master: str, queries: int) -> None:
    """Print the report of each cut, and the seconds it took to stderr."""
    from groupwise.spark import evaluate  # noqa: PLC0415

    warnings.simplefilter("ignore")
    spark = start(master)
    for partitions in PARTITIONS:
        spark.conf.set("spark.sql.shuffle.partitions", partitions)
        frames = [generate(spark, queries, partitions, columns) for columns in (TRUTH, RUN)]
        began = time.perf_counter()
        report, _ = evaluate(*frames, **OPTIONS)
        seconds = time.perf_counter() - began
        print(f"{master}, {partitions} partitions: {seconds:.1f} s", file=sys.stderr, flush=True)
        print(report.to_json(), end="", flush=True)
    spark.stop()


def write_data(queries: int, folder: Path) -> None:
    """Write the same data as a parquet file for each side."""
    warnings.simplefilter("ignore")
    spark = start(MASTERS[0])
    for name, columns in (("ground_truth", TRUTH), ("run", RUN)):
        frame = spark.range(0, queries, 1, 2).selectExpr(*split_columns(columns))
        frame.write.mode("overwrite").parquet(str(folder / name))
    spark.stop()


def evaluate_locally(folder: Path) -> str:
    """Return the report of the local engine on the parquet files."""
    from pyarrow import parquet  # noqa: PLC0415

    tables = [parquet.read_table(folder / name) for name in ("ground_truth", "run")]
    began = time.perf_counter()
    report = groupwise.evaluate(*tables, **OPTIONS).to_json()
    print(f"locally: {time.perf_counter() - began:.1f} s", file=sys.stderr, flush=True)
    return report


def run_apart(*words: str) -> str:
    """Return what this module prints in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.spark_million", *words]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    return done.stdout


def main() -> None:
    """Compare the reports; exit 1 if any differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, default=Path("build/spark"))
    parser.add_argument("--step", help="one step, in this process: write, or a master")
    asked = parser.parse_args()
    if asked.step == "write":
        return write_data(asked.queries, asked.folder)
    if asked.step:
        return evaluate_cuts(asked.step, asked.queries)
    size = ("--queries", str(asked.queries), "--folder", str(asked.folder))
    run_apart("--step", "write", *size)
    local = evaluate_locally(asked.folder)
    counts = groupwise.Report.model_validate_json(local).counts
    print(f"{counts!r}")
    same = True
    for master in MASTERS:
        reports = run_apart("--step", master, *size).splitlines(keepends=True)
        same = same and reports == [local] * len(PARTITIONS)
        print(f"{master}: {len(reports)} reports, {'the same bytes' if same else 'OTHER BYTES'}")
    return sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
