"""Batches whose records are parsed when they are asked for: often a part of them is enough."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from groupwise.evaluator.reading.records import Batch
from groupwise.evaluator.reading.scan import Pointer


class DeferredBatch(Batch):
    """Records without keys outside them; ``parse`` returns the batch that holds them whole."""

    keys = None

    def __init__(self, parse: Callable[[], Batch]) -> None:
        self._parse = parse

    @cached_property
    def whole(self) -> Batch:
        """The same records, parsed."""
        return self._parse()

    @cached_property
    def values(self) -> list[Any]:  # type: ignore[override]  # filled when first asked for
        """The records."""
        return self.whole.values

    def place(self, number: int, pointer: Pointer) -> tuple[int, int]:
        """Return line and column of what the pointer leads to."""
        return self.whole.place(number, pointer)

    def root(self, number: int) -> Pointer:
        """Return the pointer from the whole document to a record."""
        return self.whole.root(number)
