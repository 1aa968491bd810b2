"""Keys that an object repeats: orjson keeps the last one without a word, so they are counted.

Every key needs a colon, so the colons of the text are at least as many as its keys, and its keys
at least as many as those of the parsed value. Where colons and parsed keys are equally many, no key
was lost, and that is a count of one byte. A colon inside a string only makes the colons more: then
those behind a closing quote are counted, and where even these are more the text is walked.
"""

from typing import Any

from groupwise.evaluator.formats.scan import repeated_keys

_SPACE = b" \t\r\n"


def may_repeat_keys(raw: bytes, value: Any) -> bool:
    """Whether the text may hold a key that the parsed value has lost; False is certain."""
    colons = raw.count(b":")
    objects = value if type(value) is list else [value]
    if {*map(type, objects)} == {dict} and colons == sum(map(len, objects)):
        return False
    keys = _keys(raw, value)
    return colons != keys and raw.translate(None, _SPACE).count(b'":') != keys


def _keys(raw: bytes, value: Any) -> int:
    """The number of keys, without a walk where no object holds another."""
    objects = value if type(value) is list else [value]
    if {*map(type, objects)} == {dict} and raw.count(b"{") == len(objects):
        return sum(map(len, objects))
    return count_keys(value)


def count_keys(value: Any) -> int:
    """The number of keys of all objects in a parsed value."""
    if type(value) is dict:
        return len(value) + sum(map(count_keys, value.values()))
    if type(value) is list and _has_containers(value):
        return sum(map(count_keys, value))
    return 0


def _has_containers(value: list[Any]) -> bool:
    return not {*map(type, value)}.isdisjoint((dict, list))


def find_repeated_keys(raw: bytes) -> list[tuple[str, int, int]]:
    """Each repeated key with the places (in characters) of its first and later occurrence."""
    return list(repeated_keys(raw.decode("utf-8")))
