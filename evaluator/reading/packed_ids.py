"""Lists of valid ids, as Arrow stores them.

Texts stay in one buffer: most results of a run are compared once and are no hit, so no string is
ever created for them.
"""

from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Any, overload

from groupwise.evaluator.hits.arrays import IntArray, np
from groupwise.evaluator.native.loader import walk
from groupwise.schemas import Id


class TextLists(Sequence[list[Id]]):
    """Rows of texts that are ASCII and not blank: those from ``starts`` to ``ends`` of a buffer.

    Text n is ``data[offsets[n]:offsets[n + 1]]``.
    """

    def __init__(self, starts: IntArray, ends: IntArray, offsets: IntArray, data: Any) -> None:
        self.starts = starts
        self.ends = ends
        self.offsets = offsets
        self.data = data

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, row: int) -> list[Id]: ...
    @overload
    def __getitem__(self, rows: slice) -> "TextLists": ...
    def __getitem__(self, row: int | slice) -> "list[Id] | TextLists":
        if isinstance(row, slice):
            return self.select(row)
        start, end = int(self.starts[row]), int(self.ends[row])
        return walk.decode_texts(self.offsets, self.data, start, end)

    @property
    def buffers(self) -> tuple[IntArray, IntArray, IntArray, Any]:
        """Starts, ends, offsets and data, as the walk takes them."""
        return self.starts, self.ends, self.offsets, self.data

    def __iter__(self) -> Iterator[list[Id]]:
        return iter(walk.decode_lists(*self.buffers))

    @property
    def lengths(self) -> IntArray:
        """The number of texts in each row."""
        lengths: IntArray = self.ends - self.starts
        return lengths

    def select(self, rows: Any) -> "TextLists":
        """Return some of the rows, by their numbers or a mask."""
        return TextLists(self.starts[rows], self.ends[rows], self.offsets, self.data)

    def cut(self, depth: int) -> "TextLists":
        """Return the first texts of each row."""
        ends = self.starts + np.minimum(self.lengths, min(depth, len(self.offsets)))
        return TextLists(self.starts, ends, self.offsets, self.data)


class NumberLists(list[list[Id]]):
    """Rows of integers that are valid ids; at least one row is not empty."""


def choose_rows(content: Any, chosen: bytes | bytearray) -> Any:
    """Return some of the rows of a column: each whose byte is not 0."""
    if isinstance(content, TextLists):
        return content.select(np.frombuffer(chosen, np.bool_))
    return [*compress(content, chosen)]


def lengths_of(lists: Sequence[Sequence[Any]]) -> list[int]:
    """Return the length of each list."""
    return lists.lengths.tolist() if isinstance(lists, TextLists) else [*map(len, lists)]


def are_filled(lists: Sequence[Sequence[Any]]) -> bool:
    """Whether no list is empty."""
    return bool(lists.lengths.all()) if isinstance(lists, TextLists) else all(lists)
