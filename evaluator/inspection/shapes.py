"""Where the records of a file are, and what each field of theirs holds."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from groupwise.evaluator.inspection.vocabulary import (
    GROUND_TRUTH,
    LONGEST_NAME,
    NAMES,
    RESULTS,
    TRUTH,
    split_path,
)
from groupwise.schemas.values import is_number

Steps: TypeAlias = tuple[str, ...]
MOST_RECORDS = 1000
MOST_FIELDS = 400
MOST_LISTS = 40
DEEPEST_FIELD = 6
DEEPEST_LIST = 4
EVERY = "*"
BY_ID = "numbers by id"


@dataclass(frozen=True)
class Shape:
    """A list of records in a document.

    Attributes:
        prefixes: The paths to the record and to what encloses it, outermost first: ``""`` for
            records that are not under a key, or ``"data[]."``.
        records: Each record, with what encloses it before it.
        by_id: Whether the records stand under their ids.
    """

    prefixes: tuple[str, ...]
    records: Sequence[tuple[Mapping[str, Any], ...]]
    by_id: bool = False


@dataclass
class FieldFacts:
    """A field: its path, and its values in the records that have it."""

    path: str
    steps: Steps
    values: list[Any] = field(default_factory=list)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of its name, with those of the objects that it is in."""
        return split_path(step for step in self.steps if step != EVERY)

    @cached_property
    def type(self) -> str:
        """The type of its values, in words."""
        return describe_types(self.values)

    @property
    def is_in_objects(self) -> bool:
        """Whether it is a field of the objects in a list."""
        return EVERY in self.steps

    @property
    def parent(self) -> str:
        """The path to what it is a field of."""
        return self.path.rpartition(".")[0]


def find_shapes(document: Any) -> Iterator[Shape]:
    """Yield the lists of records in a document, those nearest to its root first."""
    waiting: list[tuple[Shape | None, str, Any, int]] = [(None, "", document, 0)]
    found = 0
    for outer, path, value, depth in waiting:
        if found == MOST_LISTS or depth > DEEPEST_LIST:
            return
        shape = _shape_of(outer, path, value)
        if shape is not None:
            found += 1
            yield shape
        if isinstance(value, Mapping):
            inner = [(None, _join(path, key), part, depth + 1) for key, part in value.items()]
            waiting += inner[:MOST_LISTS] if outer is None else []
        if shape is not None and not shape.by_id:
            waiting += [(shape, key, None, depth + 1) for key in _list_keys(shape)]


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _shape_of(outer: Shape | None, path: str, value: Any) -> Shape | None:
    """Return the records in a value, or those in a list of each enclosing record."""
    if outer is not None:
        return _nested_shape(outer, path)
    if isinstance(value, list) and _are_objects(value):
        prefix = f"{path}[]." if path else ""
        return Shape((prefix,), [(part,) for part in value if isinstance(part, Mapping)])
    if not path and isinstance(value, Mapping) and _are_alike(list(value.values())):
        return Shape(("",), [(part,) for part in value.values()], by_id=True)
    return None


def _nested_shape(outer: Shape, key: str) -> Shape:
    before = outer.prefixes[-1] or "[]."
    prefixes = (*outer.prefixes[:-1], before, f"{before}{key}[].")
    records = [
        (*record, part)
        for record in outer.records
        for part in _list_of(record[-1].get(key))
        if isinstance(part, Mapping)
    ]
    return Shape(prefixes, records[:MOST_RECORDS])


