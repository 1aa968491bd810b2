"""Which slices a query belongs to: those of the values that it has of a field.

A field is a key of the queries' ``metadata``. ``groups``, the number of groups, and ``label``, the
labels of groups, are fields as well, unless a query has metadata of that name. Values are told
apart by their text: the number 2 and the text ``"2"`` are one slice.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple, TypeAlias

from groupwise.evaluator.errors import InputError, OptionError, Problem
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.truths import groups_of, labels_of
from groupwise.evaluator.text import NUMBER, cut, json_pointer, plural, quote, suggest
from groupwise.schemas import Truth
from groupwise.schemas.ids import as_plain, text_of
from groupwise.schemas.values import as_list, describe

NONE = "(none)"
"""The slice of the queries that have no value."""
GROUPS, LABEL = "groups", "label"
ACCEPTED = "expected text, a number, true or false, null, or a list of them"
LARGEST = 2**64
SIMPLE = frozenset({str, int, bool, type(None)})
SHOWN_FIELDS = 20
LONGEST_FIELD = 60
Metadata: TypeAlias = Mapping[str, Any] | None


class Cell(NamedTuple):
    """A slice of a field, taken from metadata or from the ground truth."""

    field: str
    name: str
    of_truth: bool = False


class Slicer:
    """Finds the slices of queries, and notes which fields they have.

    ``problems`` are values that make no slice. Slicers of different queries merge in any order.
    """

    def __init__(self, fields: Sequence[str]) -> None:
        self.fields = tuple(fields)
        self.keys: set[str] = set()
        self.has_labels = False
        self.problems: list[Problem] = []
        self._cells: dict[Any, tuple[Cell, ...]] = {}

    def locate(self, rows: Rows) -> list[tuple[Cell, ...]]:
        """Return the slices that each query belongs to, of all fields."""
        metadata: Iterable[Metadata] = rows.metadata or repeat(None, len(rows))
        queries = zip(rows.ids, metadata, rows.truths, strict=True)
        return [tuple(self._find_cells(*query)) for query in queries]

    def _find_cells(self, query_id: str, metadata: Metadata, truth: Truth) -> Iterator[Cell]:
        known = metadata or {}
        self.keys.update(known)
        self.has_labels = self.has_labels or any(labels_of(truth))
        for field in self.fields:
            yield from self._name_cells(query_id, field, known.get(field))
            if field == GROUPS:
                yield Cell(field, str(len(groups_of(truth))), of_truth=True)
            elif field == LABEL:
                for name in name_slices([label for label in labels_of(truth) if label]):
                    yield Cell(field, name, of_truth=True)

    def _name_cells(self, query_id: str, field: str, value: Any) -> tuple[Cell, ...]:
        """Return the slices of a value; most values come again and again."""
        if type(value) not in SIMPLE:
            return self._build_cells(query_id, field, value)
        key = field, type(value), value
        if key not in self._cells:
            self._cells[key] = self._build_cells(query_id, field, value)
        return self._cells[key]

    def _build_cells(self, query_id: str, field: str, value: Any) -> tuple[Cell, ...]:
        try:
            return tuple(Cell(field, name) for name in name_slices(value))
        except ValueError as error:
            pointer = json_pointer(["metadata", field])
            self.problems.append(Problem(str(error), query=query_id, pointer=pointer))
            return ()

    def merge(self, other: "Slicer") -> None:
        """Add what another has noted about other queries."""
        self.keys |= other.keys
        self.has_labels = self.has_labels or other.has_labels
        self.problems += other.problems

    def check(self) -> None:
        """Raise an InputError for values that make no slice, and for fields that no query has."""
        unknown = [field for field in self.fields if field not in self.list_fields()]
        problems = sorted(self.problems, key=lambda problem: (problem.query, problem.pointer))
        problems += [Problem(self._describe_unknown(field)) for field in unknown]
        if problems:
            raise InputError(problems)

    def list_fields(self) -> list[str]:
        """Return the fields that queries can be sliced by, sorted."""
        return sorted({*map(str, self.keys), GROUPS, *([LABEL] if self.has_labels else [])})

    def is_of_truth(self, field: str) -> bool:
        """Whether a field is taken from the ground truth: no query has metadata of that name."""
        return field not in self.keys

    def _describe_unknown(self, field: str) -> str:
        fields = self.list_fields()
        near = suggest(field, fields, otherwise=" ").strip()
        shown = ", ".join(cut(name, LONGEST_FIELD) for name in fields[:SHOWN_FIELDS])
        more = len(fields) - SHOWN_FIELDS
        rest = f" and {plural(more, 'other')}" if more > 0 else ""
        choice = f"{near} There are" if near else "choose from"
        return f"no query has the field {quote(field)} to slice by; {choice} {shown}{rest}"


def slice_queries(rows: Rows, fields: Sequence[str]) -> dict[str, dict[str, list[str]]]:
    """Return the ids of the queries of each slice, by field and by the name of the slice.

    Slices are in the order of reports, queries in order of their ids.

    Args:
        rows: The ground truth, read with its metadata.
        fields: Keys of metadata, ``groups`` or ``label``.

    Raises:
        InputError: No query has a field, or a value makes no slice.
    """
    slicer = Slicer(fields)
    members: dict[Cell, list[str]] = {}
    for query_id, cells in sorted(zip(rows.ids, slicer.locate(rows), strict=True)):
        for cell in cells:
            members.setdefault(cell, []).append(query_id)
    slicer.check()
    return {
        field: {cell.name: members[cell] for cell in choose_cells(members, field, slicer)}
        for field in slicer.fields
    }


def choose_cells(cells: Iterable[Cell], field: str, slicer: Slicer) -> list[Cell]:
    """Return the slices of a field: numbers by size, then texts, then the queries without one."""
    of_truth = slicer.is_of_truth(field)
    chosen = [cell for cell in cells if cell.field == field and cell.of_truth == of_truth]
    return sorted(chosen, key=lambda cell: _order_of(cell.name))


def _order_of(name: str) -> tuple[int, float, str]:
    if name == NONE:
        return 2, 0.0, ""
    return (0, float(name), name) if NUMBER.fullmatch(name) else (1, 0.0, name)


def name_slices(value: Any) -> tuple[str, ...]:
    """Return the names of the slices that a value belongs to; a list belongs to several.

    >>> name_slices("bridge"), name_slices([2, "en", 2.0]), name_slices(None), name_slices("(none)")
    (('bridge',), ('2', 'en'), ('(none)',), ('"(none)"',))

    Raises:
        ValueError: The value is an object, or a list that holds one.
    """
    values = as_list(as_plain(value))
    if not isinstance(values, list | tuple | set | frozenset):
        return (_name(values),)
    return tuple(sorted({_name(as_plain(each)) for each in values})) or (NONE,)


def _name(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return NONE
    if isinstance(value, str):
        return _name_text(text_of(value))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) <= LARGEST:
        return str(value)
    if isinstance(value, float):
        whole = abs(value) <= LARGEST and value.is_integer()
        return str(int(value)) if whole else repr(value)
    found = "a number above 2^64" if isinstance(value, int) else describe(value)
    raise ValueError(f"{found} makes no slice; {ACCEPTED}")


def _name_text(text: str) -> str:
    """Return a text as it is, or in quotes if it could be taken for something else."""
    needs_quotes = text in {"", NONE} or text.startswith('"')
    return json.dumps(text, ensure_ascii=False) if needs_quotes else text


def check_fields(by: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return the fields to slice by, each once.

    Raises:
        OptionError: One of them is not a text.
    """
    if by is None:
        return ()
    fields = [by] if isinstance(by, str) or not isinstance(by, Iterable) else list(by)
    for field in fields:
        if not isinstance(field, str):
            raise OptionError([Problem(f"by: expected the name of a field, got {quote(field)}")])
    return tuple(dict.fromkeys(fields))
