"""Values of any record, without its model: how they are named, described and converted."""

import json
import math
from collections.abc import Iterable, Mapping, Sized
from collections.abc import Set as AbstractSet
from itertools import chain, islice
from numbers import Real
from typing import Any

FIELD_NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "qid", "query_id"),
    "ground_truth": ("ground_truth", "retrieval_gt"),
    "results": ("results", "retrieved_ids"),
    "scores": ("scores", "retrieve_scores"),
}
"""The names of a field in files; those after the first are AutoRAG's."""

DOCUMENT_NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "doc_id", "_id", "docid", "document_id"),
    "text": ("text", "contents", "content", "page_content"),
    "document": ("document", "path"),
    "start": ("start",),
    "end": ("end",),
    "metadata": ("metadata",),
}
"""The names that fields of a document go by; where a record has several, the first one counts."""

SPAN = "start_end_idx"
"""AutoRAG's name for start and end in a list."""

NEAR = 0.6
"""How much of two names must match if one is meant to be the other: the default of difflib."""

DEEPEST = 60
"""How deep free data in a record may be nested; the record itself adds four levels."""

SMALLEST, GREATEST = -(2**63), 2**64 - 1
"""The whole numbers of 64 bits."""

CANONICAL = {name: field for field, names in FIELD_NAMES.items() for name in names}
RENAMED = frozenset(name for name, field in CANONICAL.items() if name != field)


def names_in(fields: Any) -> dict[str, str]:
    """Return the name of each field of a document that is among these."""
    known = DOCUMENT_NAMES.items()
    return {
        field: next(filter(fields.__contains__, names))
        for field, names in known
        if not set(names).isdisjoint(fields)
    }


def find_nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is nearest to this one, if any is near."""
    from difflib import get_close_matches  # noqa: PLC0415  (only needed when a name is wrong)

    word = name.lower()[:64]  # more would take long
    return next(iter(get_close_matches(word, [*known], n=1, cutoff=NEAR)), None)


def describe(value: object) -> str:
    """Return a description of a value in JSON terms, for messages."""
    if isinstance(value, str):
        return f"the string {_cut(value)!r}"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _describe_number(value)
    if isinstance(value, Mapping):
        return "an object"
    names: dict[type, str] = {
        type(None): "null", bool: "a boolean", list: "a list", tuple: "a list"
    }  # fmt: skip
    return names.get(type(value), f"a value of type {type(value).__name__}")


def _describe_number(value: float) -> str:
    try:
        return f"the number {value}"
    except ValueError:  # Python refuses to write it
        return "a number of thousands of digits"


def quote_id(id_: str | int) -> str:
    """Return an id as JSON and Python write it."""
    if not isinstance(id_, str):
        return str(id_)
    return escape_surrogates(json.dumps(_cut(id_), ensure_ascii=False))


def escape_surrogates(text: str) -> str:
    """Return text with halves of surrogate pairs as escapes: Pydantic takes them in no message."""
    return text.encode("utf-8", "backslashreplace").decode()


def _cut(text: str, limit: int = 60) -> str:
    """Return the text, cut with an ellipsis if it is long."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def as_list(value: Any) -> Any:
    """Return tuples and NumPy arrays as lists, and anything else unchanged."""
    if value is None or isinstance(value, (list, dict)):
        return value
    if hasattr(value, "tolist"):
        return value.tolist()
    return list(value) if isinstance(value, tuple) else value


def as_flat(value: Any) -> Any:
    """Return a set as a sorted list, tuples and arrays as lists, and anything else unchanged."""
    return sort_set(value) if isinstance(value, AbstractSet) else as_list(value)


def sort_set(values: Iterable[Any]) -> list[Any]:
    """Return the members of a set by type, then value."""
    return sorted(values, key=_rank_member)


def _rank_member(value: Any) -> tuple[str, Any]:
    if isinstance(value, AbstractSet):
        return "set", [*map(_rank_member, sort_set(value))]
    return type(value).__name__, value if isinstance(value, str | int) else repr(value)


def is_number(value: Any) -> bool:
    """Whether this is a number of Python or NumPy; booleans are not."""
    if type(value).__module__ == "numpy":
        return isinstance(value, Real)
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_pair(value: Any) -> bool:
    """Whether this is a list of a text and a whole number, such as a document and its page."""
    return len(value) == 2 and {*map(type, value)} == {str, int}


def as_number(value: Any) -> Any:
    """Return a number of NumPy as one of Python."""
    return value if isinstance(value, int | float) else value.item()


def find_unfit(values: list[Any]) -> str:
    """Say what JSON cannot carry in free data, or what is nested too deep; blank: nothing."""
    level = values
    for _ in range(DEEPEST + 1):
        kinds = {*map(type, level)}
        if int in kinds or float in kinds:
            unfit = (each for each in level if type(each) in (int, float) and not fits(each))
            if (number := next(unfit, None)) is not None:
                return f"{describe(number)}; numbers are finite, and whole ones have 64 bits"
        if kinds.isdisjoint((dict, list)):
            return ""
        nested = (each for each in level if type(each) is dict or type(each) is list)
        parts = (each.values() if type(each) is dict else each for each in nested)
        level = [*chain.from_iterable(parts)]
    return "nested deeper than 64 levels"


def fits(number: float) -> bool:
    """Whether a number is not infinite, and a whole one has 64 bits."""
    return not math.isinf(number) if type(number) is float else SMALLEST <= number <= GREATEST


SHOWN = 3
LONGEST = 40


class Excerpt:
    """The beginning of a collection, in the notation of Python.

    >>> Excerpt(["a", "b", "c", "d"]), Excerpt({"f1": 0.123456})
    (['a', 'b', 'c', … 1 more], {'f1': 0.1235})
    """

    def __init__(self, values: Iterable[Any] | Mapping[str, Any]) -> None:
        self._text = _show(values)

    def __repr__(self) -> str:
        return self._text


def _show(value: Any) -> str:
    if isinstance(value, Iterable) and not isinstance(value, str):
        items = value.items() if isinstance(value, Mapping) else value
        shown = [_show_item(item, value) for item in islice(items, SHOWN)]
        more = len(value) - SHOWN if isinstance(value, Sized) else 0
        text = ", ".join([*shown, f"… {more:,} more"] if more > 0 else shown)
        return f"{{{text}}}" if isinstance(value, Mapping) else f"[{text}]"
    text = repr(round(value, 4) if isinstance(value, float) else value)
    if len(text) <= LONGEST:
        return text
    return f"{repr(value[:LONGEST])[:-1]}…'" if isinstance(value, str) else f"{text[:LONGEST]}…"


def _show_item(item: Any, owner: Any) -> str:
    if isinstance(owner, Mapping):
        return ": ".join(map(_show, item))
    return _show(item)
