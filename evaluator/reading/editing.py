"""Changes to JSON text that leave every other character as it is."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from groupwise.evaluator.reading.records import JsonForm
from groupwise.evaluator.reading.scan import (
    Pointer,
    decoded_value,
    elements,
    end_of_string,
    end_of_value,
    members,
    place_of,
    skip_space,
)
from groupwise.schemas import FIELD_NAMES


class Edit(NamedTuple):
    """New text for the characters from one place to another."""

    start: int
    end: int
    new: str


@dataclass
class Changes:
    """What is to become of a record: pointers are relative to it."""

    removed: set[tuple[str | int, ...]] = field(default_factory=set)
    replaced: dict[tuple[str | int, ...], str] = field(default_factory=dict)
    wrapped: dict[tuple[str | int, ...], tuple[str, str]] = field(default_factory=dict)
    renamed: dict[tuple[str | int, ...], str] = field(default_factory=dict)
    added: dict[str, Any] = field(default_factory=dict)

    def concern(self, pointer: Pointer) -> bool:
        """Whether what the pointer leads to goes, or is written anew."""
        ways = {tuple(pointer[:length]) for length in range(len(pointer) + 1)}
        return not ways.isdisjoint(self.removed | self.replaced.keys() | self.wrapped.keys())

    def edits(self, text: str, start: int) -> list[Edit]:
        """The edits of the record that begins here; those within others are skipped."""
        found = [
            *_removals(text, start, self.removed),
            *_replacements(text, start, self.replaced),
            *_wrappings(text, start, self.wrapped),
            *_renamings(text, start, self.renamed),
            *add_members(text, start, self.added),
        ]
        return without_overlaps(found)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits, which must not overlap."""
    parts, last = [], 0
    for start, end, new in sorted(edits):
        parts += [text[last:start], new]
        last = end
    return "".join([*parts, text[last:]])


def without_overlaps(edits: Iterable[Edit]) -> list[Edit]:
    """The edits in order; of two that overlap, the longer one."""
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda one: (one.start, -one.end)):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return kept


def _removals(text: str, start: int, pointers: set[tuple[str | int, ...]]) -> Iterator[Edit]:
    by_home: dict[tuple[str | int, ...], set[str | int]] = {}
    for *home, last in pointers:
        by_home.setdefault(tuple(home), set()).add(last)
    for way, names in by_home.items():
        place = place_of(text, way, start)
        yield from _without_parts(text, [*_parts(text, place)], names)


class Part(NamedTuple):
    """A member of an object or an element of a list, with its key or number."""

    name: str | int
    start: int
    end: int


def _parts(text: str, place: int) -> Iterator[Part]:
    if text[place] == "{":
        for key, start, value in members(text, place):
            yield Part(key, start, end_of_value(text, value))
    else:
        for number, start in enumerate(elements(text, place)):
            yield Part(number, start, end_of_value(text, start))


def _without_parts(text: str, parts: list[Part], names: set[str | int]) -> Iterator[Edit]:
    """Cut each run of parts that go, with the commas that go with them."""
    kept = [part for part in parts if part.name not in names]
    if not kept:
        yield Edit(parts[0].start, parts[-1].end, "")
        return
    first = 0
    while first < len(parts):
        last = first
        while last < len(parts) and parts[last].name in names:
            last += 1
        if last > first and last < len(parts):
            yield Edit(parts[first].start, parts[last].start, "")
        elif last > first:
            yield Edit(parts[first - 1].end, parts[-1].end, "")
        first = last + 1


def _span(text: str, start: int, pointer: Pointer) -> tuple[int, int]:
    place = place_of(text, pointer, start)
    return place, end_of_value(text, place)


def _replacements(
    text: str, start: int, replaced: Mapping[tuple[str | int, ...], str]
) -> Iterator[Edit]:
    for pointer, new in replaced.items():
        yield Edit(*_span(text, start, pointer), new)


def _wrappings(
    text: str, start: int, wrapped: Mapping[tuple[str | int, ...], tuple[str, str]]
) -> Iterator[Edit]:
    for pointer, (before, after) in wrapped.items():
        place, end = _span(text, start, pointer)
        yield Edit(place, end, f"{before}{text[place:end]}{after}")


def _renamings(
    text: str, start: int, renamed: Mapping[tuple[str | int, ...], str]
) -> Iterator[Edit]:
    for (*home, key), new in renamed.items():
        place = place_of(text, home, start)
        at = next(where for name, where, _ in members(text, place) if name == key)
        yield Edit(at, end_of_string(text, at)[1], json.dumps(new))


