"""The tutorial functions, called for every metric, cutoff and query."""

from statistics import fmean

from benchmarks import tutorial
from benchmarks.engines.registry import Engine, Scores
from benchmarks.measures import Measures
from benchmarks.workloads import Results, Truths

Pairs = list[tuple[list[str], set[str]]]


def engine(measures: Measures) -> Engine:
    """Flatten the groups into one set per query, then loop."""

    def scores(pairs: Pairs) -> Scores:
        return {
            f"{name}@{k}": fmean([metric(retrieved, relevant, k) for retrieved, relevant in pairs])
            for name, metric in tutorial.METRICS.items()
            if name in measures.metrics
            for k in measures.cutoffs
        }

    return Engine(_build, scores)


def _build(truths: Truths, results: Results) -> Pairs:
    return [
        (results[query], {doc for group in groups for doc in group})
        for query, groups in truths.items()
    ]
