"""How much the order of equal scores can change a mean."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from groupwise.evaluator.hits import FloatArray, Hits
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.metrics.names import Measure
from groupwise.evaluator.metrics.scoring import compute_scores
from groupwise.evaluator.statistics.means import ExactMeans

if TYPE_CHECKING:
    from groupwise.schemas import Ties


class TieBounds:
    """The lowest and highest means over all orders of tied results, and how many queries differ."""

    def __init__(self, measures: Sequence[Measure]) -> None:
        self.measures = measures
        self.worst = ExactMeans(len(measures))
        self.best = ExactMeans(len(measures))
        self.queries = 0

    def add(self, block: FloatArray, tied: Hits | None, owners: Sequence[int]) -> None:
        """Add a block of shape (measures, queries), and some of its queries in other orders."""
        worst, best = block.copy(), block.copy()
        for row, values in () if tied is None else self._score_again(tied):
            np.fmin.at(worst[row], owners, values)
            np.fmax.at(best[row], owners, values)
        self.worst.add(worst)
        self.best.add(best)
        self.queries += int((worst < best).any(axis=0).sum())

    def _score_again(self, tied: Hits) -> Iterator[tuple[int, FloatArray]]:
        """Yield the values of each measure that depends on scores, with its row."""
        rows = [row for row, measure in enumerate(self.measures) if measure.order == "score"]
        values = compute_scores(tuple(self.measures[row] for row in rows), {"score": tied})
        return zip(rows, values, strict=True)

    def merge(self, other: "TieBounds") -> None:
        """Add the bounds of other queries and the same measures."""
        self.worst.merge(other.worst)
        self.best.merge(other.best)
        self.queries += other.queries

    def summary(self) -> "Ties":
        """Return the bounds of each score, by label."""
        means = zip(self.measures, self.worst.means(), self.best.means(), strict=True)
        from groupwise.schemas import Bounds, Ties  # noqa: PLC0415  (loads pydantic)

        return Ties(
            queries=self.queries,
            bounds={
                measure.label: Bounds(worst=worst, best=best)
                for measure, worst, best in means
                if measure.is_asked_score and measure.ties_are_bounded
            },
        )
