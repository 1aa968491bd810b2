"""The first of many values, for a ``repr`` on one line."""

from collections.abc import Iterable, Mapping, Sized
from itertools import islice
from typing import Any

SHOWN = 3
LONGEST = 40


class Excerpt:
    """The beginning of a collection, in the notation of Python.

    >>> Excerpt(["a", "b", "c", "d"]), Excerpt({"f1": 0.123456})
    (['a', 'b', 'c', … 1 more], {'f1': 0.1235})
    """

    def __init__(self, values: Iterable[Any] | Mapping[str, Any]) -> None:
        self._text = _describe(values)

    def __repr__(self) -> str:
        return self._text


def _describe(values: Any) -> str:
    if isinstance(values, Mapping):
        shown = [f"{_cut(name)}: {_cut(value)}" for name, value in islice(values.items(), SHOWN)]
        return f"{{{', '.join([*shown, *_count_more(values)])}}}"
    if isinstance(values, Iterable) and not isinstance(values, str):
        shown = [_cut(value) for value in islice(values, SHOWN)]
        return f"[{', '.join([*shown, *_count_more(values)])}]"
    return _cut(values)


def _cut(value: Any) -> str:
    """Return a value, with four digits after the point, or the beginning of a long one."""
    if isinstance(value, list | tuple):
        return _describe(value)
    text = repr(round(value, 4) if isinstance(value, float) else value)
    if len(text) <= LONGEST:
        return text
    return f"{repr(value[:LONGEST])[:-1]}…'" if isinstance(value, str) else f"{text[:LONGEST]}…"


def _count_more(values: Any) -> list[str]:
    more = len(values) - SHOWN if isinstance(values, Sized) else 0
    return [f"… {more:,} more"] if more > 0 else []
