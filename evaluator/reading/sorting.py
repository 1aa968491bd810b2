"""Lines of JSON sorted: those whose rankings can be packed come in columns, all others as text.

Where a few lines of a block are broken, or unusual, the others need not be parsed whole for them.
"""

from collections.abc import Iterable, Sequence
from itertools import compress, zip_longest
from typing import Any, NamedTuple

import orjson

from groupwise.evaluator.hits.arrays import BoolArray, IntArray, np
from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.reading.duplicate_keys import keeps_keys
from groupwise.evaluator.reading.lines import split_lines
from groupwise.evaluator.reading.packed_ids import TextLists
from groupwise.evaluator.reading.records import Columns, find_usual, split_columns
from groupwise.schemas.values import FIELD_NAMES


class SortedLines(NamedTuple):
    """The lines of a block: the rows of those that are in columns, and of the others.

    Attributes:
        places: Where a ranking was in each line that has lost one; -1 in the others.
        rest: All lines without the rankings.
        lost: The rows of lines in columns that may repeat a key.
    """

    columns: Columns
    rows: list[int]
    odd: list[int]
    places: IntArray
    rest: list[bytes]
    lost: list[int]

    def cut_lines(self, block: bytes, rows: Iterable[int]) -> list[bytes]:
        """Return some lines of the block, by their rows."""
        return [self._cut_line(block, row, int(self.places[row])) for row in rows]

    def _cut_line(self, block: bytes, row: int, place: int) -> bytes:
        if place < 0:
            return self.rest[row]
        end = block.find(b"\n", place)
        return block[block.rfind(b"\n", 0, place) + 1 : end + 1 if end >= 0 else len(block)]


class _Lines(NamedTuple):
    """Lines that are JSON: their rows, texts without rankings, and values.

    ``columns`` has the values of each field; None if these are not the same in all lines.
    """

    rows: list[int]
    texts: list[bytes]
    values: list[Any]
    columns: dict[str, list[Any]] | None

    def choose(self, chosen: Sequence[object]) -> "_Lines":
        """Return some of these lines: each whose choice is true."""
        rows, texts = [*compress(self.rows, chosen)], [*compress(self.texts, chosen)]
        values = [*compress(self.values, chosen)]
        if self.columns is None:
            return _Lines(rows, texts, values, split_columns(values))
        columns = {name: [*compress(each, chosen)] for name, each in self.columns.items()}
        return _Lines(rows, texts, values, columns)


def sort_lines(block: bytes, *, lossy: bool = False) -> SortedLines | None:
    """Return the lines of a block, sorted; None if most of them cannot be packed.

    With ``lossy``, lines in columns may repeat keys.
    """
    found = (_sort_by_field(block, name, lossy=lossy) for name in FIELD_NAMES["results"])
    return next(filter(None, found), None)


def _sort_by_field(block: bytes, name: str, *, lossy: bool) -> SortedLines | None:
    packed = walk.pack_plain_rankings(block, f'"{name}"'.encode())
    if packed is None:
        return None
    rest = split_lines(packed[0])
    borders, offsets, places, of_lists = (
        np.frombuffer(column, np.int64) for column in (*packed[1:3], *packed[4:])
    )
    has_one = np.bincount(of_lists, minlength=len(rest)) == 1
    lines, lost = _drop_lossy(_find_alike(_parse_sound(rest), name, has_one), lossy=lossy)
    if lines.columns is None or 2 * len(lines.rows) <= len(rest):
        return None
    is_packed = np.zeros(len(rest), np.bool_)
    is_packed[lines.rows] = True
    chosen = is_packed[of_lists]
    rankings = TextLists(borders[:-1][chosen], borders[1:][chosen], offsets, packed[3])
    columns = {**lines.columns, name: rankings}
    last = np.full(len(rest), -1)
    last[of_lists] = places
    return SortedLines(columns, lines.rows, np.flatnonzero(~is_packed).tolist(), last, rest, lost)


def _find_alike(lines: _Lines, name: str, has_one: BoolArray) -> _Lines:
    """Return the lines with the usual fields and one list of a name, which was cut."""
    if lines.columns is None:
        usual = {*(find_usual(lines.values) or ())}
        lines = lines.choose([number in usual for number in range(len(lines.rows))])
    contents = (lines.columns or {}).get(name, [])
    ones = has_one[lines.rows]
    if ones.all() and contents == [[]] * len(ones):
        return lines
    pairs = zip_longest(ones.tolist(), contents)
    return lines.choose([one and content == [] for one, content in pairs])


def _drop_lossy(lines: _Lines, *, lossy: bool) -> tuple[_Lines, list[int]]:
    """Return the lines that keep all their keys; or all, and the rows of those that may not."""
    text = b"".join(lines.texts)
    if keeps_keys(text, lines.values):
        return lines, []
    if lossy and b"\\" not in text:
        lost = walk.find_lost_keys(lines.texts, lines.values)
        return lines, [lines.rows[number] for number in lost]
    pairs = zip(lines.texts, lines.values, strict=True)
    return lines.choose([keeps_keys(text, [value]) for text, value in pairs]), []


def _parse_sound(texts: list[bytes]) -> _Lines:
    """Return the lines that are JSON."""
    values: list[Any] = []
    broken: list[int] = []
    parsed = map(orjson.loads, texts)
    while len(values) + len(broken) < len(texts):
        try:
            values.extend(parsed)
        except orjson.JSONDecodeError:
            broken.append(len(values) + len(broken))
    rows, columns = [*range(len(texts))], split_columns(values)
    for row in reversed(broken):
        del rows[row]
    sound = [texts[row] for row in rows] if broken else texts
    return _Lines(rows, sound, values, columns)
