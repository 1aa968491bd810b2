"""A report as parquet: a row per query, sorted by id, and a column per metric.

A query that is not scored has nulls. The rest of the report is in the metadata of the file, as JSON
under the key ``groupwise.report``.
"""

import io
from typing import Any

from groupwise.evaluator.reading.arrow import arrow
from groupwise.evaluator.reading.json_text import dump_line
from groupwise.evaluator.reporting.json import without_queries
from groupwise.schemas import Report

KEY = "groupwise.report"


def render(report: Report) -> bytes:
    """Return the bytes of the file."""
    pa, parquet = arrow(), arrow("pyarrow.parquet")
    rows = list(report.per_query.values())
    metrics = list(dict.fromkeys(name for scores in rows for name in scores))
    arrays = [pa.array(map(_escape_surrogates, report.per_query), pa.string())]
    arrays += [pa.array([scores[name] for scores in rows], pa.float64()) for name in metrics]
    fields: list[Any] = [("query", pa.string()), *((name, pa.float64()) for name in metrics)]
    schema = pa.schema(fields, {KEY: dump_line(without_queries(report))})
    data = io.BytesIO()
    parquet.write_table(pa.Table.from_arrays(arrays, schema=schema), data)
    return data.getvalue()


def _escape_surrogates(query: str) -> str:
    """Escape lone surrogates, which Python strings can hold and parquet cannot."""
    return query.encode("utf-8", "backslashreplace").decode()
