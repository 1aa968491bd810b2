"""Four runs of TREC Robust 2003, compared: p-values beside those of scipy."""

from typing import Any

import pytest

from groupwise import compare, evaluate
from groupwise.evaluator.statistics.corrections import correct
from tests.paths import FIXTURES

FOLDER = FIXTURES / "conformance" / "robust03"
QRELS = FOLDER / "robust03_qrels.txt.gz"
RUNS = {path.name.split(".")[1]: path for path in sorted(FOLDER.glob("input.*.gz"))}
METRICS = ["map", "precision@10"]


@pytest.fixture(scope="module")
def values() -> dict[str, dict[str, list[float]]]:
    """The value of each query, by metric and run, from single evaluations."""
    found: dict[str, dict[str, list[float]]] = {metric: {} for metric in METRICS}
    for name, path in RUNS.items():
        per_query = evaluate(QRELS, path, metrics=METRICS, profile="trec").per_query
        for metric in METRICS:
            column = [value for _, value in per_query.column(metric)]
            found[metric][name] = [value for value in column if value is not None]
    return found


@pytest.mark.parametrize(
    ("test", "correction"), [("t", "holm"), ("wilcoxon", "bh"), ("sign", "bonferroni")]
)
def test_p_values_are_those_of_scipy(
    test: str, correction: str, values: dict[str, dict[str, list[float]]]
) -> None:
    stats = pytest.importorskip("scipy.stats", reason="needs scipy")

    def test_with_scipy(a: list[float], b: list[float]) -> Any:
        if test == "t":
            return stats.ttest_rel(b, a).pvalue
        if test == "wilcoxon":
            return stats.wilcoxon(b, a).pvalue
        wins = sum(y > x for x, y in zip(a, b, strict=True))
        losses = sum(y < x for x, y in zip(a, b, strict=True))
        return stats.binomtest(wins, wins + losses).pvalue

    found = compare(QRELS, RUNS, metrics=METRICS, profile="trec", test=test, correction=correction)
    assert found.counts.compared == 100
    for metric in METRICS:
        pairs = [pair for pair in found.pairs if pair.metric == metric]
        assert len(pairs) == 6
        expected = [test_with_scipy(values[metric][p.a], values[metric][p.b]) for p in pairs]
        assert [pair.p for pair in pairs] == pytest.approx(expected, abs=1e-9)
        corrected = correct(expected, correction)
        assert [pair.p_corrected for pair in pairs] == pytest.approx(corrected, abs=1e-9)
