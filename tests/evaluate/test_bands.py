"""Bands: the words of published sources, and nothing else."""

import pytest

from groupwise import evaluate
from groupwise.evaluator.metrics.registry import Metric, every_metric

MRR = [(1.0, "excellent"), (0.9, "excellent"), (0.89, "good"), (0.75, "good"), (0.5, "acceptable"),
       (0.49, "poor"), (0.0, "poor")]  # fmt: skip
"""As the source of MRR has them: 0.9+, 0.75+, 0.5+, below."""
GOOD = [(1.0, "perfect"), (0.8, "good"), (0.5, "moderate"), (0.49, "")]
"""As AutoRAG-Research names them: 1.0, 0.8, 0.5."""


@pytest.mark.parametrize(("score", "word"), MRR)
def test_mrr(score: float, word: str) -> None:
    bands = every_metric_by_name()["trec:mrr"].bands
    assert bands is not None
    assert bands.find_word(score) == word


@pytest.mark.parametrize("name", ["trec:ndcg", "trec:map", "trec:f1", "coverage:ndcg"])
@pytest.mark.parametrize(("score", "word"), GOOD)
def test_autorag_research(name: str, score: float, word: str) -> None:
    bands = every_metric_by_name()[name].bands
    assert bands is not None
    assert bands.find_word(score, 10) == word


def every_metric_by_name() -> dict[str, Metric]:
    return {f"{profile}:{metric.name}": metric for profile, metric in every_metric()}


def test_every_band_has_a_source_and_falls() -> None:
    found = [metric.bands for _, metric in every_metric() if metric.bands]
    assert found
    for bands in found:
        assert bands.source.title
        assert bands.source.address.startswith("https://")
        begins = [begin for begin, _ in bands.words]
        assert begins == sorted(begins, reverse=True)
        assert all(word for _, word in bands.words)


def test_definitions_whose_perfect_ranking_is_below_1_have_none() -> None:
    own = {metric.name: metric.bands for profile, metric in every_metric() if profile == "autorag"}
    assert own["mrr"] is own["map"] is own["ndcg"] is None


def test_a_report_has_words_for_the_scores_that_a_source_names() -> None:
    names = ["mrr", "recall@10", "recall@5", "precision", "first_hit"]
    report = evaluate({"q": [["a"]]}, {"q": ["x", "a"]}, profile="trec", metrics=names, bands=True)
    assert {name: band.word for name, band in report.bands.items()} == {
        "mrr": "acceptable", "recall@10": "excellent",
    }  # fmt: skip
    assert report.to_dict()["bands"]["mrr"]["source"].startswith("Retrieval Evaluation Metrics")
    assert "bands" not in evaluate({"q": [["a"]]}, {"q": ["a"]}, profile="trec").to_dict()


def test_without_any_word_the_report_says_so() -> None:
    report = evaluate({"q": [["a"]]}, {"q": ["a"]}, metrics="precision", bands=True)
    assert report.warnings == (
        "no bands: no published source has words for these scores of these metrics",
    )
