"""Content hashes and fingerprints in the text of a data set; every other character stays."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import orjson

from groupwise.evaluator.cli.rewriting import objects
from groupwise.evaluator.reading.scan import end_of_value, members
from groupwise.evaluator.validation.corpus.survey import CorpusSurvey
from groupwise.evaluator.validation.engine.case import case_of
from groupwise.schemas import FIELD_NAMES, Id


class Edit(NamedTuple):
    """A piece of text, and what comes in its place."""

    start: int
    end: int
    new: str


class Member(NamedTuple):
    """Where a member of an object has its key and its value."""

    key: int
    value: int


@dataclass
class Annotation:
    """A survey written into a data set; ``missing`` has the gold ids that got no hash."""

    survey: CorpusSurvey
    missing: dict[Id, str] = field(default_factory=dict)

    def text(self, text: str, *, lines: bool) -> str:
        """The text with hashes in each record, and the fingerprint there or in the head."""
        return _edited(text, self._edits(text, lines=lines))

    def _edits(self, text: str, *, lines: bool) -> Iterator[Edit]:
        headed = False
        for place in objects(text, lines=lines):
            headed = headed or place.query is None
            values: Mapping[str, Any] = {"corpus": self.survey.fingerprint}
            if place.query is not None:
                record = orjson.loads(text[place.start : end_of_value(text, place.start)])
                values = self._values(place.query, record, headed=headed)
            yield from _written(text, place.start, values)

    def _values(self, query: str, record: Mapping[str, Any], *, headed: bool) -> dict[str, Any]:
        ids = gold_ids(record)
        hashes = {str(one): self._hash(one, query) for one in ids}
        values: dict[str, Any] = {"hashes": {one: known for one, known in hashes.items() if known}}
        if not ids and "hashes" not in record:
            values = {}
        return (
            values
            if headed and "corpus" not in record
            else values | {"corpus": self.survey.fingerprint}
        )

    def _hash(self, one: Id, query: str) -> str | None:
        key = self.survey.key(one)
        if key in self.survey.missing:
            self.missing.setdefault(one, query)
        return self.survey.contents.get(key)


def gold_ids(record: Any, key: str | None = None) -> list[Id]:
    """The ids of a ground truth, each once, in the order listed; also those of a flat list."""
    listed = [one.id for one in case_of(record, key).listed]
    truth = record if key is not None and isinstance(record, list) else _truth(record)
    flat = [one for one in truth or () if isinstance(one, str | int)]
    return list(dict.fromkeys(listed or flat))


def _truth(record: Any) -> list[Any] | None:
    names = FIELD_NAMES["ground_truth"] if isinstance(record, Mapping) else ()
    found = next((record[name] for name in names if name in record), None)
    return found if isinstance(found, list) else None


def _edited(text: str, edits: Iterator[Edit]) -> str:
    parts, done = [], 0
    for edit in sorted(edits):
        parts += [text[done : edit.start], edit.new]
        done = edit.end
    return "".join([*parts, text[done:]])


def _written(text: str, start: int, values: Mapping[str, Any]) -> Iterator[Edit]:
    """The edits that give an object these members: those it has in place, the others at its end."""
    known = {key: Member(place, value) for key, place, value in members(text, start)}
    *_, last = known.values()
    style = _Style.of(text, start, last)
    for name in values.keys() & known.keys():
        value = known[name].value
        end = end_of_value(text, value)
        if orjson.loads(text[value:end]) != values[name]:
            yield Edit(value, end, style.value(values[name]))
    new = "".join(style.member(name, values[name]) for name in values if name not in known)
    if new:
        behind = end_of_value(text, last.value)
        yield Edit(behind, behind, new)


class _Style(NamedTuple):
    """How an object is laid out: what is before a key and behind its colon, and how deep it is."""

    lead: str
    colon: str
    unit: str

    @classmethod
    def of(cls, text: str, start: int, last: Member) -> "_Style":
        """The layout of the last member."""
        lead = _space_before(text, last.key)
        colon = ": " if text[last.value - 1].isspace() else ":"
        if "\n" not in lead:
            return cls(lead or (" " if colon == ": " else ""), colon, "")
        line = text[text.rfind("\n", 0, start) + 1 : start + 1]
        outer = line[: len(line) - len(line.lstrip())]
        return cls(lead, colon, lead.rpartition("\n")[2].removeprefix(outer) or "  ")

    def member(self, name: str, value: Any) -> str:
        """A member to put behind another."""
        return f",{self.lead}{json.dumps(name)}{self.colon}{self.value(value)}"

    def value(self, value: Any) -> str:
        """A string, or an object of strings: one per line where the members are."""
        if isinstance(value, str) or not value:
            return json.dumps(value)
        spelled = [
            f"{json.dumps(name, ensure_ascii=False)}{self.colon}{json.dumps(one)}"
            for name, one in value.items()
        ]
        if "\n" not in self.lead:
            return f"{{{(', ' if self.colon == ': ' else ',').join(spelled)}}}"
        inner = f"{self.lead}{self.unit}"
        return f"{{{inner}{f',{inner}'.join(spelled)}{self.lead}}}"


def _space_before(text: str, place: int) -> str:
    start = place
    while start and text[start - 1].isspace():
        start -= 1
    return text[start:place]
