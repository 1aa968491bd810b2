"""Large records with defects, without most of what is valid in them.

The models describe every defect of a record and build all the rest, only to throw it away. A
record of a hundred thousand groups takes seconds, and a thousand of its problems are kept. What is
left here is what the models say the same about.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from groupwise.evaluator.intake.defect import Defect
from groupwise.evaluator.intake.defects import DefectFinder

LONG_LIST = 32
"""From here on, a list is worth shortening."""
LOCAL = frozenset({
    "empty_group", "group_string", "id_blank", "id_kind", "id_range", "missing", "no_ground_truth",
    "query_id", "results", "shape", "unknown_field",
})  # fmt: skip
"""Types of errors whose messages do not depend on other items of the same list."""

SHORTENED = frozenset({"ground_truth", "results"})
"""Fields whose lists are shortened."""

Location: TypeAlias = tuple[int | str, ...]
Kept: TypeAlias = dict[Location, list[int]]
"""By the pointer of a list, the numbers of the items that it still has."""


class Shortened(NamedTuple):
    """A record without most of its valid items.

    Attributes:
        record: What is left of it.
        defects: How many defects the whole record has.
        described: How many of them are left.
        kept: The numbers of the items that are left.
    """

    record: dict[str, Any]
    defects: int
    described: int
    kept: Kept

    def restore(self, location: Location) -> Location:
        """Return the location in the whole record of something in what is left of it."""
        return _restore(location, self.kept)


def shorten(finder: DefectFinder, record: Any, most: int) -> Shortened | None:
    """Return a large record with its first defects, at most so many in each field, and little else.

    None if it is not large, if it has none that are certain, or if leaving out may change them.
    """
    if type(record) is not dict or not any(map(_is_large, record.values())):
        return None
    defects = finder.find(record)
    if not defects or not LOCAL.issuperset(defect.type for defect in defects):
        return None
    wanted = _select_first(defects, most)
    short, kept = _shorten_fields(finder, record, wanted)
    found = finder.find(short) or ()
    same = [(each.type, each.field, _restore(each.pointer, kept)) for each in found]
    if same != [each[:3] for each in wanted]:
        return None
    return Shortened(short, len(defects), len(wanted), kept)


def _is_large(value: Any) -> bool:
    if type(value) is not list:
        return False
    return len(value) > LONG_LIST or any(
        type(item) is list and len(item) > LONG_LIST for item in value
    )


def _select_first(defects: Iterable[Defect], most: int) -> list[Defect]:
    """Return the first defects of each field, at most so many."""
    counts: dict[Location, int] = {}
    found = []
    for defect in defects:
        field = defect.pointer[:1]
        counts[field] = counts.get(field, 0) + 1
        if counts[field] <= most:
            found.append(defect)
    return found


def _shorten_fields(
    finder: DefectFinder, record: Mapping[str, Any], defects: Iterable[Defect]
) -> tuple[dict[str, Any], Kept]:
    """Return a record with the items of its lists that have defects, or with the first."""
    wanted: dict[Location, set[int]] = {}
    for defect in defects:
        for depth, step in enumerate(defect.pointer):
            if isinstance(step, int):
                wanted.setdefault(defect.pointer[:depth], set()).add(step)
    kept: Kept = {}
    short = {
        name: _shorten_list(value, (finder.name_field(name),), wanted, kept)
        if type(value) is list
        else value
        for name, value in record.items()
    }
    return short, kept


def _shorten_list(
    items: list[Any], pointer: Location, wanted: Mapping[Location, set[int]], kept: Kept
) -> list[Any]:
    """Return the items that are wanted, or the first; those of groups, too."""
    if pointer[0] not in SHORTENED:
        return items
    numbers = sorted(wanted.get(pointer, {0})) if items else []
    kept[pointer] = numbers
    has_groups = pointer == ("ground_truth",)
    return [
        _shorten_list(items[number], (*pointer, number), wanted, kept)
        if has_groups and type(items[number]) is list
        else items[number]
        for number in numbers
    ]


def _restore(location: Location, kept: Kept) -> Location:
    """Return a location with the numbers that items have in the whole lists."""
    pointer: Location = ()
    found: list[int | str] = []
    for step in location:
        numbers = kept.get(pointer) if isinstance(step, int) else None
        whole = numbers[step] if numbers and isinstance(step, int) else step
        pointer = (*pointer, whole) if isinstance(step, int) or not pointer else pointer
        found.append(whole)
    return tuple(found)
