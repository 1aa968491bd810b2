"""Records of published data sets, each turned into one of ours, and what to call their queries.

Most of these sets do not number their questions. There the question itself is the query's id, and
where it is asked again, the question and how often it was asked so far.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from groupwise.evaluator.errors import Problem
from groupwise.evaluator.formats.mapping.cursor import Part
from groupwise.evaluator.formats.mapping.records import Unfit
from groupwise.evaluator.formats.registry import Carried, Format
from groupwise.evaluator.reading.detection import Sample, take_sample
from groupwise.evaluator.reading.json import JsonDocument
from groupwise.evaluator.reading.jsonl import JsonLines
from groupwise.evaluator.reading.options import Options, Role
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.reading.scan import Pointer
from groupwise.evaluator.reading.source import Source


@dataclass(frozen=True)
class Made:
    """A record of ours; without an id it goes by its question. ``note`` is told of all at once."""

    record: dict[str, Any]
    question: str = ""
    way: Pointer = ()
    note: str | None = None


Conversion: TypeAlias = Callable[[Part, Options], Iterator[Made | Unfit]]
Single: TypeAlias = Callable[[Part, Options], Made]


def each(parts: Iterable[Part], made: Single, options: Options) -> Iterator[Made | Unfit]:
    """What each part gives; one that is unfit does not keep the others from being read."""
    for part in parts:
        try:
            yield made(part, options)
        except Unfit as error:
            yield error


def one_by_one(made: Single) -> Conversion:
    """A conversion of records of which each gives one of ours."""
    return lambda part, options: each([part], made, options)


def sides(options: Options, *, truth: bool, results: bool) -> tuple[bool, bool]:
    """Whether to read ground truth and results: the one asked for, else what a record holds."""
    if options.role is None:
        return truth or not results, results
    return options.role != "run", options.role == "run"


@dataclass
class Pass:
    """What one reading of a source has seen so far."""

    asked: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)

    def named(self, made: Made) -> dict[str, Any]:
        """The record with an id."""
        if made.note:
            self.notes[made.note] += 1
        if "id" in made.record:
            return made.record
        self.asked[made.question] += 1
        times = self.asked[made.question]
        return {"id": made.question if times == 1 else f"{made.question} ({times})", **made.record}

    def warnings(self) -> list[str]:
        """What is to be said of the whole source."""
        return [f"{count} {_queries(count)}: {note}" for note, count in self.notes.items()]


def _queries(count: int) -> str:
    return "query" if count == 1 else "queries"


@dataclass
class ShapedBatch(Batch):
    """Records made of others, each with the number of the other and the way within it."""

    batch: Batch
    values: list[Any] = field(default_factory=list)
    origins: list[tuple[int, Pointer]] = field(default_factory=list)
    keys: list[str] | None = None

    def place(self, number: int, _pointer: Pointer) -> tuple[int, int]:
        """Line and column of what this record was made of."""
        origin, way = self.origins[number]
        return self.batch.place(origin, way)

    def root(self, number: int) -> Pointer:
        """The way to what this record was made of."""
        origin, way = self.origins[number]
        return (*self.batch.root(origin), *way)


class ShapedRecords(Records):
    """The records of a source through a conversion; those it cannot take are problems."""

    def __init__(self, records: Records, conversion: Conversion, options: Options) -> None:
        self.records = records
        self.name = records.name
        self._conversion = conversion
        self._options = options

    @property
    def has_byte_order_mark(self) -> bool:
        """Whether the source begins with a byte order mark."""
        return self.records.has_byte_order_mark

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """The same batches, with records of our shape."""
        seen = Pass()
        for batch in self.records.batches(reading):
            yield self._shaped(batch, seen, reading)
        reading.warnings.extend(f"{self.name}: {warning}" for warning in seen.warnings())

    def _shaped(self, batch: Batch, seen: Pass, reading: Reading) -> ShapedBatch:
        shaped = ShapedBatch(batch)
        for number, value in enumerate(batch.values):
            for made in self._converted(value):
                if isinstance(made, Unfit):
                    reading.problems.append(self._problem(made, batch, number))
                    continue
                shaped.values.append(seen.named(made))
                shaped.origins.append((number, made.way))
        return shaped

    def _converted(self, value: Any) -> Iterator[Made | Unfit]:
        try:
            yield from self._conversion(Part(value), self._options)
        except Unfit as error:
            yield error

    def _problem(self, error: Unfit, batch: Batch, number: int) -> Problem:
        line, column = batch.place(number, error.pointer)
        steps = (*batch.root(number), *error.pointer)
        pointer = "".join(f"/{_escaped(step)}" for step in steps) or None
        return Problem(
            str(error), self.name, line or None, column or None, pointer=pointer, code=error.code
        )


def _escaped(step: str | int) -> str:
    return str(step).replace("~", "~0").replace("/", "~1")


def declared(  # noqa: PLR0913  (all there is to say of a format)
    name: str,
    title: str,
    conversion: Conversion,
    recognises: Callable[[Mapping[str, Any]], bool],
    *,
    fields: str,
    groups: str,
    carries: Iterable[Carried] = (),
    holds: Iterable[Role] = ("ground_truth",),
    whole: bool = False,
) -> Format:
    """The declaration of a format whose records are JSON objects of a published shape."""

    def read(source: Source, options: Options) -> ShapedRecords:
        return ShapedRecords(_read_json(source, whole=whole), conversion, options)

    def is_this(sample: Sample) -> bool:
        return sample.first_record is not None and recognises(sample.first_record)

    return Format(
        name, title, frozenset(holds), frozenset({"groups", "query", *carries}), fields, groups,
        (".json", ".jsonl", ".ndjson"), is_this, read,
    )  # fmt: skip


def _read_json(source: Source, *, whole: bool) -> Records:
    """Return the records of JSON Lines or of a list, or the document as one record."""
    sample = take_sample(source)
    if whole or not sample.has_record_per_line:
        return JsonDocument(source, whole=whole or sample.text[:1] != b"[")
    return JsonLines(source)


def is_text(record: Mapping[str, Any], *names: str) -> bool:
    """Whether the first of these fields that is there is a text, as no field of ours by id is."""
    found = next((record[name] for name in names if name in record), None)
    return isinstance(found, str)


def objects_in(record: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """The objects in a list that a record has under a name."""
    found = record.get(name)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
