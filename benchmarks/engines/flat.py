"""What the peers without groups ask for: grades by query and id, scores by query and id."""

from typing import NamedTuple

from benchmarks.workloads import DEEPEST, Results, Truths


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


def flatten_cut(truths: Truths, results: Results) -> Flat:
    """Build them from as many results as the deepest cutoff needs."""
    return flatten(truths, {query: ranking[:DEEPEST] for query, ranking in results.items()})


def _falling(results: Results) -> list[float]:
    longest = max(map(len, results.values()), default=0)
    return [float(longest - rank) for rank in range(longest)]
