"""Changes to JSON text that leave every other character as it is."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

from groupwise.evaluator.reading.detection import detect_document_form
from groupwise.evaluator.reading.records import JsonForm
from groupwise.evaluator.reading.scan import (
    Places,
    Pointer,
    decode_value,
    elements,
    end_of_string,
    end_of_value,
    members,
    skip_space,
)
from groupwise.schemas import FIELD_NAMES

Way: TypeAlias = tuple[str | int, ...]
"""A pointer that can be a key."""


class Edit(NamedTuple):
    """New text for the characters from ``start`` to ``end``."""

    start: int
    end: int
    new: str


@dataclass
class Changes:
    """Changes of a record; pointers are relative to it."""

    removed: set[Way] = field(default_factory=set)
    replaced: dict[Way, str] = field(default_factory=dict)
    wrapped: dict[Way, tuple[str, str]] = field(default_factory=dict)
    renamed: dict[Way, str] = field(default_factory=dict)
    added: dict[str, Any] = field(default_factory=dict)
    _names: set[tuple[Way, str]] = field(default_factory=set)

    def concern(self, pointer: Pointer) -> bool:
        """Whether the value at the pointer, or one around it, is removed, replaced or wrapped."""
        ways = [tuple(pointer[:length]) for length in range(len(pointer) + 1)]
        changed = (self.removed, self.replaced, self.wrapped)
        return any(way in each for each in changed for way in ways)

    def rename(self, pointer: Pointer, name: str) -> bool:
        """Give a key another name, unless another key of its object gets the same."""
        way = tuple(pointer)
        if (way[:-1], name) in self._names:
            return False
        self._names.add((way[:-1], name))
        self.renamed[way] = name
        return True

    def edits(self, text: str, start: int) -> list[Edit]:
        """Return the edits of the record at ``start``, without those within others."""
        places = Places(text)
        found = [*self._remove(places, start), *add_members(text, start, self.added)]
        for way, new in self.replaced.items():
            place = places.find(way, start)
            found.append(Edit(place, end_of_value(text, place), new))
        for way, (before, after) in self.wrapped.items():
            place = places.find(way, start)
            end = end_of_value(text, place)
            found.append(Edit(place, end, f"{before}{text[place:end]}{after}"))
        for way, name in self.renamed.items():
            key = places.find_key(way, start)
            assert key is not None  # noqa: S101  (the way was found in the record)
            found.append(Edit(key, end_of_string(text, key)[1], json.dumps(name)))
        return without_overlaps(found)

    def _remove(self, places: Places, start: int) -> Iterator[Edit]:
        by_home: defaultdict[Way, set[str | int]] = defaultdict(set)
        for way in self.removed:
            by_home[way[:-1]].add(way[-1])
        for way, names in by_home.items():
            yield from _remove_parts(places.text, places.find(way, start), names)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with all edits, which must not overlap."""
    parts, last = [], 0
    for start, end, new in sorted(edits):
        parts += [text[last:start], new]
        last = end
    return "".join([*parts, text[last:]])


def without_overlaps(edits: Iterable[Edit]) -> list[Edit]:
    """Return the edits in order; of two that overlap, the longer one."""
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
    return kept


def _remove_parts(text: str, place: int, names: set[str | int]) -> Iterator[Edit]:
    """Yield an edit for each run of members or elements to remove, together with their commas."""
    known: Sequence[str | int]
    if text[place] == "{":
        found = [*members(text, place)]
        known = [key for key, *_ in found]
        parts = [(key, end_of_value(text, value)) for _, key, value in found]
    else:
        parts = [(start, end_of_value(text, start)) for start in elements(text, place)]
        known = range(len(parts))
    are_removed = [name in names for name in known]
    if all(are_removed):
        yield Edit(parts[0][0], parts[-1][1], "")
        return
    first = 0
    for is_removed, run in groupby(are_removed):
        last = first + len(list(run))
        if is_removed and last < len(parts):
            yield Edit(parts[first][0], parts[last][0], "")
        elif is_removed:
            yield Edit(parts[first - 1][1], parts[-1][1], "")
        first = last


class RecordPlace(NamedTuple):
    """The place of a record in a text; for the head of a fixture, ``query`` is None."""

    query: str | None
    start: int


