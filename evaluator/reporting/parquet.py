"""A report as parquet: a row per query, sorted by id, and a column per metric.

Ranks are whole numbers, and a query that is not scored has nulls. The rest of the report is in the
metadata of the file, as JSON under the key ``groupwise.report``.
"""

import io

from groupwise.evaluator.reading.arrow import arrow
from groupwise.evaluator.reading.writing import dump_line
from groupwise.evaluator.reporting.frames.libraries import build_arrow
from groupwise.evaluator.reporting.frames.tables import list_columns
from groupwise.evaluator.reporting.json import without_queries
from groupwise.schemas import Report

KEY = "groupwise.report"


def render(report: Report) -> bytes:
    """Return the bytes of the file."""
    parquet = arrow("pyarrow.parquet")
    table = build_arrow([*list_columns(report)])
    described = table.replace_schema_metadata({KEY: dump_line(without_queries(report))})
    data = io.BytesIO()
    parquet.write_table(described, data)
    return data.getvalue()
