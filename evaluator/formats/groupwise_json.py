"""Our own formats: JSON and JSON Lines, for data sets, runs, fixtures and corpora alike."""

from collections.abc import Iterable, Iterator, Mapping
from typing import get_args

import orjson

from groupwise.evaluator.formats.registry import Carried, Format
from groupwise.evaluator.reading.detection import HEAD_FIELDS, RECORD_FIELDS, Sample
from groupwise.evaluator.reading.json import JsonDocument
from groupwise.evaluator.reading.jsonl import JsonLines
from groupwise.evaluator.reading.options import EVERY_ROLE, Record
from groupwise.evaluator.reading.records import FileRecords, JsonForm
from groupwise.evaluator.reading.writing import write_data
from groupwise.schemas.values import CANONICAL

READERS: Mapping[JsonForm, type[FileRecords]] = {"json": JsonDocument, "jsonl": JsonLines}
EVERYTHING: frozenset[Carried] = frozenset(get_args(Carried))
OURS = RECORD_FIELDS | HEAD_FIELDS | {"queries"}


def is_plainly_ours(sample: Sample) -> bool:
    """Whether a file is ours by its first record, so that no other format needs to be asked."""
    record = sample.first_record
    if record is None:
        return False
    if "queries" in record and not isinstance(record["queries"], list):
        return False
    return _has_our_fields(record) or _is_map_of_lists(sample, record)


def _has_our_fields(record: Record) -> bool:
    """Whether a record has an id or queries, and no field that is not ours."""
    fields = {CANONICAL.get(name, name) for name in record}
    return bool(fields & {"id", "queries"}) and fields <= OURS


def _is_map_of_lists(sample: Sample, record: Record) -> bool:
    """Whether this is one object with a list of groups or of ids for each query id."""
    if "queries" in record or sample.text[:1] != b"{":
        return False
    if {*map(type, record.values())} != {list}:
        return False
    kinds = {type(part) for value in record.values() for part in value}
    return bool(kinds) and kinds <= {list, str, int}


def _spell_line(record: Record) -> bytes:
    return orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE)


def _write_lines(records: Iterable[Record], path: str) -> None:
    write_data(path, map(_spell_line, records))


def _write_document(records: Iterable[Record], path: str) -> None:
    write_data(path, _spell_document(records))


def _spell_document(records: Iterable[Record]) -> Iterator[bytes]:
    """Yield a list with a record per line."""
    before = b"[\n  "
    for record in records:
        yield before + orjson.dumps(record)
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
        "native", (".jsonl", ".ndjson"), _looks_like_lines, JsonLines, _write_lines,
        ids="`id`, or the bare id",
    ),
    Format(
        "json", "groupwise JSON", EVERY_ROLE, EVERYTHING,
        "records or documents in a list or by id, or a fixture; grades or scores by id, as ranx "
        "and pytrec_eval have them", "native; grades by id require `--flat`",
        (".json",), _looks_like_document, JsonDocument, _write_document,
        ids="`id`, or the bare id",
    ),
)  # fmt: skip
