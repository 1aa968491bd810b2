"""The report as one JSON object."""

from typing import Any

import orjson

from groupwise.evaluator.reporting.sanitise import json_safe
from groupwise.schemas import PerQuery, Report


def render(report: Report) -> str:
    """One line: the object of the contract, its queries written one by one."""
    members = (
        f'"{name}":{_queries(report.per_query) if name == "per_query" else dumped(value)}'
        for name, value in without_queries(report).items()
    )
    return f"{{{','.join(members)}}}\n"


def without_queries(report: Report) -> dict[str, Any]:
    """The report as plain data, with an empty ``per_query``."""
    return report.model_copy(update={"per_query": PerQuery([], {})}).to_dict()


def _queries(table: PerQuery) -> str:
    return f"{{{','.join(f'{dumped(query)}:{dumped(row)}' for query, row in table.items())}}}"


def dumped(value: Any) -> str:
    """A value as JSON on one line; unseen characters are escaped."""
    try:
        return json_safe(orjson.dumps(value).decode())
    except TypeError:
        return _with_lone_surrogates(value)


def _with_lone_surrogates(value: Any) -> str:
    """Programs can pass strings that are not Unicode text; orjson refuses them."""
    from json import dumps  # noqa: PLC0415  (hardly ever needed)

    return json_safe(dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False))
