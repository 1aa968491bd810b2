"""Values as lines of JSON that are safe to show."""

from typing import Any

import orjson

from groupwise.evaluator.text import json_safe


def dump_line(value: Any) -> str:
    """Return a value as JSON on one line; unseen characters are escaped."""
    try:
        return json_safe(orjson.dumps(value).decode())
    except TypeError:
        return _dump_surrogates(value)


def _dump_surrogates(value: Any) -> str:
    """Dump strings that are not Unicode text, which programs can pass and orjson refuses."""
    from json import dumps  # noqa: PLC0415  (hardly ever needed)

    return json_safe(dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False))
