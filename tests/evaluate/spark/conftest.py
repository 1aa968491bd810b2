"""Spark on this machine, once for all tests of a process.

Java is Debian's; ``.ci/run`` installs it, and PySpark with the extra ``peers``. Without them the
tests are skipped.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest

SETTINGS = {
    "spark.driver.memory": "1g",
    "spark.sql.shuffle.partitions": "3",
    "spark.sql.adaptive.coalescePartitions.enabled": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}


def require_spark() -> Any:
    """Return ``pyspark.sql``, or skip the test."""
    if shutil.which("java") is None:
        pytest.skip("java is not installed")
    return pytest.importorskip("pyspark.sql", reason="pyspark is not installed")


@pytest.fixture(scope="session")
def session() -> Iterator[Any]:
    """Spark with two threads; the workers run this Python."""
    sql = require_spark()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = sql.SparkSession.builder.master("local[2]").appName("groupwise")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    started = builder.getOrCreate()
    started.sparkContext.setLogLevel("OFF")
    yield started
    started.stop()


@pytest.fixture
def spark(session: Any) -> Iterator[Any]:
    """Spark with the settings above; a test may change those of SQL."""
    yield session
    for name, value in SETTINGS.items():
        if name.startswith("spark.sql"):
            session.conf.set(name, value)
    session.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")
