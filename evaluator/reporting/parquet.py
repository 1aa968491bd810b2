"""The report as parquet: a row per query, sorted by id, and a column per metric.

A query that is not scored has nulls. All else of the report stands in the file's own metadata, as
JSON under the key ``groupwise.report``.
"""

import io
from typing import Any

from groupwise.evaluator.reading.arrow import arrow
from groupwise.evaluator.reading.json_text import dump_line
from groupwise.evaluator.reporting.json import without_queries
from groupwise.schemas import Report

KEY = "groupwise.report"


def render(report: Report) -> bytes:
    """The bytes of the file."""
    pa, parquet = arrow(), arrow("pyarrow.parquet")
    rows = list(report.per_query.values())
    metrics = list(dict.fromkeys(name for scores in rows for name in scores))
    arrays = [pa.array(map(_as_unicode, report.per_query), pa.string())]
    arrays += [pa.array([scores[name] for scores in rows], pa.float64()) for name in metrics]
    fields: list[Any] = [("query", pa.string()), *((name, pa.float64()) for name in metrics)]
    schema = pa.schema(fields, {KEY: dump_line(without_queries(report))})
    data = io.BytesIO()
    parquet.write_table(pa.Table.from_arrays(arrays, schema=schema), data)
    return data.getvalue()


def _as_unicode(query: str) -> str:
    """Programs can pass strings that are not Unicode text, which parquet cannot hold."""
    return query.encode("utf-8", "backslashreplace").decode()