def find_records(text: str, form: JsonForm) -> Iterator[RecordPlace]:
    """Yield the head of a fixture, if there is one, and each record that is an object."""
    start = skip_space(text, 0)
    document = "lines" if form == "jsonl" else detect_document_form(text)
    if document == "fixture":
        yield RecordPlace(None, start)
    if document == "map":
        for key, _, value in members(text, start):
            if text[value] == "{":
                yield RecordPlace(key, value)
        return
    for place in _find_objects(text, start, document):
        fields = {key: value for key, _, value in members(text, place)}
        query = next(fields[name] for name in FIELD_NAMES["id"] if name in fields)
        yield RecordPlace(str(decode_value(text, query)), place)


def _find_objects(text: str, start: int, document: str) -> Iterable[int]:
    """Return the places of the records that have their ids in them."""
    if document == "lines":
        return (line.start() for line in re.finditer(r"\S.*", text))
    if document == "fixture":
        return elements(text, Places(text).find(["queries"], start))
    return elements(text, start) if document == "list" else [start]


def set_members(text: str, start: int, values: Mapping[str, Any]) -> Iterator[Edit]:
    """Yield the edits that give the object at ``start`` these members, in its own style.

    Existing members are replaced in place, others are added after the last one.
    """
    known = {key for key, _, _ in members(text, start)}
    yield from replace_members(text, start, values)
    yield from add_members(text, start, {n: v for n, v in values.items() if n not in known})


def replace_members(text: str, start: int, values: Mapping[str, Any]) -> Iterator[Edit]:
    """Yield the edits that replace the values of members; equal ones and others stay."""
    for name, key, place in members(text, start):
        if name in values and decode_value(text, place) != values[name]:
            style = _ObjectStyle.of(text, start, key, place)
            yield Edit(place, end_of_value(text, place), style.spell(values[name]))


def add_members(text: str, start: int, values: Mapping[str, Any]) -> Iterator[Edit]:
    """Yield the edit that adds members after the last one, in the same layout."""
    if not values:
        return
    known = list(members(text, start))
    if not known:
        yield Edit(start + 1, start + 1, spell_json(dict(values))[1:-1])
        return
    _, key, last = known[-1]
    style = _ObjectStyle.of(text, start, key, last)
    new = "".join(style.spell_member(name, value) for name, value in values.items())
    behind = end_of_value(text, last)
    yield Edit(behind, behind, new)


def append_elements(text: str, start: int, values: Iterable[Any]) -> Iterator[Edit]:
    """Yield the edit that adds elements after the last one of a list, in the same layout."""
    known, new = list(elements(text, start)), [spell_json(value) for value in values]
    if not new:
        return
    if not known:
        yield Edit(start + 1, start + 1, ", ".join(new))
        return
    lead = _space_before(text, known[-1])
    if len(known) == 1 and "\n" not in lead:
        lead = " " if _is_spaced(text, start) else ""
    behind = end_of_value(text, known[-1])
    yield Edit(behind, behind, "".join(f",{lead}{value}" for value in new))


def _is_spaced(text: str, start: int) -> bool:
    """Whether the line before a list of one has spaces after its commas and colons."""
    before = text[max(text.rfind("\n", 0, start) + 1, start - SHOWN_STYLE) : start]
    return re.search(r"[:,](?=\S)", before) is None or re.search(r"[:,] ", before) is not None


SHOWN_STYLE = 200
"""How many characters before a list say how it is written."""


class _ObjectStyle(NamedTuple):
    """The layout of an object: the space before a key and after its colon, and the indent."""

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
        """Return the text of a member that follows another."""
        return f",{self.lead}{spell_json(name)}{self.colon}{self.spell(value)}"

    def spell(self, value: Any) -> str:
        """Return the text of a value; an object gets one member per line if its parent has."""
        if not isinstance(value, Mapping) or not value:
            return spell_json(value)
        parts = [
            f"{spell_json(name)}{self.colon}{spell_json(part)}" for name, part in value.items()
        ]
        if "\n" not in self.lead:
            return f"{{{(', ' if self.colon == ': ' else ',').join(parts)}}}"
        inner = f"{self.lead}{self.unit}"
        return f"{{{inner}{f',{inner}'.join(parts)}{self.lead}}}"


def spell_json(value: Any) -> str:
    """Return a value as JSON, characters beyond ASCII as they are."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _space_before(text: str, place: int) -> str:
    start = place
    while start and text[start - 1].isspace():
        start -= 1
    return text[start:place]
