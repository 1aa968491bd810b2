"""JSON text that may be cut off: decoded as far as it goes."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from groupwise.evaluator.reading.scan import decode_value, elements, members, skip_space

MOST_ENTRIES = 1001
"""How many entries of a value that is cut off are decoded."""
DEEPEST_CUT = 8
"""How many nested values that are cut off are decoded in part; each costs a scan of the rest."""


def decode_beginning(text: str, place: int = 0, deepest: int = DEEPEST_CUT) -> Any:
    """Return the JSON value that begins here; of one that is cut off, its first entries.

    Raises:
        ValueError: There is no value, or it is broken rather than cut off.

    Example:
        >>> decode_beginning('{"cases": [{"q": "a"}, {"q": "b')
        {'cases': [{'q': 'a'}, {}]}
    """
    place = skip_space(text, place)
    try:
        return decode_value(text, place)
    except ValueError:
        opening = text[place : place + 1]
        if opening not in ("{", "[") or not deepest:
            raise
    if opening == "{":
        return dict(_decode_members(text, place, deepest - 1))
    return list(_decode_elements(text, place, deepest - 1))


def _decode_members(text: str, place: int, deepest: int) -> Iterator[tuple[str, Any]]:
    try:
        for key, _, value in islice(members(text, place), MOST_ENTRIES):
            yield key, decode_beginning(text, value, deepest)
    except ValueError:
        return


def _decode_elements(text: str, place: int, deepest: int) -> Iterator[Any]:
    try:
        for element in islice(elements(text, place), MOST_ENTRIES):
            yield decode_beginning(text, element, deepest)
    except ValueError:
        return
