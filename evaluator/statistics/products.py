"""Products of matrices, in pieces that suit the linear algebra library.

OpenBLAS computes a product of some size in several threads, which wait for each other in a loop.
Where other programs run as well, as in CI, that takes up to a hundred times as long. Pieces below
that size run at the speed of one processor, whatever else runs; and as sums on the grid do not
round, cutting them changes no bit.
"""

from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.hits.arrays import np

LARGEST_PIECE = 1 << 19
"""Multiplications in a piece; OpenBLAS uses threads from less than twice as many on."""
FEWEST_ROWS, SHORTEST = 32, 16
LARGEST_BLOCK = 1 << 21


def choose_rows(length: int, columns: int, width: int = 1) -> int:
    """Return how many rows of that length to multiply with so many columns at once.

    ``width`` is the number of values per row that are made of the product.
    """
    most = LARGEST_BLOCK // max(length, width, 1)
    return max(1, min(most, max(FEWEST_ROWS, LARGEST_PIECE // max(1, length * columns))))


def multiply(rows: FloatArray, columns: FloatArray) -> FloatArray:
    """Return the product of rows (n, length) and columns (m, length), of shape (n, m)."""
    depth = max(SHORTEST, LARGEST_PIECE // max(1, len(rows) * len(columns)))
    total = np.zeros((len(rows), len(columns)))
    for start in range(0, rows.shape[1], depth):
        total += rows[:, start : start + depth] @ columns[:, start : start + depth].T
    return total
