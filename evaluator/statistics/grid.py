"""Values as whole numbers on a common grid, so that sums of them do not round.

Resampling adds the same values thousands of times, in a matrix product whose order of addition is
up to the linear algebra library, its threads and the number of columns. Whole numbers that are
small enough add up without rounding in any order. So a result has the same bits on every machine,
and whether two sums are equal does not depend on how they were added.
"""

from typing import NamedTuple

from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.hits.arrays import np

GRID_BITS = 40
"""A value is kept to 2**-40 (1e-12) of the largest; less where there are more than 4,096."""
SUM_BITS = 52
UNIT_FROM = 2.0**-4
"""Where the largest value is between this and 1, the grid is that of 1, as for most metrics."""


class Grid(NamedTuple):
    """Columns of whole numbers of shape (columns, queries), and the scale of each column.

    ``shifts`` holds powers of two: a whole number times two to the shift is the value.
    """

    whole: FloatArray
    shifts: list[int]

    @property
    def tolerance(self) -> float:
        """The most by which two sums of equal values can differ, in whole numbers."""
        return float(2 * self.whole.shape[1])

    def restore(self, column: int, number: float) -> float:
        """Return the value of a number on the grid of a column."""
        with np.errstate(over="ignore", under="ignore"):
            value: float = np.ldexp(number, self.shifts[column]).item()
            return value


def build_grid(values: FloatArray) -> Grid:
    """Return values of shape (columns, queries) on one grid, or (metrics, columns, queries).

    The columns of a metric share a grid, so that they can be subtracted; the last axis is that of
    the queries, and the columns of all metrics follow each other.
    """
    metrics = values if values.ndim == 3 else values[None]
    bits = min(GRID_BITS, SUM_BITS - values.shape[-1].bit_length())
    shifts = [_find_exponent(metric) - bits for metric in metrics]
    whole = np.empty(metrics.shape)
    for metric, shift in enumerate(shifts):
        np.rint(np.ldexp(metrics[metric], -shift), out=whole[metric])
    spread = [shift for shift in shifts for _ in range(metrics.shape[1])]
    return Grid(whole.reshape(len(spread), values.shape[-1]), spread)


def _find_exponent(values: FloatArray) -> int:
    """Return an exponent of two that no value exceeds."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest == 0.0 or UNIT_FROM <= largest <= 1.0:
        return 0
    return int(np.frexp(largest)[1])
