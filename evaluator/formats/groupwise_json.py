"""The formats of our own: JSON and JSON Lines, data sets, runs and fixtures alike."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

import orjson

from groupwise.evaluator.formats.registry import Carried, Format
from groupwise.evaluator.reading.detection import HEAD_FIELDS, RECORD_FIELDS, Sample
from groupwise.evaluator.reading.json import JsonDocument
from groupwise.evaluator.reading.jsonl import JsonLines
from groupwise.evaluator.reading.options import Options, Record, Role
from groupwise.evaluator.reading.records import JsonForm, Records
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.reading.writing import write_data
from groupwise.schemas.shape import CANONICAL

Reader: TypeAlias = Callable[[Source], Records]
READERS: Mapping[JsonForm, Reader] = {"json": JsonDocument, "jsonl": JsonLines}
EVERYTHING: frozenset[Carried] = frozenset(
    {
        "groups", "grades", "weights", "labels", "not_relevant", "unanswerable",
        "query", "metadata", "scores", "text", "spans", "whole_numbers", "tokens", "vectors",
        "empty_results", "repeats", "answers", "both", "expected",
    }
)  # fmt: skip
EVERY_ROLE: frozenset[Role] = frozenset({"ground_truth", "run", "corpus"})
OURS = RECORD_FIELDS | HEAD_FIELDS | {"queries"}


def is_ours(record: Record | None) -> bool:
    """Whether a first record has an id or queries, and nothing that a field of ours is not."""
    fields = {CANONICAL.get(name, name) for name in record or ()}
    return bool(fields & {"id", "queries"}) and fields <= OURS


def is_plainly_ours(sample: Sample) -> bool:
    """Whether no other format needs to be asked."""
    record = sample.first_record
    if record is None:
        return False
    if "queries" in record:
        return isinstance(record["queries"], list) and is_ours(record)
    return is_ours(record) or _is_map_of_lists(sample, record)


def _is_map_of_lists(sample: Sample, record: Record) -> bool:
    """Whether this is one object with a list of groups or of ids for each query id."""
    if sample.text[:1] != b"{" or {*map(type, record.values())} != {list}:
        return False
    kinds = {type(one) for value in record.values() for one in value}
    return bool(kinds) and kinds <= {list, str, int}


def read_json(source: Source, sample: Sample, role: Role | None) -> Records:
    """Return the records of JSON or JSON Lines of ours."""
    if sample.json_form == "jsonl":
        return JsonLines(source)
    return JsonDocument(source, role=role)


def _lines(source: Source, _options: Options) -> JsonLines:
    return JsonLines(source)


def _document(source: Source, options: Options) -> JsonDocument:
    return JsonDocument(source, role=options.role)


def _write_lines(records: Iterable[Record], path: str) -> None:
    write_data(path, (orjson.dumps(one, option=orjson.OPT_APPEND_NEWLINE) for one in records))


def _write_document(records: Iterable[Record], path: str) -> None:
    write_data(path, _document_of(records))


def _document_of(records: Iterable[Record]) -> Iterator[bytes]:
    """A list with a record per line."""
    before = b"[\n  "
    for one in records:
        yield before + orjson.dumps(one)
        before = b",\n  "
    yield b"\n]\n"


def _looks_like_lines(sample: Sample) -> bool:
    return is_plainly_ours(sample) and sample.json_form == "jsonl"


def _looks_like_document(sample: Sample) -> bool:
    return is_plainly_ours(sample) and sample.json_form == "json"


FORMATS = (
    Format(
        "jsonl", "groupwise JSON Lines", EVERY_ROLE, EVERYTHING,
        "`id, ground_truth, results, scores, …`, or `id, text` of a document; one record per line",
        "native",
        (".jsonl", ".ndjson"), _looks_like_lines, _lines, _write_lines,
    ),
    Format(
        "json", "groupwise JSON", EVERY_ROLE, EVERYTHING,
        "records or documents in a list or by id, or a fixture; grades or scores by id, as ranx "
        "and pytrec_eval have them", "native; grades by id ask: all of them, or any?",
        (".json",), _looks_like_document, _document, _write_document,
    ),
)  # fmt: skip
