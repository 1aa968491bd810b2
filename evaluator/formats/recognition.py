"""Whether a file that nobody named is data: asked of every file of a folder."""

from collections.abc import Mapping
from contextlib import suppress
from difflib import get_close_matches
from typing import Any

from groupwise.evaluator.errors import InputError
from groupwise.evaluator.formats.groupwise_json import READERS, is_plainly_ours
from groupwise.evaluator.formats.opening import recognise, records_in
from groupwise.evaluator.formats.registry import Format, list_formats
from groupwise.evaluator.reading.detection import (
    Sample,
    detect_document_form,
    detect_roles,
    take_sample,
)
from groupwise.evaluator.reading.diagnosis import REPEATED_KEY
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.reading.records import Reading
from groupwise.evaluator.reading.source import Source
from groupwise.schemas.values import names_in

TABLES = frozenset({".csv", ".tsv"})
"""Their names say nothing of what is in them, while ``.qrels`` or ``.run`` promise data."""
TELLING_FIELDS = ("ground_truth", "retrieval_gt", "results", "retrieved_ids")
NO_COLUMN = "IO008"
NEAR = 0.8
CORPUS = "documents of a corpus, not queries"
RESULTS_ONLY = "results only"
UNKNOWN = "not ground truth, results or a fixture; groupwise inspect says what it is"


def may_be_data(path: str) -> bool:
    """Whether a file's name ends as one of data does; ``.gz`` may follow.

    A file named ``.txt`` may be anything, and is data only if a format recognises it.
    """
    plain = path.lower().removesuffix(".gz")
    endings = {ending for known in list_formats().values() for ending in known.suffixes}
    return plain.endswith((*endings,)) or (plain.endswith(".txt") and _is_recognised(path))


def _is_recognised(path: str) -> bool:
    with suppress(InputError):
        return recognise(take_sample(Source(path)), None) is not None
    return False


def explain_skip(path: str, options: Options) -> str | None:
    """Return why a file of a folder is not read; None if it is, were it only for its errors.

    A file whose format or fields are named is read. Other files must be recognised, or be invalid
    JSON, whose errors are for the reader to report.
    """
    if options.fields or options.format:
        return None
    source = Source(path, options.max_bytes)
    try:
        sample = take_sample(source)
    except InputError:
        return None
    if sample.is_parquet:
        return _explain_table(source, options)
    known = None if is_plainly_ours(sample) else recognise(sample, None)
    if known is not None:
        return _explain_role(known, options)
    if sample.may_be_json:
        return _explain_json(source, sample, options)
    return UNKNOWN if sample.suffix in TABLES else None


def _explain_role(known: Format, options: Options) -> str | None:
    return RESULTS_ONLY if options.role and options.role not in known.holds else None


def _explain_table(source: Source, options: Options) -> str | None:
    """Return why a parquet file is skipped: no column of it is known."""
    try:
        records_in(source, options)
    except InputError as error:
        problem = error.problems[0]
        return problem.message if problem.code == NO_COLUMN else None
    return None


def _explain_json(source: Source, sample: Sample, options: Options) -> str | None:
    record = sample.first_record or {}
    if options.role == "ground_truth" and detect_roles(record) == {"run"}:
        return RESULTS_ONLY
    if is_plainly_ours(sample) or _is_meant_for_us(sample, record) or not _is_valid(source, sample):
        return None
    return CORPUS if {"id", "text"} <= names_in(record).keys() else UNKNOWN


def _is_meant_for_us(sample: Sample, record: Mapping[str, Any]) -> bool:
    """Whether JSON has a field of ours, a misspelt one, queries, or numbers by id by query."""
    return (
        bool(detect_roles(record))
        or any(get_close_matches(name, TELLING_FIELDS, 1, NEAR) for name in record)
        or detect_document_form(sample.text.decode("utf-8", "replace")) == "fixture"
        or _has_numbers_by_id(record)
    )


def _has_numbers_by_id(record: Mapping[str, Any]) -> bool:
    """Whether this is grades or scores by id by query, as ranx and pytrec_eval have them."""
    inner = [value for value in record.values() if isinstance(value, dict) and value]
    numbers = {type(number) for value in inner for number in value.values()}
    return bool(inner) and len(inner) == len(record) and numbers <= {int, float}


def _is_valid(source: Source, sample: Sample) -> bool:
    """Whether a file is JSON throughout."""
    reading = Reading()
    form = "jsonl" if sample.has_record_per_line else sample.json_form
    try:
        for _ in READERS[form](source).batches(reading):
            pass
    except InputError:
        return False
    return all(problem.code == REPEATED_KEY for problem in reading.problems)
