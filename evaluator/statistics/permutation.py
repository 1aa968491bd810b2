"""Tests by resampling: paired randomisation, and the paired bootstrap with a shifted mean.

Both compare the observed sum of differences with sums under the null hypothesis. Randomisation
(Fisher 1935; Smucker, Allan & Carterette 2007) changes the signs of the differences, as if the two
runs were exchanged query by query; where few queries differ, it goes through all signs. The
bootstrap draws queries and moves the mean of their differences to zero (Noreen 1989). All pairs and
metrics share signs and draws: one product of matrices gives the sums of all columns, and the sum of
a pair is a subtraction.

Values lie on a grid on which sums do not round. Sums that differ by no more than the rounding onto
that grid are equal, so that a tie with the observed sum counts as one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from groupwise.evaluator.hits import BoolArray, FloatArray, IntArray
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.statistics.grid import Grid, build_grid
from groupwise.evaluator.statistics.products import choose_rows, multiply
from groupwise.evaluator.statistics.resampling import draw_counts, draw_signs

EXACT_UP_TO = 14
"""With this many differing queries, all 16,384 combinations of signs are gone through."""
FEWEST = 2
"""With one query, all resamples are the same, and the bootstrap has nothing to say."""


class Contrast(NamedTuple):
    """Pairs of columns on a grid, and what is asked of each.

    Without margins: does b differ from a? With them: is b worse than a by less than the margin?
    """

    grid: Grid
    a: IntArray
    b: IntArray
    margins: FloatArray | None

    @property
    def queries(self) -> int:
        """The number of queries."""
        return int(self.grid.whole.shape[1])

    @property
    def rows(self) -> int:
        """How many permutations are in a block."""
        return choose_rows(self.queries, len(self.grid.whole), len(self.a))

    def sum_blocks(self, blocks: Iterable[FloatArray]) -> Iterator[tuple[FloatArray, FloatArray]]:
        """Yield each block with the differences of the sums that it selects: (pairs, rows)."""
        for block in blocks:
            yield block, self.subtract(multiply(block, self.grid.whole).T)

    def list_moved(self, pair: int) -> FloatArray:
        """Return the differences of a pair, with the margin added, that are not zero."""
        differences = self.grid.whole[self.b[pair]] - self.grid.whole[self.a[pair]]
        if self.margins is not None:
            differences += self.margins[pair]
        moved: FloatArray = differences[np.abs(differences) > 1.0]  # 1: rounding onto the grid
        return moved

    def select(self, pairs: Sequence[int]) -> "Contrast":
        """Return the contrast for some of the pairs."""
        margins = None if self.margins is None else self.margins[pairs]
        return Contrast(self.grid, self.a[pairs], self.b[pairs], margins)

    def subtract(self, sums: FloatArray) -> FloatArray:
        """Return what the columns of each pair differ by, of shape (pairs, …)."""
        differences: FloatArray = sums[self.b] - sums[self.a]
        return differences

    def observe(self) -> FloatArray:
        """Return the sum of the differences of each pair, without the margin, as a column."""
        return self.subtract(self.grid.whole.sum(axis=1))[:, None]

    def add_margins(self, sums: FloatArray, times: FloatArray | float) -> FloatArray:
        """Return sums with the margin added as many times."""
        return sums if self.margins is None else sums + self.margins[:, None] * times

    def is_extreme(self, sums: FloatArray, observed: FloatArray) -> BoolArray:
        """Whether sums under the null hypothesis are at least as extreme as the observed ones."""
        tolerance = self.grid.tolerance
        if self.margins is None:
            return np.abs(sums) >= np.abs(observed) - tolerance
        return sums >= observed - tolerance


def contrast_runs(
    values: FloatArray, pairs: Sequence[tuple[int, int]], margin: float | None
) -> Contrast:
    """Return the contrast of the same pairs of runs in each metric, metric by metric.

    Args:
        values: Of shape (metrics, runs, queries).
        pairs: Numbers of runs.
        margin: By how much b may be worse than a; None: whether they differ.
    """
    grid = build_grid(values)
    starts = np.arange(values.shape[0])[:, None] * values.shape[1]
    a, b = np.array(pairs, np.int64).reshape(-1, 2).T
    first, second = (starts + a).ravel(), (starts + b).ravel()
    return Contrast(grid, first, second, _place_margins(grid, first, margin))


def _place_margins(grid: Grid, columns: IntArray, margin: float | None) -> FloatArray | None:
    if margin is None:
        return None
    shifts = np.array(grid.shifts, np.int32)
    return np.rint(np.ldexp(margin, -shifts[columns]))


def randomise(contrast: Contrast, permutations: int, seed: int) -> tuple[list[float], list[bool]]:
    """Return the p-value of each pair by randomisation, and whether it is exact."""
    p_values: dict[int, float] = {}
    for pair in range(len(contrast.a)):
        moved = contrast.list_moved(pair)
        if len(moved) <= EXACT_UP_TO:
            p_values[pair] = _enumerate_signs(contrast, moved)
    exact = [pair in p_values for pair in range(len(contrast.a))]
    others = [pair for pair, known in enumerate(exact) if not known]
    drawn = _draw_permutations(contrast.select(others), permutations, seed) if others else []
    p_values.update(zip(others, drawn, strict=True))
    return [p_values[pair] for pair in range(len(exact))], exact


def _enumerate_signs(contrast: Contrast, differences: FloatArray) -> float:
    """Return the share of all combinations of signs whose sum is as extreme as the observed."""
    sums = np.zeros(1)
    for difference in differences:
        sums = np.concatenate([sums + difference, sums - difference])
    return float(contrast.is_extreme(sums, sums[:1]).mean())


def _draw_permutations(contrast: Contrast, permutations: int, seed: int) -> list[float]:
    observed = contrast.add_margins(contrast.observe(), contrast.queries)

    blocks = draw_signs(contrast.queries, permutations, seed, contrast.rows)
    signed = (
        2 * contrast.add_margins(kept, signs.sum(axis=1)) - observed
        for signs, kept in contrast.sum_blocks(blocks)
    )
    return _find_p_values(contrast, signed, observed, permutations)


def bootstrap(contrast: Contrast, resamples: int, seed: int) -> tuple[list[float], list[bool]]:
    """Return the p-value of each pair by the bootstrap; none is exact."""
    pairs = len(contrast.a)
    if contrast.queries < FEWEST:
        return [1.0] * pairs, [False] * pairs
    mean = contrast.observe()
    blocks = draw_counts(contrast.queries, resamples, seed, contrast.rows)
    centred = (sums - mean for _, sums in contrast.sum_blocks(blocks))  # a margin cancels out
    observed = contrast.add_margins(mean, contrast.queries)
    return _find_p_values(contrast, centred, observed, resamples), [False] * pairs


def _find_p_values(
    contrast: Contrast, blocks: Iterable[FloatArray], observed: FloatArray, drawn: int
) -> list[float]:
    """Return (b + 1) / (m + 1): b of m sums are as extreme as the observed one."""
    counts = np.zeros(len(contrast.a), np.int64)
    for sums in blocks:
        counts += contrast.is_extreme(sums, observed).sum(axis=1)
    return [(count + 1) / (drawn + 1) for count in counts.tolist()]


Method = Callable[[Contrast, int, int], tuple[list[float], list[bool]]]
