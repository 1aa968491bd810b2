"""What the peers without groups ask for: grades by query and id, scores by query and id."""

from collections.abc import Callable
from typing import NamedTuple

from benchmarks.measures import Measures
from benchmarks.workloads import Results, Truths


class Flat(NamedTuple):
    """Ground truth without its groups, and rankings as descending scores."""

    qrels: dict[str, dict[str, int]]
    run: dict[str, dict[str, float]]


def flatten(truths: Truths, results: Results) -> Flat:
    """Build both in the fastest way plain Python has."""
    falling = _falling(results)
    return Flat(
        {query: {doc: 1 for group in groups for doc in group} for query, groups in truths.items()},
        {query: dict(zip(ranking, falling, strict=False)) for query, ranking in results.items()},
    )


def cut_flattener(measures: Measures) -> Callable[[Truths, Results], Flat]:
    """Return what builds them from as many results as the deepest cutoff needs."""
    deepest = measures.deepest

    def build(truths: Truths, results: Results) -> Flat:
        return flatten(truths, {query: ranking[:deepest] for query, ranking in results.items()})

    return build


def _falling(results: Results) -> list[float]:
    longest = max(map(len, results.values()), default=0)
    return [float(longest - rank) for rank in range(longest)]