class RecordPlace(NamedTuple):
    """Where the object of a query begins in a text; that of the fixture itself has no query."""

    query: str | None
    start: int


def find_records(text: str, form: JsonForm) -> Iterator[RecordPlace]:
    """Yield the head of a fixture, if there is one, and each record that is an object."""
    if form == "jsonl":
        for line in re.finditer(r"[^\n]+", text):
            if line[0].strip():
                yield _record_place(text, skip_space(text, line.start()))
        return
    start = skip_space(text, 0)
    if text[start] == "[":
        yield from _list_places(text, start)
    else:
        yield from _object_places(text, start)


def _object_places(text: str, start: int) -> Iterator[RecordPlace]:
    fields = {key: value for key, _, value in members(text, start)}
    queries = fields.get("queries")
    if queries is not None and text[queries] == "[":
        yield RecordPlace(None, start)
        yield from _list_places(text, queries)
    elif any(name in fields for name in FIELD_NAMES["id"]):
        yield _record_place(text, start)
    else:
        yield from (RecordPlace(key, value) for key, value in fields.items() if text[value] == "{")


def _list_places(text: str, start: int) -> Iterator[RecordPlace]:
    return (_record_place(text, element) for element in elements(text, start))


def _record_place(text: str, start: int) -> RecordPlace:
    fields = {key: value for key, _, value in members(text, start)}
    place = next(fields[name] for name in FIELD_NAMES["id"] if name in fields)
    return RecordPlace(str(decoded_value(text, place)), start)


def set_members(text: str, start: int, values: Mapping[str, Any]) -> Iterator[Edit]:
    """Yield the edits that give the object at ``start`` these members, in its own style.

    Members that it has are replaced where they are, the others are added after the last one.
    """
    known = {key for key, _, _ in members(text, start)}
    yield from replace_members(text, start, values)
    yield from add_members(text, start, {n: v for n, v in values.items() if n not in known})


def replace_members(text: str, start: int, values: Mapping[str, Any]) -> Iterator[Edit]:
    """Yield the edits that replace the values of members; equal ones and others stay."""
    for name, key, place in members(text, start):
        if name in values and decoded_value(text, place) != values[name]:
            style = _ObjectStyle.of(text, start, key, place)
            yield Edit(place, end_of_value(text, place), style.spell(values[name]))


def add_members(text: str, start: int, values: Mapping[str, Any]) -> Iterator[Edit]:
    """Yield the edit that adds members after the last one, laid out as that one is."""
    if not values:
        return
    known = list(members(text, start))
    if not known:
        yield Edit(start + 1, start + 1, _spell(dict(values))[1:-1])
        return
    _, key, last = known[-1]
    style = _ObjectStyle.of(text, start, key, last)
    new = "".join(style.spell_member(name, value) for name, value in values.items())
    behind = end_of_value(text, last)
    yield Edit(behind, behind, new)


class _ObjectStyle(NamedTuple):
    """How an object is laid out: what is before a key, behind its colon, and one level deeper."""

    lead: str
    colon: str
    unit: str

    @classmethod
    def of(cls, text: str, start: int, key: int, value: int) -> "_ObjectStyle":
        """Return the style of a member of the object at ``start``, by the places of its parts."""
        lead = _space_before(text, key)
        colon = ": " if text[value - 1].isspace() else ":"
        if "\n" not in lead:
            return cls(lead or (" " if colon == ": " else ""), colon, "")
        line = text[text.rfind("\n", 0, start) + 1 : start + 1]
        outer = line[: len(line) - len(line.lstrip())]
        return cls(lead, colon, lead.rpartition("\n")[2].removeprefix(outer) or "  ")

    def spell_member(self, name: str, value: Any) -> str:
        """Return a member to put after another."""
        return f",{self.lead}{_spell(name)}{self.colon}{self.spell(value)}"

    def spell(self, value: Any) -> str:
        """Return the text of a value; an object has one member per line if its parent has."""
        if not isinstance(value, Mapping) or not value:
            return _spell(value)
        parts = [f"{_spell(name)}{self.colon}{_spell(part)}" for name, part in value.items()]
        if "\n" not in self.lead:
            return f"{{{(', ' if self.colon == ': ' else ',').join(parts)}}}"
        inner = f"{self.lead}{self.unit}"
        return f"{{{inner}{f',{inner}'.join(parts)}{self.lead}}}"


def _spell(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _space_before(text: str, place: int) -> str:
    start = place
    while start and text[start - 1].isspace():
        start -= 1
    return text[start:place]
