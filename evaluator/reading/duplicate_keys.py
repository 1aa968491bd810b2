"""Keys that an object repeats: orjson silently keeps the last one, so keys are counted.

Every key ends with a quote and a colon, with nothing but white space between them. If the text has
as many such pairs as the parsed value has keys, no key was lost. A pair inside a string can only
make them more: then the text is scanned.
"""

from typing import Any

from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.reading.scan import repeated_keys


def may_repeat_keys(raw: bytes, value: Any) -> bool:
    """Whether the text may hold a key that the parsed value has lost; False is certain."""
    return walk.count_key_ends(raw) != walk.count_keys(value)


def find_repeated_keys(raw: bytes) -> list[tuple[str, int, int]]:
    """Return each repeated key with the places, in characters, where it is first and again."""
    return list(repeated_keys(raw.decode("utf-8")))
