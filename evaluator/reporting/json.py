"""The report as one JSON object."""

from typing import Any

import orjson

from groupwise.evaluator.reporting.sanitise import json_safe
from groupwise.schemas import Report


def render(report: Report) -> str:
    """One line: the object of the contract."""
    return f"{dumped(report.to_dict())}\n"


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
