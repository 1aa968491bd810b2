"""Lines that are parsed when they are asked for: of most records, a second reading needs an id."""

import io
from collections.abc import Callable, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any

import orjson

from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.reading.records import Batch
from groupwise.evaluator.reading.scan import Pointer
from groupwise.schemas.values import FIELD_NAMES

LISTS = ("ground_truth", "results")


class UnparsedBatch(Batch):
    """Records of a block of lines; the lists of ids in them are parsed only with all the rest."""

    keys = None

    def __init__(self, block: bytes, parse: Callable[[], Batch]) -> None:
        self._block = block
        self._parse = parse

    @cached_property
    def whole(self) -> Batch:
        """The same records, parsed."""
        return self._parse()

    @cached_property
    def values(self) -> list[Any]:  # type: ignore[override]  # filled when first asked for
        """The records."""
        return self.whole.values

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
        records = self.values if self._outlines is None or name in LISTED else self._outlines
        try:
            return [*map(itemgetter(name), records)] if {*map(type, records)} == {dict} else None
        except KeyError:
            return None

    def place(self, number: int, pointer: Pointer) -> tuple[int, int]:
        """Return line and column of what the pointer leads to."""
        return self.whole.place(number, pointer)


LISTED = frozenset(name for field in LISTS for name in FIELD_NAMES[field])


def drop_all_lists(block: bytes) -> bytes:
    """Return lines of JSON with plain ground truths and rankings emptied."""
    for field in LISTS:
        for name in FIELD_NAMES[field]:
            dropped = walk.drop_lists(block, f'"{name}"'.encode())
            if len(dropped) < len(block):
                block = dropped
                break
    return block
