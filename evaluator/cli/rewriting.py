"""New expected values in the text of a fixture; every other character stays as it is."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from groupwise.evaluator.reading.scan import elements, end_of_value, members, skip_space
from groupwise.schemas import FIELD_NAMES, Difference

EXPECTED = "expected"
Scores = Mapping[str, float | None]


class Place(NamedTuple):
    """The object of a query, or of the fixture itself (None), within a text."""

    query: str | None
    start: int


def corrected(text: str, differences: Iterable[Difference], *, lines: bool) -> str:
    """The text with the values that were found in the place of those expected."""
    found = {(one.query, one.metric): one.found for one in differences}
    edits = [
        (start, end_of_value(text, start), _number(found.pop((place.query, metric))))
        for place in objects(text, lines=lines)
        for metric, start in _expected_values(text, place.start)
        if (place.query, metric) in found
    ]
    if found:
        raise LookupError(f"no place for {sorted(map(str, found))}")
    return _edited(text, edits)


def _number(value: float | None) -> str:
    return json.dumps(value, allow_nan=False)


def _edited(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(edits, reverse=True):
        text = f"{text[:start]}{new}{text[end:]}"
    return text


def objects(text: str, *, lines: bool) -> Iterator[Place]:
    """The objects that may hold expected values, in any of the shapes that a file has."""
    if lines:
        for line in re.finditer(r"[^\n]+", text):
            if line[0].strip():
                yield _record(text, skip_space(text, line.start()))
        return
    start = skip_space(text, 0)
    if text[start] == "[":
        yield from _records(text, start)
    else:
        yield from _of_object(text, start)


def _of_object(text: str, start: int) -> Iterator[Place]:
    fields = {key: value for key, _, value in members(text, start)}
    queries = fields.get("queries")
    if queries is not None and text[queries] == "[":
        yield Place(None, start)
        yield from _records(text, queries)
    elif any(name in fields for name in FIELD_NAMES["id"]):
        yield _record(text, start)
    else:
        yield from (Place(key, value) for key, value in fields.items() if text[value] == "{")


def _records(text: str, start: int) -> Iterator[Place]:
    return (_record(text, element) for element in elements(text, start))


def _record(text: str, start: int) -> Place:
    fields = {key: value for key, _, value in members(text, start)}
    value = next(fields[name] for name in FIELD_NAMES["id"] if name in fields)
    return Place(str(json.loads(text[value : end_of_value(text, value)])), start)


def _expected_values(text: str, start: int) -> Iterator[tuple[str, int]]:
    for key, _, value in members(text, start):
        if key == EXPECTED and text[value] == "{":
            yield from ((metric, number) for metric, _, number in members(text, value))


def extended(text: str, means: Scores, of: Mapping[str, Scores], *, lines: bool) -> str:
    """The text with an ``expected`` in the fixture or, where it has no head, in each record."""
    first, *others = objects(text, lines=lines)
    if first.query is None:
        return _edited(text, [_new_member(text, first.start, means)])
    places = [(of[place.query], place.start) for place in [first, *others] if place.query]
    return _edited(text, [_new_member(text, start, scores) for scores, start in places])


def _new_member(text: str, start: int, scores: Scores) -> tuple[int, int, str]:
    """Where to insert, and what: formatted like the last member of the object."""
    *_, (_, key, value) = members(text, start)
    lead = text[_behind_comma(text, key) : key]
    colon = ": " if text[value - 1].isspace() else ":"
    body = _broken_lines(text, start, lead, scores) if "\n" in lead else _one_line(scores, colon)
    gap = lead or (" " if colon == ": " else "")
    behind = end_of_value(text, value)
    return behind, behind, f',{gap}"{EXPECTED}"{colon}{body}'


def _behind_comma(text: str, key: int) -> int:
    """Where the white space before a key begins."""
    return len(text[:key].rstrip())


def _one_line(scores: Scores, colon: str) -> str:
    comma = ", " if colon == ": " else ","
    return f"{{{comma.join(_pairs(scores, colon))}}}"


def _broken_lines(text: str, start: int, lead: str, scores: Scores) -> str:
    """One score per line, one level deeper than the member itself."""
    line_start = text.rfind("\n", 0, start) + 1
    outer = re.match(r"[ \t]*", text[line_start:])
    indent = lead.rpartition("\n")[2]
    unit = indent.removeprefix(outer[0]) if outer else indent
    inner = f"{lead}{unit or '  '}"
    return f"{{{inner}{f',{inner}'.join(_pairs(scores, ': '))}{lead}}}"


def _pairs(scores: Scores, colon: str) -> list[str]:
    return [f"{json.dumps(name)}{colon}{_number(value)}" for name, value in scores.items()]
