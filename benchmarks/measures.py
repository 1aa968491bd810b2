"""The numbers that are asked for: metrics at cutoffs."""

from typing import NamedTuple

METRICS = ("precision", "recall", "f1", "mrr", "map", "ndcg")
CUTOFFS = (1, 3, 5, 10, 100)
DEEPEST = max(CUTOFFS)
NAMES = [f"{metric}@{k}" for metric in METRICS for k in CUTOFFS]


class Measures(NamedTuple):
    """Every one of some metrics at every one of some cutoffs."""

    metrics: tuple[str, ...] = METRICS
    cutoffs: tuple[int, ...] = CUTOFFS

    @property
    def names(self) -> list[str]:
        """The names of the numbers, such as `recall@5`."""
        return [f"{metric}@{k}" for metric in self.metrics for k in self.cutoffs]

    @property
    def deepest(self) -> int:
        """The largest cutoff."""
        return max(self.cutoffs)


STANDARD_MEASURES = Measures()
TO_THE_END = Measures(cutoffs=(1, 3, 5, 10, 1_000))
"""So deep that no engine may leave out the end of a ranking."""
SERIES = {
    1: Measures(("ndcg",), (10,)),
    2: Measures(("recall", "ndcg"), (10,)),
    6: Measures(cutoffs=(10,)),
    12: Measures(cutoffs=(5, 10)),
    30: STANDARD_MEASURES,
    60: Measures(cutoffs=(1, 2, 3, 5, 10, 20, 30, 50, 70, 100)),
}
"""By their number: what a growing number of numbers is measured with."""
