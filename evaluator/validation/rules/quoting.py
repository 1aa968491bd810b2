"""Ids in messages."""

import json

LIMIT = 60


def shorten_text(text: str, limit: int = LIMIT) -> str:
    """Return the text, cut with an ellipsis where it is long."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def quote(value: object) -> str:
    """Return a value as Python writes it, shortened."""
    return shorten_text(repr(value))


def quote_id(value: str | int) -> str:
    """Return an id as both JSON and Python write it, shortened."""
    if isinstance(value, int):
        return str(value)
    return json.dumps(shorten_text(value), ensure_ascii=False)
