"""The report as one JSON object."""

from typing import Any

from groupwise.evaluator.reading.json_text import dump_line
from groupwise.schemas import PerQuery, Report


def render(report: Report) -> str:
    """One line: the object of the contract, its queries written one by one."""
    members = (
        f'"{name}":{_queries(report.per_query) if name == "per_query" else dump_line(value)}'
        for name, value in without_queries(report).items()
    )
    return f"{{{','.join(members)}}}\n"


def without_queries(report: Report) -> dict[str, Any]:
    """The report as plain data, with an empty ``per_query``."""
    return report.model_copy(update={"per_query": PerQuery([], {})}).to_dict()


def _queries(table: PerQuery) -> str:
    return f"{{{','.join(f'{dump_line(query)}:{dump_line(row)}' for query, row in table.items())}}}"
