"""Random resamples and random signs, in blocks, the same for the same seed.

They are made from the raw output of PCG64, which NumPy promises not to change; how NumPy draws
integers from it may change. A resample depends on the seed and on the number of queries, and on
nothing else: not on the size of the blocks, nor on the runs that are compared.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from groupwise.evaluator.hits import FloatArray, IntArray
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.statistics.products import choose_rows, multiply

RESAMPLES = 10_000
"""How many resamples an interval is made of."""
CACHE_CELLS = 1 << 15
WORD_BITS = 64
COUNTS, SIGNS, ORDERS = 1, 2, 3
"""What a stream of random numbers is for; each has its own."""


def resample_sums(whole: FloatArray, resamples: int, seed: int) -> FloatArray:
    """Return the sum of each column in each resample, of shape (columns, resamples)."""
    rows = choose_rows(whole.shape[1], len(whole))
    blocks = draw_counts(whole.shape[1], resamples, seed, rows)
    return np.ascontiguousarray(np.concatenate([multiply(block, whole) for block in blocks]).T)


def draw_counts(queries: int, resamples: int, seed: int, rows: int) -> Iterator[FloatArray]:
    """Yield blocks of resamples: how often each query is drawn, of shape (rows, queries).

    A block is overwritten by the next one.
    """
    stream = open_stream(seed, COUNTS)
    together = max(1, CACHE_CELLS // queries)
    for block in _cut(resamples, rows, queries):
        for start, end in pairwise([*range(0, len(block), together), len(block)]):
            block[start:end] = _count(draw_indices(stream, end - start, queries, queries))
        yield block


def draw_indices(stream: Any, rows: int, columns: int, below: int) -> IntArray:
    """Return whole numbers below a bound: the upper half of a random half word times the bound.

    The odds of two numbers differ by 2**-32 at most.
    """
    words = stream.random_raw(rows * -(-columns // 2)).astype("<u8", copy=False)
    halves = words.view("<u4").reshape(rows, -1)[:, :columns].astype(np.uint64)
    indices: IntArray = ((halves * np.uint64(below)) >> np.uint64(32)).view(np.int64)
    return indices


def draw_orders(stream: Any, rows: int, columns: int) -> IntArray:
    """Return a random order of the columns for each row: that of as many random words."""
    words = stream.random_raw(rows * columns).reshape(rows, columns)
    orders: IntArray = words.argsort(axis=1, kind="stable")
    return orders


def _count(indices: IntArray) -> IntArray:
    resamples, queries = indices.shape
    cells = indices + np.arange(resamples)[:, None] * queries
    return np.bincount(cells.ravel(), minlength=cells.size).reshape(indices.shape)


def draw_signs(queries: int, permutations: int, seed: int, rows: int) -> Iterator[FloatArray]:
    """Yield blocks of 0 and 1 of shape (rows, queries): which differences change their sign.

    A block is overwritten by the next one.
    """
    stream = open_stream(seed, SIGNS)
    words = -(-queries // WORD_BITS)
    for block in _cut(permutations, rows, queries):
        drawn = stream.random_raw(len(block) * words).astype("<u8", copy=False)
        octets = drawn.view(np.uint8).reshape(len(block), words * 8)
        block[:] = np.unpackbits(octets, axis=1, count=queries, bitorder="little")
        yield block


def open_stream(seed: int, purpose: int) -> Any:
    """Return a source of random numbers for a purpose."""
    return np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(purpose,)))


def _cut(total: int, rows: int, columns: int) -> Iterator[FloatArray]:
    """Yield room for so many rows after the other; it is the same room each time."""
    room = np.empty((min(rows, total), columns))
    for start in range(0, total, rows):
        yield room[: total - start]
