"""How much the order of equal scores can change a mean."""

from collections.abc import Sequence

from groupwise.evaluator.hits import FloatArray, Hits
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.metrics.names import Measure
from groupwise.evaluator.metrics.scoring import compute_scores
from groupwise.evaluator.statistics.means import ExactMeans
from groupwise.schemas import Bounds, Ties


class TieBounds:
    """The lowest and highest means over all orders of tied results, and how many queries differ."""

    def __init__(self, measures: Sequence[Measure]) -> None:
        self.measures = measures
        self.worst = ExactMeans(len(measures))
        self.best = ExactMeans(len(measures))
        self.queries = 0

    def add(self, block: FloatArray, tied: Sequence[Hits]) -> None:
        """Add a block of shape (measures, queries), and the same queries in other orders."""
        blocks = [block, *(self._score_again(block, hits) for hits in tied)]
        worst, best = np.fmin.reduce(blocks), np.fmax.reduce(blocks)
        self.worst.add(worst)
        self.best.add(best)
        self.queries += int((worst < best).any(axis=0).sum())

    def _score_again(self, block: FloatArray, hits: Hits) -> FloatArray:
        """Return the block for another order; a measure that ignores scores keeps its values."""
        rows = [row for row, measure in enumerate(self.measures) if measure.order == "score"]
        block = block.copy()
        block[rows] = compute_scores([self.measures[row] for row in rows], {"score": hits})
        return block

    def merge(self, other: "TieBounds") -> None:
        """Add the bounds of other queries and the same measures."""
        self.worst.merge(other.worst)
        self.best.merge(other.best)
        self.queries += other.queries

    def summary(self) -> Ties:
        """Return the bounds of each score, by label."""
        means = zip(self.measures, self.worst.means(), self.best.means(), strict=True)
        return Ties(
            queries=self.queries,
            bounds={
                measure.label: Bounds(worst=worst, best=best)
                for measure, worst, best in means
                if measure.is_asked_score and measure.ties_are_bounded
            },
        )
