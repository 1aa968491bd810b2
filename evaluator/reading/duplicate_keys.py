"""Keys that an object repeats: orjson keeps the last one without a word, so they are counted.

Every key ends in a quote and a colon, with nothing but white space between them. Where the text has
as many such pairs as the parsed value has keys, no key was lost. A pair inside a string only makes
them more: then the text is walked.
"""

from itertools import chain
from operator import itemgetter
from typing import Any

from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.reading.scan import repeated_keys
from groupwise.schemas.shape import list_containers, list_contents


def may_repeat_keys(raw: bytes, value: Any) -> bool:
    """Whether the text may hold a key that the parsed value has lost; False is certain."""
    keys = walk.count_keys(value)
    if keys is None:
        keys = _keys_of_two_levels(value, raw.count(b"{"))
    return walk.count_key_ends(raw) != (count_keys(value) if keys is None else keys)


def _keys_of_two_levels(value: Any, braces: int) -> int | None:
    """The number of keys, if there is no object but records and those right within them.

    Every object has a brace: as many braces as objects found mean that there is no other.
    """
    records = value if type(value) is list else [value]
    if {*map(type, records)} != {dict}:
        return None
    within = _within(records) if braces > len(records) else []
    if len(records) + len(within) != braces:
        return None
    return sum(map(len, records)) + sum(map(len, within))


def _within(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The objects right within records; at C speed where they are alike."""
    names = [name for name, part in records[0].items() if type(part) is dict]
    try:
        found = list(chain.from_iterable(map(itemgetter(name), records) for name in names))
    except KeyError:
        found = []
    if {*map(type, found)} == {dict}:
        return found
    values = chain.from_iterable(map(dict.values, records))
    return [part for part in values if type(part) is dict]


def count_keys(value: Any) -> int:
    """The number of keys of all objects in a parsed value, level by level."""
    keys, level = 0, [value]
    while level := list_containers(level):
        keys += sum(len(one) for one in level if type(one) is dict)
        level = list_contents(level)
    return keys


def find_repeated_keys(raw: bytes) -> list[tuple[str, int, int]]:
    """Each repeated key with the places (in characters) of its first and later occurrence."""
    return list(repeated_keys(raw.decode("utf-8")))
