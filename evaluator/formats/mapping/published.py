"""Published data sets: converts their records to ours, and adds missing query ids.

Most of these data sets have no query ids. Then the question is the id, with a number appended if
the same question comes again.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from groupwise.evaluator.formats.mapping.cursor import Cursor, are_columns, list_rows
from groupwise.evaluator.formats.mapping.list_table import ListTable, is_table, read_first_record
from groupwise.evaluator.formats.mapping.mapped_records import Mapped, MappedRecords, Unfit
from groupwise.evaluator.formats.parquet_rows import open_rows
from groupwise.evaluator.formats.registry import Carried, Format
from groupwise.evaluator.reading.detection import Sample, take_sample
from groupwise.evaluator.reading.json import JsonDocument
from groupwise.evaluator.reading.jsonl import JsonLines
from groupwise.evaluator.reading.options import Options, Role
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.reading.scan import Pointer
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.text import plural

JSON = (".json", ".jsonl", ".ndjson")
PARQUET = (".parquet", ".pq")
TABLES = (".csv", ".tsv")


@dataclass(frozen=True)
class Converted:
    """A record of ours; the question is its id if it has none. Notes are counted in warnings."""

    record: dict[str, Any]
    question: str = ""
    pointer: Pointer = ()
    note: str | None = None


ConvertRecord: TypeAlias = Callable[[Cursor, Options], Converted]
ConvertDocument: TypeAlias = Callable[[Cursor, Options], Iterator[Converted | Unfit]]


def convert_each(
    cursors: Iterable[Cursor], convert: ConvertRecord, options: Options
) -> Iterator[Converted | Unfit]:
    """Yield what each cursor becomes; one that is unfit does not stop the others."""
    for cursor in cursors:
        try:
            yield convert(cursor, options)
        except Unfit as error:
            yield error


def choose_sides(options: Options, *, truth: bool, results: bool) -> tuple[bool, bool]:
    """Return whether to read ground truth and results: by the role, else what a record has."""
    if options.role is None:
        return truth or not results, results
    return options.role != "run", options.role == "run"


def pick_metadata(record: Cursor, *names: str) -> dict[str, Any]:
    """Return the fields that describe a question, as its metadata, for slices.

    Those that are absent, blank, null or objects are left out.
    """
    found = {name: record.value[name] for name in names if _is_plain(record.value.get(name))}
    return {"metadata": found} if found else {}


def _is_plain(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(part, str) for part in value)
    return bool(value.strip()) if isinstance(value, str) else isinstance(value, bool | int | float)


def add_scores(results: dict[str, Any], found: Sequence[Cursor]) -> dict[str, Any]:
    """Return results with their scores, if they have any.

    Raises:
        Unfit: Some results have a score and others do not.
    """
    if not any(result.has("score") for result in found):
        return results
    if missing := next((result for result in found if not result.has("score")), None):
        raise Unfit("no score, but other results have one", missing.pointer)
    return {**results, "scores": [result.field("score").number() for result in found]}


@dataclass
class QueryNames:
    """Generates missing query ids, and counts the notes of one pass."""

    questions: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)

    def add_id(self, converted: Converted) -> dict[str, Any]:
        """Return the record with an id."""
        if converted.note:
            self.notes[converted.note] += 1
        if "id" in converted.record:
            return converted.record
        question = converted.question
        self.questions[question] += 1
        times = self.questions[question]
        return {"id": question if times == 1 else f"{question} ({times})", **converted.record}

    def warnings(self) -> Iterator[str]:
        """Yield each note with the number of queries that it is about."""
        for note, count in self.notes.items():
            yield f"{plural(count, 'query', 'queries')}: {note}"


class PublishedRecords(MappedRecords):
    """The records of a published data set."""

    def __init__(
        self,
        records: Records,
        convert: ConvertRecord | ConvertDocument,
        options: Options,
        matching: Mapping[str, Any] | None = None,
    ) -> None:
        self.records = records
        self.name = records.name
        self.has_head = matching is not None and options.role is None
        self._convert_any = convert
        self._options = options
        self._matching = matching

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield records of our shape, and add warnings at the end."""
        names = QueryNames()
        if self.has_head:
            reading.head["matching"] = self._matching

        def convert(value: Any) -> Iterator[Mapped | Unfit]:
            found = self._convert_any(Cursor(value), self._options)
            for part in [found] if isinstance(found, Converted) else found:
                yield part if isinstance(part, Unfit) else (names.add_id(part), part.pointer)

        yield from self.map_batches(reading, convert)
        reading.warnings.extend(f"{self.name}: {warning}" for warning in names.warnings())


