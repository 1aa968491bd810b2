"""Parts of a batch: plain records, together where they are alike, and those that are not plain."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from groupwise.evaluator.intake.bulk import (
    PLAIN,
    BulkCheck,
    PlainBatch,
    accept_query_ids,
    are_scores,
)
from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.reading.packed_ids import choose_rows
from groupwise.evaluator.reading.records import group_alike
from groupwise.schemas import plain_rankings, plain_truths

NONE = type(None)
Columns: TypeAlias = dict[str, list[Any]]


class PlainPart(NamedTuple):
    """Plain records that are alike, and their numbers in the batch."""

    numbers: list[int]
    records: PlainBatch


class Partition(NamedTuple):
    """The plain records of a batch, and the numbers of all others."""

    plain: list[PlainPart]
    odd: list[int]


class SortedRows(NamedTuple):
    """The plain records of a batch in columns, and the rows of all others."""

    plain: PlainBatch
    odd: list[int]


def partition(
    bulk: BulkCheck, values: list[Any], keys: list[str] | None, fields: Columns | None = None
) -> Partition:
    """Return the plain records of a batch that cannot be accepted as a whole, and the others.

    ``fields`` has the content of each field, if all records have the same ones and it is known.
    """
    parts = Partition([], [])
    columns = bulk.split_fields(values, keys) if fields is None else fields
    if columns is not None and not bulk.has_all(columns):
        return Partition([], [*range(len(values))])
    if columns is not None:
        _sort_out(_Alike(bulk, [*range(len(values))], columns, keys), parts)
        return Partition(parts.plain, sorted(parts.odd))
    for numbers in group_alike(values):
        own_keys = None if keys is None else [keys[number] for number in numbers]
        columns = bulk.split_fields([values[number] for number in numbers], own_keys)
        if columns is None or not bulk.has_all(columns):
            parts.odd.extend(numbers)
        else:
            _sort_out(_Alike(bulk, numbers, columns, own_keys), parts)
    return Partition(parts.plain, sorted(parts.odd))


def sort_columns(bulk: BulkCheck, columns: Mapping[str, Any]) -> SortedRows | None:
    """Return the plain ones of records in columns, and the rows of the others.

    None if that cannot be told.
    """
    fields = bulk.name_columns(columns, None)
    if fields is None or "scores" in fields or not bulk.has_all(fields):
        return None
    count = len(fields["id"])
    odd = sorted(_Alike(bulk, [], fields, None).find_odd())
    if odd:
        chosen = bytearray(b"\1") * count
        for row in odd:
            chosen[row] = 0
        fields = {name: choose_rows(content, chosen) for name, content in fields.items()}
    plain = bulk.accept_fields(fields, None) if len(odd) < count else None
    return None if plain is None else SortedRows(plain, odd)


def partition_rows(
    bulk: BulkCheck,
    values: list[Any],
    keys: list[str] | None,
    rows: list[int],
    fields: Columns | None = None,
) -> Partition:
    """Return the same for some rows of a batch, by their numbers in it."""
    if len(rows) == len(values):
        return partition(bulk, values, keys, fields)
    own_keys = None if keys is None else [keys[row] for row in rows]
    if fields is not None:
        fields = {name: [content[row] for row in rows] for name, content in fields.items()}
    plain, odd = partition(bulk, [values[row] for row in rows], own_keys, fields)
    numbered = [
        PlainPart([rows[number] for number in part.numbers], part.records) for part in plain
    ]
    return Partition(numbered, [rows[number] for number in odd])


def _sort_out(own: "_Alike", parts: Partition) -> None:
    """Add records with the same fields to the parts."""
    numbers, odd = own.numbers, own.find_odd()
    parts.odd.extend(numbers[row] for row in sorted(odd))
    for rows, plain in own.accept_all([row for row in range(len(numbers)) if row not in odd]):
        chosen = [numbers[row] for row in rows]
        if plain is None:
            parts.odd.extend(chosen)
        else:
            parts.plain.append(PlainPart(chosen, plain))


class _Alike(NamedTuple):
    """Records with the same fields, in columns."""

    bulk: BulkCheck
    numbers: list[int]
    columns: Columns
    keys: list[str] | None

    def find_odd(self) -> set[int]:
        """Return the rows in which a field is not plain by itself."""
        odd: set[int] = set()
        columns = self.columns if self.keys is None else {"id": self.keys, **self.columns}
        for field, contents in columns.items():
            if field in QUICK_TESTS:
                odd.update(_find_odd_lists(contents, *QUICK_TESTS[field]))
            elif (is_plain := TESTS.get(field)) is not None and not is_plain(contents):
                odd.update(row for row, content in enumerate(contents) if not is_plain([content]))
        if "scores" in columns and "results" in columns:
            pairs = enumerate(zip(columns["scores"], columns["results"], strict=True))
            odd.update(row for row, (scores, ids) in pairs if not _fit(scores, ids))
        return odd

    def accept_all(self, rows: list[int]) -> Iterator[tuple[list[int], PlainBatch | None]]:
        """Yield rows with what they are together: all, else those whose ids are of one kind."""
        together = self.accept(rows) if rows else None
        if together is not None:
            yield rows, together
            return
        for alike in self._group_by_kind(rows):
            found = self.accept(alike)
            if found is not None:
                yield alike, found
            else:
                yield from (([row], self.accept([row])) for row in alike)

    def _group_by_kind(self, rows: list[int]) -> Iterable[list[int]]:
        """Return rows that are probably plain together, because their ids are of the same kinds."""
        tests = [(self.columns[name], KINDS[name]) for name in KINDS if name in self.columns]
        groups: dict[Any, list[int]] = {}
        for row in rows:
            kinds = tuple([test(content[row]) for content, test in tests])
            groups.setdefault(kinds, []).append(row)
        return groups.values()

    def accept(self, rows: list[int]) -> PlainBatch | None:
        """Return these rows, if they are plain; else None."""
        if len(rows) == len(self.numbers):
            return self.bulk.accept_columns(self.columns, self.keys)
        columns = {name: [content[row] for row in rows] for name, content in self.columns.items()}
        keys = None if self.keys is None else [self.keys[row] for row in rows]
        return self.bulk.accept_columns(columns, keys)


def _find_odd_lists(
    contents: list[Any],
    find_odd: Callable[[Any], list[int] | None],
    careful: Callable[[list[Any]], Any],
) -> list[int]:
    """Return the rows that are not plain by themselves; what the quick test accepts is."""
    return [row for row in find_odd(contents) or () if careful([contents[row]]) is None]


def _fit(scores: Any, results: Any) -> bool:
    return type(results) is list and are_scores([scores], [results])


TESTS: dict[str, Callable[[list[Any]], bool]] = {
    **PLAIN,
    "id": lambda contents: accept_query_ids(contents) is not None,
}
"""By field, whether contents are plain."""

QUICK_TESTS: dict[str, tuple[Callable[[Any], list[int] | None], Callable[[list[Any]], Any]]] = {
    "ground_truth": (walk.find_odd_truths, plain_truths),
    "results": (walk.find_odd_rankings, plain_rankings),
}
"""By field, what finds contents that may not be plain, at C speed, and what has the last word."""


def _find_kind(ids: list[Any]) -> type:
    """Return the kind of the first id; in a plain list, the others are of the same."""
    return type(ids[0]) if ids else NONE


KINDS: dict[str, Callable[[Any], object]] = {
    "id": type,
    "ground_truth": lambda groups: _find_kind(groups[0]) if groups else NONE,
    "results": _find_kind,
    "not_relevant": _find_kind,
}
"""By field with ids, what tells strings and numbers apart in a plain record."""
