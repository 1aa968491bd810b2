"""Rankings packed as they are read: most of a file is ids that are compared once and dropped.

Where the ids of a ranking are plain, their text is cut out before the rest of a record is parsed,
and no string is created for them. The rest must be JSON and must not lose a key, with one empty
list per record where a ranking was. Everything else is parsed whole.
"""

import io
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import orjson

from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.native.loader import COMPILED, walk
from groupwise.evaluator.reading.deferred import DeferredBatch
from groupwise.evaluator.reading.duplicate_keys import keeps_keys
from groupwise.evaluator.reading.packed_ids import TextLists
from groupwise.evaluator.reading.records import Batch, Columns, NumberedLines, split_columns
from groupwise.evaluator.reading.sorting import SortedLines, sort_lines
from groupwise.schemas.values import FIELD_NAMES

PACKED_BYTES = 1 << 20
"""The size of a block: packed, it takes no more room in the cache than a smaller one parsed."""
PATIENCE = 3
"""So many texts in a row are packed in vain before the attempts end."""

Parse: TypeAlias = Callable[[bytes], list[Any]]
Cut: TypeAlias = Callable[[Sequence[int]], NumberedLines]


class PackedBatch(DeferredBatch):
    """Records in columns, with packed rankings; parsed as a whole when that is asked for.

    ``cut`` returns the lines of some of them, if they can be told apart in the text, with all that
    are ``odd``.
    """

    def __init__(
        self,
        columns: Columns,
        parse: Callable[[], Batch],
        cut: Cut | None = None,
        odd: Sequence[int] | None = None,
    ) -> None:
        super().__init__(parse)
        self._columns = columns
        self._cut = cut
        self.odd = odd

    def cut_lines(self, rows: Sequence[int]) -> NumberedLines | None:
        """Return the lines of some of the records, and all odd ones."""
        return None if self._cut is None else self._cut(rows)

    def columns(self) -> Columns | None:
        """Return the records as columns."""
        return self._columns


class Packer:
    """Packs the rankings of records, text by text, as long as that pays.

    ``parse`` returns the records of a text; where they are ``lines``, no list may go on over two.

    Attributes:
        lost: The numbers of the lines of the last text that may repeat a key.
    """

    def __init__(self, parse: Parse, *, lines: bool, wanted: bool = True) -> None:
        self._parse = parse
        self._lines = lines
        self.lost: list[int] = []
        self._patience = PATIENCE if wanted and COMPILED else 0

    @property
    def pays(self) -> bool:
        """Whether the next text may be packed, after those before."""
        return self._patience > 0

    def pack(self, text: bytes, *, lossy: bool = False) -> Columns | None:
        """Return the records of a text in columns; None if it must be parsed as a whole.

        With ``lossy``, lines may repeat keys.
        """
        for name in FIELD_NAMES["results"] if self.pays else ():
            columns = self._pack_field(text, name, lossy and self._lines)
            if columns is not None:
                self._patience = min(PATIENCE, self._patience + 1)
                return columns
        self._patience -= 1
        return None

    def sort_out(self, text: bytes, *, lossy: bool = False) -> SortedLines | None:
        """Return the lines of a text, sorted; None if most of them cannot be packed.

        With ``lossy``, lines in columns may repeat keys.
        """
        found = sort_lines(text, lossy=lossy) if self.pays else None
        if found is not None:
            self._patience = min(PATIENCE, self._patience + 1)
        return found

    def build_batch(
        self,
        columns: Columns,
        parse: Callable[[], Batch],
        cut: Cut | None = None,
        odd: Sequence[int] | None = None,
    ) -> PackedBatch:
        """Return a batch of packed records; if they are needed whole, packing did not pay."""

        def parse_whole() -> Batch:
            self._patience -= 2
            return parse()

        return PackedBatch(columns, parse_whole, cut, odd)

    def _pack_field(self, text: bytes, name: str, lossy: bool) -> Columns | None:  # noqa: FBT001
        packed = walk.pack_rankings(text, f'"{name}"'.encode(), not self._lines)
        if packed is None:
            return None
        rest, *numbers, data = packed
        borders, offsets = (np.frombuffer(column, np.int64) for column in numbers)
        try:
            values = self._parse(rest)
        except orjson.JSONDecodeError:
            return None
        self.lost = []
        if not keeps_keys(rest, values):
            if not lossy or b"\\" in rest:
                return None
            self.lost = walk.find_lost_keys(io.BytesIO(rest).readlines(), values)
        columns = split_columns(values)
        if columns is None or columns.get(name) != [[]] * (len(borders) - 1):
            return None
        columns[name] = TextLists(borders[:-1], borders[1:], offsets, data)
        return columns


def count_rows(columns: Columns) -> int:
    """Return the number of records in columns."""
    return len(next(iter(columns.values())))
