"""The beginning of a file as a document: JSON, JSON Lines, a table, or parquet."""

import io
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from typing import Any, NamedTuple

import orjson

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.groupwise_json import READERS
from groupwise.evaluator.inspection.beginnings import decode_beginning
from groupwise.evaluator.inspection.shapes import DEEPEST_LIST, MOST_RECORDS
from groupwise.evaluator.reading.csv import Row, read_csv
from groupwise.evaluator.reading.detection import Sample
from groupwise.evaluator.reading.literals import parse_literal
from groupwise.evaluator.reading.records import Reading
from groupwise.evaluator.reading.source import MemorySource, Source

TABLES = (".csv", ".tsv")
SEPARATORS = "\t,;"
LONGEST_CELL = 1 << 16
ROWS_COMPARED = 20
DEEPEST_VALUE = 32
MOST_TRIED = 200
"""How many records are read as proposed, before anything is proposed."""


class Beginning(NamedTuple):
    """What was read of a file.

    Attributes:
        document: The value that the file holds, as far as it was read; records of lines and rows
            are a list.
        whole: Whether that is all of the file.
        kind: What the file is, for people.
        error: What is wrong with its text; None: nothing.
        data: The same beginning as the bytes of a shorter file, for a trial; empty if there is
            none.
    """

    document: Any
    whole: bool
    kind: str
    error: InputError | None = None
    data: bytes = b""


def read_beginning(source: Source, sample: Sample) -> Beginning | None:
    """Return the beginning of a file; None if it is neither JSON nor a table.

    Raises:
        InputError: It is neither readable nor partly readable.
    """
    if sample.is_parquet:
        return _read_rows(source)
    if sample.is_json:
        return _read_lines(sample) or _read_document(sample)
    return _read_table(sample)


def _read_lines(sample: Sample) -> Beginning | None:
    """Return the objects in lines, if there is one in the first line and more lines follow."""
    lines = [line for line in cut_lines(sample).split(b"\n") if line.strip()]
    if not lines or not any(isinstance(value, dict) for value in _parse_line(lines[0])):
        return None
    values = [take_levels(value) for line in lines[:MOST_RECORDS] for value in _parse_line(line)]
    if sample.json_form == "json" and len(values) < 2:
        return None
    is_whole = not sample.is_cut and len(lines) <= MOST_RECORDS
    data = b"\n".join(lines[:MOST_TRIED])
    return Beginning(values, is_whole, "JSON Lines", check_text(sample, "jsonl"), data)


def _parse_line(line: bytes) -> Iterator[Any]:
    try:
        yield orjson.loads(line)
    except orjson.JSONDecodeError:
        return


def _read_document(sample: Sample) -> Beginning:
    text = sample.start.decode("utf-8", "replace")
    error = check_text(sample, "json")
    try:
        document = take_levels(decode_beginning(text))
    except (ValueError, RecursionError):
        message = "the file is not JSON, or a value in it is too long to be looked at"
        raise error or InputError([Problem(message, sample.name, code="IO001")]) from None
    if error and not document:
        raise error
    shorter = _drop_last(document) if sample.is_cut else document
    data = _encode(take_first(shorter, MOST_TRIED))
    return Beginning(shorter, not sample.is_cut, "JSON", error, data)


def take_first(document: Any, most: int, levels: int = DEEPEST_LIST) -> Any:
    """Return a document with no more than the first entries of its long lists and objects."""
    if not levels or not isinstance(document, list | dict):
        return document
    if isinstance(document, list):
        return [take_first(part, most, levels - 1) for part in document[:most]]
    entries = islice(document.items(), most)
    return {key: take_first(part, most, levels - 1) for key, part in entries}


