"""What is said of a file: where it is, and how it is read."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Literal, NamedTuple, ParamSpec, TypeVar

from groupwise.evaluator.errors import OptionError, Problem
from groupwise.evaluator.reading.limits import limiting_records
from groupwise.evaluator.reading.options import AS_IT_IS, AUTO, Options
from groupwise.evaluator.reading.records import Batch, Reading, Records
from groupwise.evaluator.text import quote

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")
NOT_HERE = "map='auto' is for ground truth and results; say which fields to read"


class Expected(NamedTuple):
    """What an attribute accepts besides None, for code and in words."""

    fits: Callable[[Any], bool]
    accepted: str


def is_flag(value: Any) -> bool:
    """Whether this is a truth value, of Python or NumPy; the numbers 0 and 1 are."""
    kind = type(value)
    return kind.__name__ in {"bool", "bool_"} or (kind is int and value in (0, 1))


def _is_size(value: Any) -> bool:
    is_whole = type(value) is int or type(value).__name__.startswith(("int", "uint"))
    return is_whole and not hasattr(value, "__len__") and value > 0


def _is_map(value: Any) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, str) and value == AUTO)


FLAG = Expected(is_flag, "True or False")
SIZE = Expected(_is_size, "a number of bytes, such as 1 << 30")
OF_BYTES = ("format", "subtopics", "cnf", "max_bytes")
"""What can be said of files alone, not of data in memory."""
OF_FILES = {
    "format": "format='csv'",
    "fields": "map={…}",
    "subtopics": "subtopics=True",
    "cnf": "cnf=True",
    "max_bytes": "max_bytes=1 << 34",
    "max_record_bytes": "max_record_bytes=1 << 28",
}
"""Arguments of earlier versions that are now said of a file, and how."""
EXPECTED = {
    "format": Expected(lambda value: isinstance(value, str), "the name of a format"),
    "map": Expected(_is_map, "a mapping or 'auto'"),
    "subtopics": FLAG,
    "cnf": FLAG,
    "max_bytes": SIZE,
    "max_record_bytes": SIZE,
}


@dataclass(frozen=True, slots=True)
class File:
    """A file and how to read it, accepted wherever a path is.

    A ground truth, a run and a corpus may differ in all of it.

    Args:
        path: The path of the file, or of the folder of a format that has one; ``"-"`` is standard
            input. With a ``map`` also a frame or a list of objects.
        format: The name of the format; None detects it from the content and the name.
        map: The paths of fields in records of any shape, such as
            ``{"query": "inputs.question", "ground_truth": "outputs.doc_ids"}``. Steps are separated
            by dots; ``*`` takes every element of a list, ``cases[].gold`` begins at the records
            under a key, ``gold.*.doc+page`` joins two parts to an id with ``#``, ``gold[;]``
            separates the ids of a text, and ``"id": "#"`` numbers the records. ``"auto"`` takes
            what ``inspect`` proposes, if it is the only proposal, and says so in ``warnings``.
        subtopics: TREC qrels have the group in their second column.
        cnf: Expand evidence that is an OR of ANDs, which changes fractions.
        max_bytes: The limit for decompressed data and pipes; None: 16 GiB.
        max_record_bytes: The limit for a line, a row or a record; None: 256 MiB.

    Raises:
        OptionError: A value is not accepted.

    Example:
        >>> from groupwise import File, read
        >>> read(File("fixtures/formats/long.csv", format="csv")).queries[0].id
        'q1'
    """

    path: Any
    format: str | None = None
    map: Mapping[str, str] | Literal["auto"] | None = None
    subtopics: bool = False
    cnf: bool = False
    max_bytes: int | None = None
    max_record_bytes: int | None = None

    def __post_init__(self) -> None:
        """Refuse what is not accepted."""
        given = {name: getattr(self, name) for name in EXPECTED}
        problems = [
            Problem(f"{name}={quote(value)}: expected {EXPECTED[name].accepted}")
            for name, value in given.items()
            if not (EXPECTED[name].fits(value) or (value is None and EXPECTED[name] is not FLAG))
        ]
        if isinstance(self.path, File):
            problems.append(Problem("File: expected a path, got a File"))
        elif not (isinstance(self.path, str | os.PathLike) or hasattr(self.path, "open")):
            others = {name: value for name, value in given.items() if value and name in OF_BYTES}
            problems += [
                Problem(f"{name}={quote(value)} is said of a file, not of data in memory")
                for name, value in others.items()
            ]
        if problems:
            raise OptionError(problems)

    def complete(self, options: Options = AS_IT_IS) -> Options:
        """Return options that say what this file does.

        Raises:
            OptionError: The map is ``"auto"``: nobody has looked at the file yet.
        """
        if isinstance(self.map, str):
            raise OptionError([Problem(NOT_HERE)])
        return options._replace(
            format=self.format,
            fields=self.map or {},
            subtopics=self.subtopics,
            cnf=self.cnf,
            max_bytes=self.max_bytes,
            max_record_bytes=self.max_record_bytes,
        )


def list_said_of_files(names: Iterable[str]) -> list[str]:
    """Return what replaces those arguments of earlier versions that are among some names."""
    return [f"{n}= is said of the file: File(path, {OF_FILES[n]})" for n in names if n in OF_FILES]


def takes_files(function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
    """Let a function answer arguments of earlier versions with what replaces them."""

    @wraps(function)
    def call(*args: Arguments.args, **given: Arguments.kwargs) -> Answer:
        if said := list_said_of_files(sorted(given)):
            raise OptionError([*map(Problem, said)])
        return function(*args, **given)

    return call


def unwrap(given: Any, options: Options = AS_IT_IS) -> tuple[Any, Options]:
    """Return what is to be read, and how: a File says it, anything else is read as it is."""
    return (given.path, given.complete(options)) if isinstance(given, File) else (given, options)


def path_of(given: Any) -> Any:
    """Return the path in a File; anything else as it is."""
    return given.path if isinstance(given, File) else given


def name_path(given: Any) -> str | None:
    """Return the path of what is given, as text; None if this is no file."""
    path = path_of(given)
    return os.fspath(path) if isinstance(path, str | os.PathLike) else None


class WrappedRecords(Records):
    """Records that are others, read in another way."""

    def __init__(self, records: Records) -> None:
        self.records = records
        self.name = records.name
        self.positional = records.positional
        self.editable = records.editable
        self.typed_ids = records.typed_ids
        self.has_head = records.has_head

    @property
    def has_byte_order_mark(self) -> bool:
        """Whether the source begins with a byte order mark."""
        return self.records.has_byte_order_mark

    @property
    def size(self) -> int:
        """The number of bytes to read."""
        return self.records.size

    @property
    def text_size(self) -> int:
        """The number of bytes of the text that holds the records."""
        return self.records.text_size

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield the records."""
        yield from self.records.batches(reading)
        self.flat_hint, self.line_count = self.records.flat_hint, self.records.line_count


class LimitedRecords(WrappedRecords):
    """Records of a file that has a limit of its own for each."""

    def __init__(self, records: Records, max_record_bytes: int) -> None:
        super().__init__(records)
        self._limit = max_record_bytes

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Yield the records; the limit holds while some of them are read."""
        batches = super().batches(reading)
        while True:
            with limiting_records(self._limit):
                batch = next(batches, None)
            self.flat_hint = self.records.flat_hint
            if batch is None:
                return
            yield batch

    def split(self, parts: int) -> Sequence[Records]:
        """Return parts that hold the same records, with the same limit."""
        return [LimitedRecords(part, self._limit) for part in self.records.split(parts)]


def limit_records(records: Records, options: Options) -> Records:
    """Return records with the limit that their file has for each, if it has one."""
    limit = options.max_record_bytes
    return records if limit is None else LimitedRecords(records, limit)
