"""Exact means: the sum of doubles without rounding, divided by their number, rounded once.

A double is a whole number of 53 bits times a power of two. The whole numbers are added per power,
in two halves so that no addition rounds; what is left is one division of two integers, which
Python rounds correctly. So a mean has the same bits in any order and for any chunking.
"""

import numpy as np

from groupwise.evaluator.hits import FloatArray, IntArray

MANTISSA_BITS = 53
LOW_BITS = 26
SMALLEST_EXPONENT = -1074 - MANTISSA_BITS
EXPONENTS = 1024 - SMALLEST_EXPONENT + 1
LARGEST_BLOCK = 1 << 24


class ExactMeans:
    """Means of several columns that arrive in blocks; NaN is left out and not counted."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.counts = [0] * columns
        self._sums = [0] * columns

    def add(self, block: FloatArray) -> None:
        """Add a block of shape (columns, rows)."""
        for start in range(0, block.shape[1], LARGEST_BLOCK):
            self._add(block[:, start : start + LARGEST_BLOCK])

    def _add(self, block: FloatArray) -> None:
        scored = ~np.isnan(block)
        self._count(scored)
        column = np.broadcast_to(np.arange(self.columns)[:, None], block.shape)[scored]
        fraction, exponent = np.frexp(block[scored])
        whole = np.ldexp(fraction, MANTISSA_BITS).astype(np.int64)
        cell = column * EXPONENTS + (exponent - SMALLEST_EXPONENT)
        self._accumulate(cell, whole)

    def _count(self, scored: FloatArray) -> None:
        for column, count in enumerate(scored.sum(axis=1).tolist()):
            self.counts[column] += count

    def _accumulate(self, cell: IntArray, whole: IntArray) -> None:
        used, place = np.unique(cell, return_inverse=True)
        high = np.bincount(place, whole >> LOW_BITS).tolist()
        low = np.bincount(place, whole & ((1 << LOW_BITS) - 1)).tolist()
        for one, above, below in zip(used.tolist(), high, low, strict=True):
            column, exponent = divmod(one, EXPONENTS)
            self._sums[column] += ((int(above) << LOW_BITS) + int(below)) << exponent

    def means(self) -> list[float | None]:
        """The mean of each column; None where nothing was scored."""
        return [
            _quotient(total, count) if count else None
            for total, count in zip(self._sums, self.counts, strict=True)
        ]


def _quotient(total: int, count: int) -> float:
    return total / (count << (MANTISSA_BITS - SMALLEST_EXPONENT))
