"""Exact means: the sum of doubles without rounding, divided by their number, rounded once.

A double is an integer of 53 bits times a power of two. The integers are added per power, in two
halves so that no addition rounds; what is left is one division of two integers, which Python rounds
correctly. So a mean has the same bits for any order of the values and any way to cut them.

Scores, which are neither large nor tiny, are cut at fixed places instead, into three parts of few
bits. Each part of all values is added as it is: a sum that does not need all bits of a double does
not round.
"""

from math import frexp, ldexp

import numpy as np

from groupwise.evaluator.hits import FloatArray, IntArray

MANTISSA_BITS = 53
LOW_BITS = 26
LOW_MASK = (1 << LOW_BITS) - 1
SMALLEST_EXPONENT = -1073
LARGEST_BLOCK = 1 << 16
FEW = 64
PLACES = (26, 53, 80)
"""After so many binary digits values are cut: no part has more than 36 bits, so that the parts of
the largest block are added without rounding."""
LARGEST_CUT = 2.0**9
CACHED = 1 << 15
"""So many values are cut at a time: they stay in the cache of the processor."""
LARGEST_SHIFT = 1 << 12
"""Sums have fewer bits: from the smallest double to the sum of very many large ones."""


class ExactMeans:
    """Means of several columns that arrive in blocks; NaN is skipped and not counted."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.counts = [0] * columns
        self.sums = [0] * columns

    def add(self, block: FloatArray) -> None:
        """Add a block of shape (columns, rows)."""
        if block.size <= FEW:
            self._add_few(block.tolist())
            return
        for start in range(0, block.shape[1], LARGEST_BLOCK):
            self._add(block[:, start : start + LARGEST_BLOCK])

    def _add_few(self, rows: list[list[float]]) -> None:
        """Add a block that is too small for arrays to pay off."""
        for column, row in enumerate(rows):
            values = [value for value in row if value == value]  # noqa: PLR0124  (NaN is not)
            self.counts[column] += len(values)
            self.sums[column] += sum(map(_scale, values))

    def _add(self, block: FloatArray) -> None:
        sums = _sum_parts(block)
        if sums is None:
            self._add_by_power(block)
            return
        for column, total in enumerate(sums):
            self.sums[column] += total
            self.counts[column] += block.shape[1]

    def _add_by_power(self, block: FloatArray) -> None:
        """Add values of any size, NaN among them."""
        scored = ~np.isnan(block)
        for column, count in enumerate(scored.sum(axis=1).tolist()):
            self.counts[column] += count
        fraction, exponent = np.frexp(np.where(scored, block, 0))
        whole = np.ldexp(fraction, MANTISSA_BITS).astype(np.int64)
        lowest = int(exponent.min(initial=0))
        self._accumulate(exponent - lowest, whole, lowest)

    def _accumulate(self, above: IntArray, whole: IntArray, lowest: int) -> None:
        """Add integers, each times two to the power of ``lowest`` plus its own ``above``."""
        powers = int(above.max(initial=0)) + 1
        cell = (np.arange(self.columns)[:, None] * powers + above).ravel()
        high = np.bincount(cell, (whole >> LOW_BITS).ravel())
        low = np.bincount(cell, (whole & LOW_MASK).ravel())
        for filled in np.flatnonzero((high != 0) | (low != 0)).tolist():
            column, power = divmod(filled, powers)
            total = (int(high[filled]) << LOW_BITS) + int(low[filled])
            self.sums[column] += total << (power + lowest - SMALLEST_EXPONENT)

    def merge(self, other: "ExactMeans") -> None:
        """Add the values of another, with the same result as adding them here."""
        for column, (total, count) in enumerate(zip(other.sums, other.counts, strict=True)):
            self.sums[column] += total
            self.counts[column] += count

    def means(self) -> list[float | None]:
        """Return the mean of each column; None where there is no value."""
        return [
            _divide(total, count) if count else None
            for total, count in zip(self.sums, self.counts, strict=True)
        ]


def _sum_parts(block: FloatArray) -> list[int] | None:
    """Return the exact sum of each row; None if a value is large, tiny or NaN.

    Adding and subtracting a number rounds a value to the places that the two have in common.
    """
    if not (block.max(initial=0) <= LARGEST_CUT and block.min(initial=0) >= -LARGEST_CUT):
        return None
    at_once = max(1, CACHED // max(1, block.shape[1]))
    rest, part = np.empty((2, min(at_once, len(block)), block.shape[1]))
    sums: list[int] = []
    for start in range(0, len(block), at_once):
        rows = block[start : start + at_once]
        found = _sum_rows(rows, rest[: len(rows)], part[: len(rows)])
        if found is None:
            return None
        sums += found
    return sums


def _sum_rows(rows: FloatArray, rest: FloatArray, part: FloatArray) -> list[int] | None:
    totals, left = [0] * len(rows), rows
    for place in PLACES:
        rounding = 1.5 * 2.0 ** (MANTISSA_BITS - 1 - place)
        np.subtract(np.add(left, rounding, out=part), rounding, out=part)
        shift = MANTISSA_BITS - SMALLEST_EXPONENT - place
        for row, total in enumerate(part.sum(axis=1).tolist()):
            totals[row] += int(ldexp(total, place)) << shift
        left = np.subtract(left, part, out=rest)
    return None if rest.any() else totals


def _scale(value: float) -> int:
    """Return the value as a multiple of the smallest one that a sum can hold."""
    fraction, exponent = frexp(value)
    return int(ldexp(fraction, MANTISSA_BITS)) << (exponent - SMALLEST_EXPONENT)


def _divide(total: int, count: int) -> float:
    return total / (count << (MANTISSA_BITS - SMALLEST_EXPONENT))
