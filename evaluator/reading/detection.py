"""All detection: the kind of a file, by its name and beginning, and the roles of a record."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePath
from typing import Any, Literal, TypeAlias

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.limits import find_record_limit
from groupwise.evaluator.reading.options import Record, Role
from groupwise.evaluator.reading.records import JsonForm
from groupwise.evaluator.reading.scan import (
    decode_value,
    elements,
    is_json,
    members,
    skip_space,
)
from groupwise.evaluator.reading.source import Source
from groupwise.schemas import FixtureQuery
from groupwise.schemas.shape import find_model
from groupwise.schemas.values import CANONICAL, names_in

PARQUET, ENCRYPTED_PARQUET = b"PAR1", b"PARE"
SAMPLE_BYTES = 1 << 20
SAMPLE_LINES = 20
SAMPLE_MEMBERS = 64
JSON_SUFFIXES: Mapping[str, JsonForm] = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json"}
RECORD_FIELDS = frozenset(FixtureQuery.model_fields)
HEAD_FIELDS = frozenset({
    "$schema", "corpus", "description", "expected", "matching", "metrics", "name", "policies",
    "profile", "schema_", "tolerance",
})  # fmt: skip
DocumentForm: TypeAlias = Literal["list", "map", "fixture", "record", "other"]


def suffix_of(name: str) -> str:
    """Return the last suffix of a file's name in lower case, ignoring that of compression.

    >>> suffix_of("qa.JSONL.gz")
    '.jsonl'
    """
    suffixes = [suffix.lower() for suffix in PurePath(name).suffixes]
    return next((suffix for suffix in reversed(suffixes) if suffix != ".gz"), "")


@dataclass(frozen=True)
class Sample:
    """What is known of a file before it is read: its name and its beginning.

    ``files`` has the names of the files in a folder, ``row`` the first row of a table.
    """

    name: str
    start: bytes
    files: frozenset[str] | None = None
    row: Record | None = None

    @property
    def suffix(self) -> str:
        """The last suffix of the name, ignoring that of compression."""
        return suffix_of(self.name)

    @cached_property
    def text(self) -> bytes:
        """The beginning without leading white space."""
        return self.start.lstrip()

    @cached_property
    def first_line(self) -> bytes:
        """The first line that is not blank, as far as it is in the sample."""
        end = self.text.find(b"\n")
        return self.text if end < 0 else self.text[:end]

    @property
    def is_cut(self) -> bool:
        """Whether the file is longer than the sample."""
        return len(self.start) >= SAMPLE_BYTES

    @cached_property
    def all_lines(self) -> list[bytes]:
        """The whole lines of the sample."""
        lines = self.start.splitlines()
        ends_within_line = self.is_cut and not self.start.endswith((b"\n", b"\r"))
        return lines[:-1] if ends_within_line and len(lines) > 1 else lines

    @cached_property
    def lines(self) -> list[bytes]:
        """The first whole lines that are not blank."""
        return [line for line in self.all_lines[:SAMPLE_LINES] if line.strip()]

    @property
    def is_parquet(self) -> bool:
        """Whether the file begins as parquet does, encrypted or not."""
        return self.start.startswith((PARQUET, ENCRYPTED_PARQUET))

    @property
    def is_json(self) -> bool:
        """Whether the file begins as a JSON object or list does."""
        return self.text[:1] in (b"{", b"[")

    @property
    def may_be_json(self) -> bool:
        """Whether the name or the first character allows for JSON."""
        return self.suffix in JSON_SUFFIXES or self.text[:1] in (b"{", b"[", b'"')

    @property
    def json_form(self) -> JsonForm:
        """JSON or JSON Lines, by the suffix or, if that is neither, by the content.

        JSON Lines has a complete value in its first line, and more lines.
        """
        if self.suffix in JSON_SUFFIXES:
            return JSON_SUFFIXES[self.suffix]
        others = self.text[len(self.first_line) :]
        return "jsonl" if others.strip() and self._has_whole_line else "json"

    @property
    def has_record_per_line(self) -> bool:
        """Whether published data has an object per line, whatever the suffix.

        Published data sets also use ``.json`` for JSON Lines, so only ``.jsonl`` is conclusive.
        """
        if JSON_SUFFIXES.get(self.suffix) == "jsonl":
            return True
        is_longer = self.is_cut and len(self.first_line) == len(self.text)
        return self.text[:1] == b"{" and (is_longer or self._has_whole_line)

    @cached_property
    def _has_whole_line(self) -> bool:
        """Whether the first line is a complete JSON value."""
        return is_json(self.first_line)

    @cached_property
    def first_record(self) -> Record | None:
        """The first object of JSON Lines or of a JSON list, the document itself, or the first row.

        Of an object longer than the sample, its first members. None if there is no object.
        """
        if self.row is not None or not self.is_json:
            return self.row
        has_more = bool(self.text[len(self.first_line) :].strip())
        start = self.first_line if has_more and self._has_whole_line else self.text
        return _find_first_object(start.decode("utf-8", "replace"))


def take_sample(source: Source) -> Sample:
    """Return the beginning of a source, or the names in a folder.

    Raises:
        InputError: The source cannot be read, or is empty.
        OptionError: The limit of a record is no size; no format would recognise anything.
    """
    find_record_limit()
    if source.path != "-" and Path(source.path).is_dir():
        names = frozenset(path.name for path in Path(source.path).iterdir())
        return Sample(source.name, b"", names)
    if source.beginning is None:
        source.beginning = _read_beginning(source)
    if not source.beginning or source.beginning.isspace():
        message = "the file is empty; expected at least one record"
        raise InputError([Problem(message, source.name, code="IO009")])
    return Sample(source.name, source.beginning)


def _read_beginning(source: Source) -> bytes:
    """Return the bytes that formats are recognised by; parquet has nothing else of use there."""
    with source.open() as stream:
        start = stream.read(len(PARQUET))
        if start in (PARQUET, ENCRYPTED_PARQUET):
            return start
        start += stream.read(SAMPLE_BYTES - len(start))
        while len(start) == SAMPLE_BYTES and start.isspace():
            start = stream.read(SAMPLE_BYTES)
        return start


def _find_first_object(text: str) -> Record | None:
    place = next(elements(text, 0), len(text)) if text[0] == "[" else 0
    return _read_members(text, place) if text[place : place + 1] == "{" else None


def _read_members(text: str, place: int) -> Record:
    """Return the first members of the object that begins here, as far as they can be read."""
    found: dict[str, Any] = {}
    for key, value in _walk_members(text, place):
        if _are_queries(text, key, value):
            found[key] = []
            continue
        try:
            found[key] = decode_value(text, value)
        except ValueError:
            found[key] = _read_first_entry(text, value)
    return found


def _walk_members(text: str, place: int) -> Iterator[tuple[str, int]]:
    """Yield key and place of the value of the first members, up to the queries of a fixture.

    Text that is broken, or ends within a member, ends after the key of that.
    """
    try:
        for key, _, value in islice(members(text, place), SAMPLE_MEMBERS):
            yield key, value
            if _are_queries(text, key, value):
                return
    except ValueError:
        return


def _are_queries(text: str, key: str, value: int) -> bool:
    """Whether a member holds the queries of a fixture, which may be long."""
    return key == "queries" and text.startswith("[", value)


def _read_first_entry(text: str, place: int) -> Any:
    """Return a truncated object or list with its first entry, if that is complete."""
    try:
        if text.startswith("{", place):
            key, _, value = next(members(text, place))
            return {key: decode_value(text, value)}
        return [decode_value(text, next(elements(text, place)))]
    except (ValueError, StopIteration):
        return {"{": {}, "[": []}.get(text[place : place + 1])


def detect_document_form(text: str, role: Role | None = None) -> DocumentForm:
    """Return what a JSON document is, by its first keys."""
    start = skip_space(text, 0)
    if text[start : start + 1] != "{":
        return "list" if text[start : start + 1] == "[" else "other"
    places = dict(_walk_members(text, start))
    if role == "corpus":
        return "record" if {"id", "text"} <= names_in(places.keys()).keys() else "map"
    if "queries" in places and _is_fixture(text, places):
        return "fixture"
    fields = {CANONICAL.get(key, key) for key in places}
    is_record = fields <= RECORD_FIELDS and "id" in fields and len(fields) > 1
    return "record" if is_record else "map"


def _is_fixture(text: str, places: Mapping[str, int]) -> bool:
    """Whether a document with ``queries`` is a fixture: by its other fields, or by its queries.

    A field that is not ours is then reported as unknown, and not taken for the id of a query.
    """
    if places.keys() <= HEAD_FIELDS | {"queries"}:
        return True
    if not text.startswith("[", places["queries"]):
        return False
    first = next(elements(text, places["queries"]), len(text))
    return text.startswith("{", first) and bool(detect_roles(dict(_walk_members(text, first))))


FIELD_ROLES: Mapping[str, Role] = {
    "ground_truth": "ground_truth",
    "answerable": "ground_truth",
    "results": "run",
}


def detect_roles(record: Any) -> frozenset[Role]:
    """Return what a record holds: ground truth, results, or both; nothing if no field says so.

    >>> sorted(detect_roles({"qid": 1, "retrieval_gt": [["a"]], "results": []}))
    ['ground_truth', 'run']
    """
    if (model := find_model(record)) is not None:
        return model.holds
    names = record if isinstance(record, Mapping) else ()
    fields = {CANONICAL.get(name, name) for name in names}
    return frozenset(role for field, role in FIELD_ROLES.items() if field in fields)
