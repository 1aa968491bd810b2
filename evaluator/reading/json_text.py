"""JSON output on one line, safe to print."""

from typing import Any

import orjson

from groupwise.evaluator.text import json_safe


def dump_line(value: Any) -> str:
    """Return a value as JSON on one line; invisible characters are escaped."""
    try:
        return json_safe(orjson.dumps(value).decode())
    except TypeError:
        return _dump_surrogates(value)


def _dump_surrogates(value: Any) -> str:
    """Return JSON of strings with lone surrogates, which orjson rejects."""
    from json import dumps  # noqa: PLC0415  (rarely needed)

    return json_safe(dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False))
