"""Records in batches: parsed values, and on request the place of anything in them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from groupwise.evaluator.errors import Problem
from groupwise.evaluator.reading.scan import Pointer

BLOCK_BYTES = 1 << 17


class Batch(Protocol):
    """Some records of a source. ``keys`` holds their query ids where these stand outside them."""

    keys: list[str] | None

    @property
    def values(self) -> list[Any]:
        """The records as they were parsed."""
        ...

    def place(self, number: int, pointer: Pointer) -> tuple[int, int]:
        """Line and column of what the pointer leads to in a record of this batch."""
        ...

    def root(self, number: int) -> Pointer:
        """The way from the whole document to a record of this batch."""
        ...


@dataclass
class Reading:
    """What a reader found besides records: problems of the text, and the head of a fixture.

    ``places`` has line and column of each key of the head; ``warnings`` are for the report.
    """

    problems: list[Problem] = field(default_factory=list)
    head: dict[str, Any] = field(default_factory=dict)
    places: dict[str, tuple[int, int]] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


class Records(Protocol):
    """All records of a source, in batches; can be read more than once."""

    name: str

    def batches(self, reading: Reading) -> Iterator[Batch]:
        """Read from the beginning; what is wrong with the text is added to ``reading``."""
        ...
