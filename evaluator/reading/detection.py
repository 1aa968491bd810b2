"""Detection of formats: a sample of the file, and all sniffing."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import Any

import orjson

from groupwise.evaluator.reading.options import Record
from groupwise.evaluator.reading.scan import decoded_value, elements, members, skip_space

MARK = b"\xef\xbb\xbf"
PEEKED_LINES = 20
PEEKED_MEMBERS = 16


@dataclass(frozen=True)
class Sample:
    """What is known of a file before it is read: its name and its beginning.

    Of a folder ``files`` has the names in it.
    """

    name: str
    start: bytes
    files: frozenset[str] | None = None

    @property
    def is_folder(self) -> bool:
        """Whether this is a folder."""
        return self.files is not None

    @property
    def suffix(self) -> str:
        """The last ending of the name, without that of compression, in lower case."""
        endings = [one.lower() for one in PurePath(self.name).suffixes if one.lower() != ".gz"]
        return endings[-1] if endings else ""

    @cached_property
    def lines(self) -> list[bytes]:
        """The first whole lines that hold anything."""
        lines = self.start.removeprefix(MARK).splitlines()
        whole = lines if len(lines) < 2 else lines[:-1] if self._is_cut else lines
        return [line for line in whole[:PEEKED_LINES] if line.strip()]

    @property
    def _is_cut(self) -> bool:
        return not self.start.endswith((b"\n", b"\r")) and len(self.start) >= 1 << 20

    @property
    def is_parquet(self) -> bool:
        """Whether the file begins as parquet does, also if it is encrypted."""
        return self.start.startswith((b"PAR1", b"PARE"))

    @property
    def is_json(self) -> bool:
        """Whether the file begins as a JSON object or list does."""
        return self.start.removeprefix(MARK).lstrip()[:1] in (b"{", b"[")

    @cached_property
    def first_record(self) -> Record | None:
        """The first object of JSON Lines, of a JSON list, or the document itself.

        Of an object that is larger than the beginning of the file it has the first members; one
        that is cut off is empty. None where there is no object.
        """
        start = self.start.removeprefix(MARK).lstrip()
        return _first_object(start) if start[:1] in (b"{", b"[") else None


def _first_object(start: bytes) -> Record | None:
    first, _, _ = start.partition(b"\n")
    if start[:1] == b"{" and (whole := _whole_object(first)) is not None:
        return whole
    text = start.decode("utf-8", "replace")
    place: int | None = 0
    if text[0] == "[":
        place = next(elements(text, 0), None)
    if place is None or text[place : place + 1] != "{":
        return None
    return _first_members(text, place)


def _whole_object(line: bytes) -> Record | None:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def _first_members(text: str, place: int) -> Record:
    """The members of the object that begins here, as far as they can be read."""
    found: dict[str, Any] = {}
    try:
        for key, _, value in members(text, place):
            opening = text[value : value + 1]
            found[key] = {"{": {}, "[": []}.get(opening)
            if (key == "queries" and opening == "[") or len(found) > PEEKED_MEMBERS:
                break
            found[key] = decoded_value(text, skip_space(text, value))
    except ValueError:
        pass
    return found
