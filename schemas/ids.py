"""The id of a document: a non-blank string, or a whole number below 2^63."""

from collections.abc import Iterable
from itertools import chain
from os import PathLike
from typing import Any, TypeAlias

Id: TypeAlias = str | int

LARGEST = 2**63 - 1
ONE_KIND = "use one kind, or ids='text' to compare all as strings"
JOINED = "if it is one id in two parts, join them, in a file with --map FIELD=PATH.*.0+1"
SCORED = "give an id and its score for each result, in this order, or scores for none"
ACCEPTED = "an id is a non-blank string or a whole number below 2^63"


Kind: TypeAlias = type[str] | type[int] | type[None]
"""The kind of all ids of a list; NoneType for an empty list."""


def plain_kind(ids: list[Any]) -> Kind | None:
    """Return the kind of all these ids, or None if they need a closer look.

    This is the check in bulk, at C speed, that well-formed lists pass. ``str.strip`` refuses
    what is not a string, and returns an empty string for a blank one.
    """
    return kind_within([ids])


def kind_within(lists: list[list[Any]]) -> Kind | None:
    """Return the kind of the ids of several lists, or None if they need a closer look."""
    if not any(lists):
        return type(None)
    try:
        return str if all(map(str.strip, chain.from_iterable(lists))) else None
    except TypeError:
        return _whole_numbers(chain.from_iterable(lists))


def _whole_numbers(listed: Iterable[Any]) -> type[int] | None:
    """Return the kind of ids if all are numbers; most lists that are not do not begin with one."""
    left = iter(listed)
    first = next(left)
    if type(first) is not int:
        return None
    ids = [first, *left]
    if set(map(type, ids)) != {int}:
        return None
    return int if min(ids) >= -LARGEST and max(ids) <= LARGEST else None


def as_plain(value: Any) -> Any:
    """Return a scalar of NumPy as one of Python, and anything else unchanged."""
    if type(value).__module__ == "numpy" and hasattr(value, "item"):
        return value.item()
    return value


def text_of(id_: Id) -> str:
    """Return an id as text; a string enum is its value, not its name."""
    return str.__str__(id_) if isinstance(id_, str) else str(id_)


def advise_text(value: object) -> str:
    """Return how to write an object as the text of an id; blank if there is no common way.

    >>> from uuid import UUID
    >>> advise_text(UUID(int=7))
    '; write str(uuid)'
    """
    if isinstance(value, PathLike):
        return "; write str(path), or path.as_posix() for the same text on every system"
    names = (f"{kind.__module__}.{kind.__qualname__}" for kind in type(value).__mro__)
    return next((f"; write {TEXT_OF[name]}" for name in names if name in TEXT_OF), "")


TEXT_OF = {
    "uuid.UUID": "str(uuid)",
    "enum.Enum": "member.value, or member.name",
    "builtins.bytes": "value.decode()",
    "builtins.bytearray": "value.decode()",
    "decimal.Decimal": "str(number), or int(number) if it is whole",
    "fractions.Fraction": "str(number), or int(number) if it is whole",
    "datetime.date": "value.isoformat()",
    "datetime.time": "value.isoformat()",
}
"""How objects that are often used as ids become text, by their class."""