def take_levels(document: Any, levels: int = DEEPEST_VALUE) -> Any:
    """Return a document in which lists and objects that are nested too deeply are empty.

    No field that means anything is nested as deeply; whatever looks at the document may recurse.
    """
    if not document or not isinstance(document, (list, dict)):
        return document
    if not levels:
        return type(document)()
    if isinstance(document, list):
        return [take_levels(part, levels - 1) for part in document]
    return {key: take_levels(part, levels - 1) for key, part in document.items()}


def _drop_last(document: Any) -> Any:
    """Return a document without its last entry, of which a part may be missing."""
    if isinstance(document, list):
        return document[:-1] or document
    if isinstance(document, dict) and document:
        last = next(reversed(document))
        inner = document[last]
        kept = _drop_last(inner) if isinstance(inner, dict | list) and inner else inner
        return {**document, last: kept}
    return document


def _encode(document: Any) -> bytes:
    try:
        return orjson.dumps(document)
    except TypeError:  # a number that is too large, or half of a surrogate pair
        return b""


def check_text(sample: Sample, form: Any) -> InputError | None:
    """Return what is wrong with the text of a file that was read to its end; None: nothing."""
    if sample.is_cut:
        return None
    reading = Reading()
    try:
        for _ in READERS[form](MemorySource(sample.name, sample.start)).batches(reading):
            pass
    except InputError as error:
        return error
    return reading.error()


def cut_lines(sample: Sample) -> bytes:
    """Return the whole lines of a sample."""
    if not sample.is_cut:
        return sample.start
    return sample.start[: sample.start.rfind(b"\n") + 1] or sample.start


def _read_table(sample: Sample) -> Beginning | None:
    """Return the rows of a table by the names of its columns."""
    data = cut_lines(sample)
    try:
        rows = list(islice(read_csv(io.BytesIO(data), sample.name, SEPARATORS), MOST_RECORDS + 2))
    except InputError:
        if sample.suffix in TABLES:
            raise
        return None
    header, others = (rows[0][1], [cells for _, cells in rows[1:]]) if rows else ([], [])
    is_even = all(len(cells) == len(header) for cells in others[:ROWS_COMPARED])
    if len(header) < 2 or not (sample.suffix in TABLES or (others and is_even)):
        return None
    whole = not sample.is_cut and len(others) <= MOST_RECORDS
    used = others if whole else others[:MOST_RECORDS][: -1 if sample.is_cut else None]
    records = [_build_record(header, cells) for cells in used if len(cells) == len(header)]
    return Beginning(records, whole, "a table", data=_take_rows(data, rows))


def _take_rows(data: bytes, rows: Sequence[Row]) -> bytes:
    """Return the lines of the first rows."""
    if len(rows) <= MOST_TRIED:
        return data
    return b"".join(data.splitlines(keepends=True)[: rows[MOST_TRIED][0] - 1])


def _build_record(header: list[str], cells: list[str]) -> dict[str, Any]:
    pairs = zip(header, cells, strict=True)
    return {name.strip(): take_levels(parse_cell(cell)) for name, cell in pairs if cell.strip()}


def parse_cell(cell: str) -> Any:
    """Return a cell as text; one that is a list in JSON or Python as that list."""
    text = cell.strip()
    if not text.startswith("[") or len(text) > LONGEST_CELL:
        return cell
    try:
        return parse_literal(text)
    except ValueError:
        return cell


def _read_rows(source: Source) -> Beginning:
    from groupwise.evaluator.formats.parquet_rows import open_rows  # noqa: PLC0415  (needs pyarrow)

    with closing(open_rows(source).records().batches(Reading())) as batches:
        rows = [row for batch in batches for row in batch.values]
    return Beginning(rows, whole=True, kind="parquet")


def copy_rows(source: Source) -> tuple[Source, bool]:
    """Return the first rows of a parquet file as a source, and whether these are all."""
    from groupwise.evaluator.formats.parquet_rows import copy_beginning  # noqa: PLC0415

    copied = copy_beginning(source, MOST_TRIED)
    small = MemorySource(source.name, copied.data, source.max_bytes)
    return small, copied.rows == copied.total
