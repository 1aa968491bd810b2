"""One comparison in a process of its own: `python -m benchmarks.comparison.once WAY SIZE…`.

It prints processor time and wall time of the work, and the peak memory of the process. The data,
imports and a first small comparison (ranx compiles its code then) come before the clock starts.
"""

import importlib
import json
import resource
import sys
from collections.abc import Callable
from itertools import combinations
from typing import Any

from benchmarks.clock import megabytes, time_work
from benchmarks.comparison.data import NAMES, Size, make_runs, make_truths

Work = Callable[[], object]
TINY = Size(2, 3, 1, 5)


def compare_ours(size: Size, test: str, **options: Any) -> Work:
    """From Python objects to a comparison with intervals."""
    compare = importlib.import_module("groupwise").compare
    truths = make_truths(size)
    groups = {query: [[document] for document in found] for query, found in truths.items()}
    runs = make_runs(size, truths)
    return lambda: compare(
        groups, runs, metrics=list(NAMES[: size.metrics]), profile="trec", test=test,
        permutations=size.permutations, **options,
    )  # fmt: skip


def compare_ranx(size: Size, test: str) -> Work:
    """From its own objects, which are built before, to its report."""
    ranx = importlib.import_module("ranx")
    truths = make_truths(size)
    qrels = ranx.Qrels({query: dict.fromkeys(found, 1) for query, found in truths.items()})
    runs = [
        ranx.Run({query: _score(found) for query, found in run.items()}, name=name)
        for name, run in make_runs(size, truths).items()
    ]
    return lambda: ranx.compare(
        qrels, runs, metrics=list(NAMES[: size.metrics]), stat_test=test,
        n_permutations=size.permutations,
    )  # fmt: skip


def _score(results: list[str]) -> dict[str, float]:
    return {document: 1.0 / rank for rank, document in enumerate(results, 1)}


def draw_values(size: Size) -> Any:
    """Return values of shape (metrics, runs, queries)."""
    np = importlib.import_module("numpy")
    shape = size.metrics, size.runs, size.queries
    return np.random.default_rng(0).random(shape) ** 2


def test_ours(size: Size, test: str) -> Work:
    """The test alone, of values that are given."""
    paired = importlib.import_module("groupwise.evaluator.statistics.paired")
    values, pairs = draw_values(size), [*combinations(range(size.runs), 2)]
    return lambda: paired.test_pairs_of_metrics(
        values, pairs, test=test, permutations=size.permutations
    )


def test_ranx(size: Size, test: str) -> Work:
    """The test alone, of values that are given."""
    tests = importlib.import_module("ranx.statistical_tests")
    names = [f"run-{run}" for run in range(size.runs)]
    values = draw_values(size)
    scores = {
        name: {f"metric {metric}": values[metric, run] for metric in range(size.metrics)}
        for run, name in enumerate(names)
    }
    return lambda: tests.compute_statistical_significance(names, scores, test, size.permutations)


def test_tukey(size: Size) -> Work:
    """Randomised Tukey of values that are given."""
    tukey = importlib.import_module("groupwise.evaluator.statistics.tukey")
    values = draw_values(size)
    return lambda: tukey.randomised_tukey_of_metrics(values, permutations=size.permutations)


def estimate(size: Size) -> Work:
    """The intervals of all runs and all pairs."""
    intervals = importlib.import_module("groupwise.evaluator.statistics.intervals")
    values, pairs = draw_values(size), [*combinations(range(size.runs), 2)]
    return lambda: intervals.estimate_all(values, pairs)


WAYS: dict[str, Callable[[Size], Work]] = {
    "compare": lambda size: compare_ours(size, "randomisation"),
    "compare-t": lambda size: compare_ours(size, "t"),
    "compare-tukey": lambda size: compare_ours(size, "randomisation", correction="tukey"),
    "compare-ranx-fisher": lambda size: compare_ranx(size, "fisher"),
    "compare-ranx-student": lambda size: compare_ranx(size, "student"),
    "compare-ranx-tukey": lambda size: compare_ranx(size, "tukey"),
    "test-randomisation": lambda size: test_ours(size, "randomisation"),
    "test-t": lambda size: test_ours(size, "t"),
    "test-tukey": test_tukey,
    "test-ranx-fisher": lambda size: test_ranx(size, "fisher"),
    "test-ranx-student": lambda size: test_ranx(size, "student"),
    "test-ranx-tukey": lambda size: test_ranx(size, "tukey"),
    "intervals": estimate,
}


def main() -> None:
    """Measure and print."""
    way, size = WAYS[sys.argv[1]], Size(*map(int, sys.argv[2:]))
    way(TINY)()
    span, _ = time_work(way(size))
    peak = megabytes(resource.getrusage(resource.RUSAGE_SELF))
    print(json.dumps([span.cpu, span.wall, peak]))


if __name__ == "__main__":
    main()
