"""Bytes to records: one module per format, recognised by name or, without one, by content."""

import os
from typing import TypeAlias

import orjson

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.batch import Batch, Reading, Records
from groupwise.evaluator.formats.document import JsonDocument
from groupwise.evaluator.formats.jsonl import JsonLines
from groupwise.evaluator.formats.source import Source

Format: TypeAlias = type[JsonLines] | type[JsonDocument]
BY_SUFFIX: dict[str, Format] = {
    ".jsonl": JsonLines,
    ".ndjson": JsonLines,
    ".json": JsonDocument,
}
PEEKED_BYTES = 1 << 20

__all__ = ["Batch", "JsonDocument", "JsonLines", "Reading", "Records", "Source", "records_in"]


def records_in(path: str | os.PathLike[str]) -> JsonLines | JsonDocument:
    """The records of a file, or of standard input for ``-``; an empty file is refused."""
    source = Source(path)
    with source.open() as stream:
        start = stream.read(PEEKED_BYTES)
    if not start.strip():
        message = "the file is empty; it should hold at least one record"
        raise InputError([Problem(message, source.name, code="IO009")])
    by_name = BY_SUFFIX.get(source.suffixes[-1].lower()) if source.suffixes else None
    return (by_name or _by_content(start))(source)


def _by_content(start: bytes) -> Format:
    """JSON Lines where the first line is a whole value and others follow."""
    first, _, others = start.lstrip().partition(b"\n")
    try:
        orjson.loads(first)
    except orjson.JSONDecodeError:
        return JsonDocument
    return JsonLines if others.strip() else JsonDocument
