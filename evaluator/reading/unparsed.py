"""Lines that are parsed when they are asked for: of most records, a second reading needs an id."""

import io
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import orjson

from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.reading.deferred import DeferredBatch
from groupwise.evaluator.reading.records import Batch, take_field
from groupwise.schemas.values import FIELD_NAMES

LISTS = ("ground_truth", "results")
LISTED = frozenset(name for field in LISTS for name in FIELD_NAMES[field])


class UnparsedBatch(DeferredBatch):
    """Records of a block of lines; the lists of ids in them are parsed only with all the rest."""

    def __init__(self, block: bytes, parse: Callable[[], Batch]) -> None:
        super().__init__(parse)
        self._block = block

    @cached_property
    def _outlines(self) -> list[Any] | None:
        """The records with empty lists; None if a line is blank or broken, or no object."""
        try:
            records = [*map(orjson.loads, io.BytesIO(drop_all_lists(self._block)))]
        except orjson.JSONDecodeError:
            return None
        return records if {*map(type, records)} == {dict} else None

    def count(self) -> int:
        """Return the number of records."""
        return len(self.values if self._outlines is None else self._outlines)

    def field(self, name: str) -> Sequence[Any] | None:
        """Return what each record has under a name; None if one has nothing, or is no object."""
        outlines = None if name in LISTED else self._outlines
        return take_field(self.values if outlines is None else outlines, name)


def drop_all_lists(block: bytes) -> bytes:
    """Return lines of JSON with plain ground truths and rankings emptied."""
    for field in LISTS:
        for name in FIELD_NAMES[field]:
            dropped = walk.drop_lists(block, f'"{name}"'.encode())
            if len(dropped) < len(block):
                block = dropped
                break
    return block
