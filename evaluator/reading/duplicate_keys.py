"""Keys that an object repeats: orjson silently keeps the last one, so keys are counted.

Every key ends with a quote and a colon, with nothing but white space between them. If the text has
as many such pairs as the parsed value has keys, no key was lost. A pair inside a string can only
make them more: then the text is scanned. Most records hold no objects; if there are no more pairs
than the records themselves have keys, nothing within them is looked at.
"""

import json
from collections.abc import Callable
from typing import Any

from groupwise.evaluator.errors import Problem
from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.reading.records import Reading
from groupwise.evaluator.reading.scan import repeated_keys

REPEATED_KEY = "IO004"


def may_repeat_keys(raw: bytes | list[bytes], value: Any) -> bool:
    """Whether the text may hold a key that the parsed value has lost; False is certain.

    The text may be given as a list of lines, the value as the list of their values.
    """
    ends = walk.count_key_ends(raw)
    return ends != count_outer_keys(value) and ends != walk.count_keys(value)


def count_outer_keys(value: Any) -> int | None:
    """Return the number of keys of an object, or of all objects of a list of nothing else."""
    if type(value) is dict:
        return len(value)
    if type(value) is not list or {*map(type, value)} != {dict}:
        return None
    return sum(map(len, value))


def keeps_keys(rest: bytes, values: list[Any]) -> bool:
    """Whether no key was lost, and every key of a cut list is one of its record.

    A list within another object was cut as well; but if all keys are as they are written, so was
    that of each record: there would be more lists than records. For that, it does not matter which
    keys were lost.
    """
    ends = walk.count_key_ends(rest)
    return ends == count_outer_keys(values) or (
        b"\\" not in rest and ends == walk.count_keys(values)
    )


def find_repeated_keys(raw: bytes) -> list[tuple[str, int, int]]:
    """Return each repeated key with the places, in characters, where it is first and again."""
    return list(repeated_keys(raw.decode("utf-8")))


def report_repeated_keys(
    raw: bytes, reading: Reading, describe: Callable[[str, int, int], Problem]
) -> None:
    """Report the keys that a text repeats: described as far as that is wanted, then counted.

    ``describe`` takes a key and the places, in characters, where it is first and again.
    """
    described = 0
    if not reading.is_full(REPEATED_KEY):
        for key, first, later in repeated_keys(raw.decode("utf-8")):
            reading.report(describe(key, first, later))
            described += 1
            if reading.is_full(REPEATED_KEY):
                break
        else:
            return
    reading.counts[REPEATED_KEY] += count_repeated_keys(raw) - described


def count_repeated_keys(raw: bytes) -> int:
    """Return how many keys are repeated, as often as they are."""
    count = walk.count_repeated_keys(raw)
    return _count_by_json(raw) if count is None else count


def _count_by_json(raw: bytes) -> int:
    found = 0

    def count(pairs: list[tuple[str, Any]]) -> None:
        nonlocal found
        found += len(pairs) - len({key for key, _ in pairs})

    try:
        json.loads(raw, object_pairs_hook=count, parse_int=len, parse_float=len)
    except RecursionError:
        return len(find_repeated_keys(raw))
    return found