def _list_of(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _list_keys(shape: Shape) -> list[str]:
    """Return the keys under which records have lists of objects."""
    keys: dict[str, None] = {}
    for record in shape.records[:MOST_LISTS]:
        keys |= dict.fromkeys(
            key for key, part in record[-1].items() if isinstance(part, list) and _are_objects(part)
        )
    return list(keys)[:MOST_LISTS]


def _are_objects(values: list[Any]) -> bool:
    return bool(values) and all(isinstance(value, Mapping) for value in values[:MOST_LISTS])


def _are_alike(values: list[Any]) -> bool:
    """Whether values are objects with the same fields."""
    if len(values) < 2 or not _are_objects(values):
        return False
    keys = [frozenset(value) for value in values[:MOST_LISTS]]
    return len(frozenset.intersection(*keys)) * 2 > max(map(len, keys))


def list_fields(shape: Shape) -> list[FieldFacts]:
    """Return the fields of records and of what encloses them, in the order of first occurrence."""
    found: dict[str, FieldFacts] = {}
    for record in shape.records[:MOST_RECORDS]:
        for path, steps, value in _list_values(shape, record):
            if path in found or len(found) < MOST_FIELDS:
                found.setdefault(path, FieldFacts(path, steps)).values.append(value)
    return list(found.values())


def _list_values(
    shape: Shape, record: tuple[Mapping[str, Any], ...]
) -> Iterator[tuple[str, Steps, Any]]:
    """Yield each field but the lists of enclosed records."""
    inner = [f"{prefix.removesuffix('[].')}.{EVERY}" for prefix in shape.prefixes[1:]]
    for prefix, part in zip(shape.prefixes, record, strict=True):
        for steps, value in _walk(part, ()):
            path = f"{prefix}{'.'.join(steps)}"
            if not path.startswith(tuple(inner)):
                yield path, steps, value


def _walk(value: Any, steps: Steps) -> Iterator[tuple[Steps, Any]]:
    """Yield the path and value of each field; those of the objects in a list as lists."""
    if isinstance(value, Mapping) and len(steps) < DEEPEST_FIELD and not _is_by_id(value, steps):
        for key, part in value.items():
            yield from _walk(part, (*steps, str(key)[: LONGEST_NAME + 1]))
    elif isinstance(value, list) and _are_objects(value) and len(steps) < DEEPEST_FIELD:
        yield from _walk_objects(value, steps)
    elif steps and value is not None:
        yield steps, value


def _walk_objects(objects: list[Any], steps: Steps) -> Iterator[tuple[Steps, Any]]:
    merged: dict[Steps, list[Any]] = {}
    for part in objects:
        for inner, value in _walk(part, (*steps, EVERY)):
            merged.setdefault(inner, []).append(value)
    yield from merged.items()


def _is_by_id(value: Mapping[str, Any], steps: Steps) -> bool:
    """Whether an object has a number for each id, as grades and scores have."""
    if not value or not all(map(is_number, value.values())):
        return False
    words = split_path(steps[-1:])
    whole = " ".join(words)
    return whole in NAMES[GROUND_TRUTH] + NAMES[RESULTS] or bool(TRUTH & {*words})


def describe_types(values: Iterable[Any]) -> str:
    """Return the type of values in words.

    >>> describe_types([["a"], ["b", "c"], []]), describe_types(["a", 1])
    ('list of text', 'text or whole number')
    """
    kinds = dict.fromkeys(map(describe_type, values))
    if len(kinds) > 1:
        kinds.pop("empty list", None)
    if len(kinds) > 1 and kinds.keys() <= {"number", "whole number"}:
        return "number"
    return " or ".join(list(kinds)[:2]) or "empty"


def describe_type(value: Any) -> str:
    """Return the type of a value in words."""
    if isinstance(value, bool):
        return "yes or no"
    if isinstance(value, int):
        return "whole number"
    if isinstance(value, float):
        return "number"
    if isinstance(value, Mapping):
        return BY_ID if value and all(map(is_number, value.values())) else "object"
    if not isinstance(value, list):
        return "text" if isinstance(value, str) else type(value).__name__
    return _describe_list(value)


def _describe_list(value: list[Any]) -> str:
    if not value:
        return "empty list"
    if is_pair(value):
        return "pair"
    if all(isinstance(part, list) for part in value):
        return "list of pairs" if all(map(is_pair, value)) else "list of lists"
    kinds = dict.fromkeys(describe_type(part) for part in value)
    plurals = {"whole number": "whole numbers", "number": "numbers", "object": "objects"}
    return "list of " + " or ".join([plurals.get(kind, kind) for kind in kinds][:2])


def is_pair(value: Any) -> bool:
    """Whether a value is a text and a number, such as ``["report.pdf", 3]``."""
    return (
        isinstance(value, list)
        and len(value) == 2
        and isinstance(value[0], str)
        and is_number(value[1])
    )