def published_format(  # noqa: PLR0913  (the parts of a declaration)
    name: str,
    title: str,
    recognises: Callable[[Mapping[str, Any]], bool],
    *,
    fields: str,
    groups: str,
    ids: str,
    convert: ConvertRecord | ConvertDocument,
    whole: bool = False,
    carries: Iterable[Carried] = (),
    holds: Iterable[Role] = ("ground_truth",),
    prepare: Callable[[Records], Records] = lambda records: records,
    lists: tuple[str, ...] = (),
    matching: Mapping[str, Any] | None = None,
) -> Format:
    """Return the declaration of a format whose records are JSON objects of a published shape.

    The rows of a parquet file are such records, too: the Hugging Face Hub has data sets as parquet.

    Args:
        name: As in ``Format``, like ``title``, ``fields``, ``groups``, ``carries``, ``holds``.
        title: As in ``Format``.
        recognises: Whether the first object of a file is of this format.
        fields: As in ``Format``.
        groups: As in ``Format``.
        ids: As in ``Format``.
        convert: Turns a record into one of ours, or the whole document into several.
        whole: Whether it is called with the whole document.
        carries: As in ``Format``, besides groups and the text of queries.
        holds: As in ``Format``.
        prepare: Turns what was read into the records to convert.
        lists: The columns that hold lists where the records are lines of CSV or TSV; without any,
            such files are not read.
        matching: How results meet groups in files that hold both, unless a call says otherwise;
            None: by their ids.
    """

    def convert_rows(records: Records, options: Options) -> Records:
        return PublishedRecords(prepare(records), convert, options, matching)

    def read(source: Source, options: Options) -> Records:
        if lists and is_table(take_sample(source)):
            return convert_rows(ListTable(source, lists), options)
        return convert_rows(_read_records(source, whole=whole), options)

    def is_of_format(sample: Sample) -> bool:
        first = sample.first_record
        if lists and first is None:
            first = read_first_record(sample, lists)
        return first is not None and recognises(first)

    return Format(
        name, title, frozenset(holds), frozenset({"groups", "query", *carries}), fields, groups,
        (*JSON, *(() if whole else PARQUET), *(TABLES if lists else ())), is_of_format, read,
        ids=ids, convert_rows=None if whole else convert_rows,
    )  # fmt: skip


def _read_records(source: Source, *, whole: bool) -> Records:
    """Return the rows of parquet, the records of JSON Lines or of a list, or the whole document."""
    sample = take_sample(source)
    if sample.is_parquet and not whole:
        return open_rows(source).records()
    if whole or not sample.has_record_per_line:
        return JsonDocument(source, whole=whole or sample.text[:1] != b"[")
    return JsonLines(source)


def has_text(record: Mapping[str, Any], *names: str) -> bool:
    """Whether the first of these fields that is present is a text."""
    found = next((record[name] for name in names if name in record), None)
    return isinstance(found, str)


def list_objects(record: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """Return the objects that a record has under a name, in a list or in columns."""
    found = record.get(name)
    if are_columns(found):
        found = list_rows(record[name])
    return [part for part in found if isinstance(part, dict)] if isinstance(found, list) else []
