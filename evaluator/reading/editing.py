"""Changes to JSON text that leave every other character as it is."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from groupwise.evaluator.reading.scan import (
    Pointer,
    elements,
    end_of_string,
    end_of_value,
    members,
    place_of,
)


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
        """The edits of the record that begins here; those within others are left out."""
        found = [
            *_removals(text, start, self.removed),
            *_replacements(text, start, self.replaced),
            *_wrappings(text, start, self.wrapped),
            *_renamings(text, start, self.renamed),
            *_additions(text, start, self.added),
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


def _additions(text: str, start: int, added: Mapping[str, Any]) -> Iterator[Edit]:
    """New members behind the last one, spaced as that one is."""
    if not added:
        return
    known = [*members(text, start)]
    if not known:
        yield Edit(start + 1, start + 1, json.dumps(dict(added))[1:-1])
        return
    _, key, value = known[-1]
    lead = text[len(text[:key].rstrip()) : key] if text[:key].rstrip()[-1] == "," else ""
    colon = ": " if text[value - 1].isspace() else ":"
    gap = lead or (" " if colon == ": " else "")
    new = "".join(
        f",{gap}{json.dumps(name)}{colon}{json.dumps(one)}" for name, one in added.items()
    )
    behind = end_of_value(text, value)
    yield Edit(behind, behind, new)
