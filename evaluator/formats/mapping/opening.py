"""The reader of a file whose fields are mapped: by what it is, and where the map begins in it."""

from collections.abc import Mapping

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.groupwise_json import READERS
from groupwise.evaluator.formats.mapping.field_records import FieldRecords
from groupwise.evaluator.formats.mapping.fields import plan_fields
from groupwise.evaluator.formats.mapping.plan import Plan
from groupwise.evaluator.formats.mapping.table_fields import map_columns
from groupwise.evaluator.reading.csv import CsvTable, name_columns, read_first_rows
from groupwise.evaluator.reading.detection import JSON_SUFFIXES, Sample
from groupwise.evaluator.reading.json import JsonDocument, WrappedDocument
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.reading.records import FileRecords, Records
from groupwise.evaluator.reading.scan import is_json
from groupwise.evaluator.reading.source import Source


def open_mapped(
    source: Source, sample: Sample, options: Options, paths: Mapping[str, str]
) -> Records:
    """Return the records of a file, with each field taken from its path.

    Raises:
        InputError: A path is malformed, or they lead to records in different places.
    """
    plan = plan_fields(paths, options)
    if sample.files is not None:
        raise InputError([Problem("this is a folder; a map is for a file", source.name)])
    if sample.suffix not in JSON_SUFFIXES and sample.text[:1] not in (b"{", b"["):
        return _open_table(source, sample, plan)
    if _has_record_per_line(sample) or sample.text[:1] != b"{":
        form = "jsonl" if _has_record_per_line(sample) else sample.json_form
        return FieldRecords(READERS[form](source, options), plan)
    return _open_object(source, sample, options, plan)


def _open_table(source: Source, sample: Sample, plan: Plan) -> Records:
    rows = read_first_rows(sample.start, sample.name, 1)
    return map_columns(CsvTable(source), plan, name_columns(rows[0] if rows else []))


def _has_record_per_line(sample: Sample) -> bool:
    """Whether there is an object per line, whatever the suffix: then it cannot be one document."""
    if sample.suffix in JSON_SUFFIXES and sample.json_form == "jsonl":
        return True
    others = sample.text[len(sample.first_line) :]
    return sample.text[:1] == b"{" and bool(others.strip()) and is_json(sample.first_line)


def _open_object(source: Source, sample: Sample, options: Options, plan: Plan) -> Records:
    """Return the records of a document that is an object: in it, or the document itself."""
    if plan.streamed:
        return FieldRecords(WrappedDocument(source, plan.streamed, options), plan.from_elements())
    is_whole = not plan.is_each and (bool(plan.wrappers) or _is_record(sample, plan))
    records: FileRecords = JsonDocument(source, options, whole=is_whole)
    return FieldRecords(records, plan)


def _is_record(sample: Sample, plan: Plan) -> bool:
    """Whether the document has all fields itself."""
    paths = [path for path in plan.paths.values() if not path.is_number]
    keys = sample.first_record or {}
    return all(_begins(path.text, path.steps, keys) for path in paths)


def _begins(text: str, steps: tuple[str, ...], keys: Mapping[str, object]) -> bool:
    return text in keys or (bool(steps) and steps[0] in keys)
