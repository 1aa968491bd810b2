"""Evaluate Robust 2003 on a cluster of two executors; print the report for each cut."""

import sys
import warnings

from pyspark.sql import SparkSession

from groupwise.spark import evaluate
from tests.evaluate.spark.conftest import SETTINGS
from tests.evaluate.spark.frames import spread
from tests.evaluate.spark.test_robust03 import OPTIONS, read_wide


def main() -> None:
    warnings.simplefilter("ignore")
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("groupwise")
    for name, value in (SETTINGS | {"spark.executor.memory": "1g"}).items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    tables = read_wide()
    for partitions in map(int, sys.argv[1:]):
        spark.conf.set("spark.sql.shuffle.partitions", partitions)
        report, _ = evaluate(*(spread(spark, table, partitions) for table in tables), **OPTIONS)
        print(report.to_json())
    spark.stop()


if __name__ == "__main__":
    main()
