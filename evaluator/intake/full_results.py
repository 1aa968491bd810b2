"""Results in full, accepted in bulk: objects that are plain and alike.

A run with texts or spans has an object per result. Validating each would cost more than all else;
here the objects of a batch are checked column by column. Whatever is unusual is left to the
schemas, which accept richer forms and locate problems.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, repeat
from math import isfinite
from operator import itemgetter
from typing import Any

from groupwise.evaluator.reading.packed_ids import lengths_of
from groupwise.schemas import Id, Reference
from groupwise.schemas.reference import FARTHEST

LARGEST = 2**63


@dataclass(frozen=True, slots=True)
class FullResults:
    """The results of some queries in columns, each with a list per query."""

    ids: list[list[Id]]
    scores: list[list[float]] | None
    tokens: list[list[int]] | None
    fields: dict[str, list[Any]]

    def references(self, ids: Iterable[list[Id]]) -> list[list[Reference]]:
        """Return what the results refer to; their ids may have become texts."""
        columns = [self.fields.get(name, repeat(None)) for name in REFERRED]
        return _cut(map(Reference, chain.from_iterable(ids), *columns), self.ids)


def split_results(values: list[Any]) -> FullResults | None:
    """Return the columns of results that are objects with the same fields; None for any others."""
    if {*map(type, values)} != {list}:
        return None
    flat = [*chain.from_iterable(values)]
    if {*map(type, flat)} != {dict} or len({*map(tuple, flat)}) != 1:
        return None
    names = tuple(flat[0])
    if "id" not in names or not {*names} <= ACCEPTED.keys():
        return None
    fields = dict(zip(names, _transpose(flat, names), strict=True))
    if not all(ACCEPTED[name](column) for name, column in fields.items()):
        return None
    return FullResults(
        _cut(fields.pop("id"), values),
        _cut(map(float, fields.pop("score")), values) if "score" in fields else None,
        _cut(fields.pop("tokens"), values) if "tokens" in fields else None,
        fields,
    )


def _transpose(flat: list[dict[str, Any]], names: tuple[str, ...]) -> Iterable[list[Any]]:
    return [[*map(itemgetter(name), flat)] for name in names]


def _cut(column: Iterable[Any], values: list[Any]) -> list[list[Any]]:
    """Return a column in lists as long as those of the values."""
    left: Iterator[Any] = iter(column)
    return [[*islice(left, length)] for length in lengths_of(values)]


def _are_texts(column: list[Any]) -> bool:
    return {*map(type, column)} == {str} and _is_encodable("".join(column))


def _is_encodable(text: str) -> bool:
    """Whether a text has no halves of a surrogate pair, which the schemas refuse."""
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False


def _are_documents(column: list[Any]) -> bool:
    return _are_texts(column) or _are_counts(column)


def _are_counts(column: list[Any]) -> bool:
    return {*map(type, column)} == {int} and min(column) >= 0 and max(column) < LARGEST


def _are_offsets(column: list[Any]) -> bool:
    return _are_counts(column) and max(column) <= FARTHEST


def _are_scores(column: list[Any]) -> bool:
    try:
        return {*map(type, column)} <= {float, int} and isfinite(sum(map(float, column)))
    except OverflowError:
        return False


REFERRED = ("text", "document", "start", "end")
ACCEPTED: dict[str, Callable[[list[Any]], bool]] = {
    "id": lambda _column: True,
    "score": _are_scores,
    "text": _are_texts,
    "document": _are_documents,
    "start": _are_offsets,
    "end": _are_offsets,
    "tokens": _are_counts,
}
"""What the fields may hold; ids are checked with those of other rankings."""
