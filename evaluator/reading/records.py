"""The interface between reading and all that follows: records in batches, with their places."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.reading.options import AS_IT_IS, Options
from groupwise.evaluator.reading.scan import Pointer
from groupwise.evaluator.reading.source import Source

JsonForm: TypeAlias = Literal["json", "jsonl"]


class Batch(Protocol):
    """Consecutive records of a source.

    Subclass it: ``values``, ``keys`` and ``place`` are required. ``keys`` holds the query ids if
    they stand outside the records, and is None otherwise.
    """

    keys: list[str] | None
    values: list[Any]

    def place(self, number: int, pointer: Pointer) -> tuple[int, int]:
        """Return line and column of what the pointer leads to in a record; 0 where unknown."""
        ...

    def root(self, number: int) -> Pointer:
        """Return the pointer from the whole document to a record; empty if that is a document."""
        return ()

    def trace(self, number: int, pointer: Pointer) -> Pointer:
        """Return the pointer in the source, from ``root`` on, to something in a record.

        Another one if the record was made from something else.
        """
        return pointer


@dataclass
class NumberedBatch(Batch):
    """Records with their line numbers."""

    values: list[Any]
    numbers: Sequence[int]
    keys: list[str] | None = None

    def place(self, number: int, _pointer: Pointer) -> tuple[int, int]:
        """Return the line of a record, which begins there."""
        return self.numbers[number], 1


@dataclass
class Reading:
    """What a reader found besides records: problems of the text, and the head of a fixture.

    ``places`` holds line and column of each key of the head; ``warnings`` go into the report.
    """

    problems: list[Problem] = field(default_factory=list)
    head: dict[str, Any] = field(default_factory=dict)
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def move_to(self, problems: Problems) -> None:
        """Move all problems to others."""
        problems.add(*self.problems)
        self.problems.clear()

    def error(self) -> InputError | None:
        """Return an error with all problems, if there are any."""
        problems = Problems()
        self.move_to(problems)
        return InputError(problems.kept, problems.count) if problems.count else None

    def refuse(self) -> None:
        """Raise an error with all problems, if there are any.

        No variable refers to the error: with its traceback it would be a cycle.
        """
        problems = Problems()
        self.move_to(problems)
        if problems.count:
            raise InputError(problems.kept, problems.count)

    def report(self, problem: Problem) -> None:
        """Add a problem."""
        self.problems.append(problem)


@contextmanager
def paused_collector() -> Iterator[None]:
    """Pause the cyclic garbage collector: records hold no cycles, and looking for some costs.

    Half of the time of short records, measured; those of 100 results do not notice.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class Records(Protocol):
    """All records of a source, in batches; can be read more than once.

    A format's reader returns this. Subclass it: ``name`` and ``batches`` are required, the rest
    declares what callers may rely on, so that no caller checks the class.

    Attributes:
        name: The source, for messages.
        positional: Records have no query id; their position stands for it.
        editable: The kind of JSON if the text may be edited in place (by fixes, fingerprints and
            ``check --update``), because records stand in it unchanged. None otherwise.
        typed_ids: Ids are strings or numbers as they are written. In plain text they are not: "7"
            may be meant as a number.
        flat_hint: What else may be done about ground truth without groups, for the message that
            refuses it; known after it was read.
        has_head: Reading it fills the head of ``Reading`` at once.
        line_count: How many lines the last reading had; 0 where they do not matter to places.
    """

    name: str
    positional: bool = False
    editable: JsonForm | None = None
    typed_ids: bool = True
    flat_hint: str = ""
    has_head: bool = False
    line_count: int = 0

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Read from the beginning; problems of the text are added to ``reading``."""
        ...

    @property
    def has_byte_order_mark(self) -> bool:
        """Whether the source begins with a byte order mark; known after it was opened."""
        return False

    @property
    def size(self) -> int:
        """The number of bytes to read; 0 if that is not known, or not worth parting."""
        return 0

    @property
    def text_size(self) -> int:
        """The number of bytes of the text that holds the records; 0 if that is not known."""
        return 0

    def split(self, parts: int) -> "Sequence[Records]":
        """Return parts that hold the same records in the same order, at most so many.

        Each can be read in another process. What cannot be cut is one part, the default.
        """
        return [self]


class FileRecords(Records):
    """Records that are read from the bytes of one source."""

    def __init__(self, source: Source, options: Options = AS_IT_IS) -> None:
        self.source = source
        self.name = source.name
        self.options = options

    @property
    def has_byte_order_mark(self) -> bool:
        """Whether the source begins with a byte order mark."""
        return self.source.marked

    @property
    def size(self) -> int:
        """The number of bytes in the file; 0 if that is not known."""
        return self.source.size

    @property
    def text_size(self) -> int:
        """The number of bytes in the file; 0 if they are compressed, or that is not known."""
        return 0 if self.source.is_compressed else self.source.size
