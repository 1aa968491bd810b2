"""A report as a JSON object."""

from typing import Any

from groupwise.evaluator.reading.writing import dump_line
from groupwise.schemas import PerQuery, Report


def render(report: Report) -> str:
    """Return the object on one line, its queries written one by one."""
    members = (
        f'"{name}":{_dump_queries(report.per_query) if name == "per_query" else dump_line(value)}'
        for name, value in without_queries(report).items()
    )
    return f"{{{','.join(members)}}}\n"


def without_queries(report: Report) -> dict[str, Any]:
    """Return the report as plain data, with an empty ``per_query``."""
    return report.model_copy(update={"per_query": PerQuery([], {})}).to_dict()


def _dump_queries(table: PerQuery) -> str:
    return f"{{{','.join(f'{dump_line(query)}:{dump_line(row)}' for query, row in table.items())}}}"
