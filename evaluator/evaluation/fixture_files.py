"""Fixtures among the files of a folder."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.errors import InputError
from groupwise.evaluator.evaluation.fixture import FixtureContent, read_fixture
from groupwise.evaluator.formats.groupwise_json import READERS
from groupwise.evaluator.formats.opening import detect_records
from groupwise.evaluator.reading.detection import Sample, detect_roles, take_sample
from groupwise.evaluator.reading.diagnosis import REPEATED_KEY
from groupwise.evaluator.reading.folder import list_files
from groupwise.evaluator.reading.records import Batch, JsonForm, Reading
from groupwise.evaluator.reading.source import MemorySource, Source

if TYPE_CHECKING:
    from groupwise.evaluator.matching.lookup import Chunks

ENDINGS = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz")
OWN_FORMATS = frozenset(READERS)
SMALL = 1 << 24
"""Files of up to this many bytes are read once, into memory."""


def find_files(folder: str, exclude: tuple[str, ...] = ()) -> list[str]:
    """Return the files of a folder and its subfolders that may be fixtures, sorted.

    Hidden files and folders are skipped, and those whose name matches a pattern of ``exclude``.

    Raises:
        InputError: A folder cannot be read.
    """
    return [path for path in list_files(folder, exclude).files if path.lower().endswith(ENDINGS)]


def read_if_fixture(path: str, corpus: "Chunks | None" = None) -> FixtureContent | None:
    """Return the fixture in a file; None if the file is something else, and valid JSON.

    Raises:
        InputError: It cannot be read, is not JSON, or is an invalid fixture.
    """
    source = _hold_if_small(Source(path))
    sample = take_sample(source)
    if not _looks_like_fixture(source, sample) or _is_published(source):
        return None
    return read_fixture(source, corpus)


def _hold_if_small(source: Source) -> Source:
    """Return a source of the same bytes, in memory if they are few."""
    with source.open() as stream:
        data = stream.read(SMALL + 1)
    return MemorySource(source.path, data) if len(data) <= SMALL else source


def _is_published(source: Source) -> bool:
    """Whether the file is of another format, which holds no expectations."""
    known = detect_records(source)[1]
    return known is not None and known.name not in OWN_FORMATS


def _looks_like_fixture(source: Source, sample: Sample) -> bool:
    """Whether anything in a file is part of a fixture; if not, it is valid JSON throughout.

    Published data has JSON Lines in files named ``.json`` too.
    """
    try:
        return _has_fixture_part(source, sample.json_form)
    except InputError:
        may_be_lines = sample.json_form == "json" and sample.has_record_per_line
        if not may_be_lines or _has_fixture_part(source, "jsonl"):
            raise
        return False


def _has_fixture_part(source: Source, form: JsonForm) -> bool:
    reading = Reading()
    for batch in READERS[form](source).batches(reading):
        if any(map(_is_fixture_part, _list_objects(batch))):
            return True
    problems = [problem for problem in reading.problems if problem.code != REPEATED_KEY]
    if problems:
        raise InputError(problems)
    return "queries" in reading.places or _is_fixture_part(reading.head)


def _list_objects(batch: Batch) -> Iterator[Mapping[str, Any]]:
    """Yield the records of a batch, and the object that holds them by key."""
    if batch.keys is not None:
        yield dict(zip(batch.keys, batch.values, strict=True))
    yield from (value for value in batch.values if isinstance(value, dict))


def _is_fixture_part(record: Mapping[str, Any]) -> bool:
    """Whether a record has queries, expected scores, or ground truth along with results."""
    return (
        _are_records(record.get("queries"))
        or isinstance(record.get("expected"), dict)
        or len(detect_roles(record)) > 1
    )


def _are_records(queries: Any) -> bool:
    """Whether this is a list of records, and not of texts as in files of other programs."""
    return isinstance(queries, list) and (not queries or any(type(q) is dict for q in queries))
