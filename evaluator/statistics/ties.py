"""How much the order of equal scores can change a number."""

from collections.abc import Sequence

from groupwise.evaluator.hits import FloatArray, Hits
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.metrics.names import Measure
from groupwise.evaluator.metrics.scoring import scored
from groupwise.evaluator.statistics.means import ExactMeans
from groupwise.schemas import Bounds, Ties


class TieBounds:
    """The lowest and highest means over all orders of what is tied, and how many queries differ."""

    def __init__(self, chosen: Sequence[Measure]) -> None:
        self.chosen = chosen
        self._worst = ExactMeans(len(chosen))
        self._best = ExactMeans(len(chosen))
        self._queries = 0

    def add(self, block: FloatArray, tied: Sequence[Hits]) -> None:
        """Add a block of shape (measures, queries), and the same queries in other orders."""
        blocks = [block, *(self._block(block, hits) for hits in tied)]
        worst, best = np.fmin.reduce(blocks), np.fmax.reduce(blocks)
        self._worst.add(worst)
        self._best.add(best)
        self._queries += int((worst < best).any(axis=0).sum())

    def _block(self, block: FloatArray, hits: Hits) -> FloatArray:
        """The values in another order; a measure that does not heed scores keeps its own."""
        rows = [number for number, one in enumerate(self.chosen) if one.order == "score"]
        block = block.copy()
        block[rows] = scored([self.chosen[row] for row in rows], {"score": hits})
        return block

    def summary(self) -> Ties:
        """The bounds of each score."""
        means = zip(self.chosen, self._worst.means(), self._best.means(), strict=True)
        return Ties(
            queries=self._queries,
            bounds={
                one.label: Bounds(worst=worst, best=best)
                for one, worst, best in means
                if one.is_asked_score and one.ties_are_bounded
            },
        )
