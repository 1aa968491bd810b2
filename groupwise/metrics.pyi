"""Every metric as a plain function of one query's ground truth and results."""

# Written by docs/generate.py from the declarations of the metrics; run `make docs` to update it.

from collections.abc import Mapping
from typing import Any, Literal, SupportsIndex

__all__ = [
    "alpha_dcg",
    "alpha_ndcg",
    "bpref",
    "complete",
    "completion_rank",
    "err",
    "err_ia",
    "f1",
    "first_hit",
    "hit_rate",
    "ild",
    "judged",
    "map",
    "map_ia",
    "mrr",
    "ndcg",
    "nerr_ia",
    "nnrbp",
    "novelty_dcg",
    "novelty_ndcg",
    "nrbp",
    "p_ia",
    "precision",
    "r_precision",
    "rbp",
    "rbp_residual",
    "recall",
    "span_iou",
    "span_precision",
    "span_recall",
]

def alpha_dcg(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    alpha: float = 0.5,
) -> float | None:
    """Novelty-discounted cumulative gain over that of documents that meet every group."""

def alpha_ndcg(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    alpha: float = 0.5,
) -> float | None:
    """Novelty-discounted cumulative gain over that of the ideal ranking."""

def bpref(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["trec"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    rel: float = 0.0,
) -> float | None:
    """Binary preference: how rarely a result judged not relevant comes before a relevant one."""

def complete(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["autorag", "trec", "coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
) -> float | None:
    """1 if every group is met, else 0."""

def completion_rank(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["autorag", "trec", "coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
) -> float | None:
    """Rank at which the last group is met; none if a group is not met."""

def err(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["trec"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    highest: float = 4.0,
) -> float | None:
    """Expected reciprocal rank of the result that satisfies; ``highest`` is the top grade."""

def err_ia(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    alpha: float = 0.5,
) -> float | None:
    """Intent-aware expected reciprocal rank, over that of documents that meet every group."""

def f1(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["autorag", "trec", "coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    rel: float = 0.0,
) -> float | None:
    """Harmonic mean of precision and recall, 0 where both are 0."""

def first_hit(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["autorag", "trec", "coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
) -> float | None:
    """Rank of the first result that meets any group; none if there is none."""

def hit_rate(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["autorag", "trec", "coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    rel: float = 0.0,
) -> float | None:
    """1 if any result meets any group, else 0."""

def ild(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["autorag", "trec", "coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
) -> float | None:
    """Mean over pairs of results of 1 - cosine; none for fewer than two vectors."""

def judged(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["trec"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
) -> float | None:
    """Share of the results that are judged, relevant or not."""

def map(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["autorag", "trec", "coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    rel: float = 0.0,
) -> float | None:
    """Mean over the groups, by weight, of average precision."""

def map_ia(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
) -> float | None:
    """Mean over the groups of average precision, divided by all alternatives of a group."""

def mrr(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["autorag", "trec", "coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    rel: float = 0.0,
) -> float | None:
    """Mean over the groups, by weight, of 1 / the rank at which a group is first met."""

def ndcg(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["autorag", "trec", "coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    gain: Literal["linear", "exponential"] = "linear",
) -> float | None:
    """Discounted gain of all hits over that of the best grades listed, as many as results."""

def nerr_ia(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    alpha: float = 0.5,
) -> float | None:
    """Intent-aware expected reciprocal rank over that of the ideal ranking."""

def nnrbp(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    alpha: float = 0.5,
    beta: float = 0.5,
) -> float | None:
    """Novelty- and rank-biased precision over that of the ideal ranking."""

def novelty_dcg(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["autorag", "trec", "coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    alpha: float = 0.5,
) -> float | None:
    """Discounted gain, less for a result that is like one before it."""

def novelty_ndcg(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["autorag", "trec", "coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    alpha: float = 0.5,
) -> float | None:
    """Discounted gain, less for a result that is like one before it, over that of the ideal."""

def nrbp(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    alpha: float = 0.5,
    beta: float = 0.5,
) -> float | None:
    """Novelty- and rank-biased precision, over the first 20 results."""

def p_ia(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
) -> float | None:
    """Mean over the groups of precision, each group by itself."""

def precision(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["autorag", "trec", "coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    rel: float = 0.0,
) -> float | None:
    """Share of the results that meet any group; a repeated result counts once."""

def r_precision(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["trec"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    rel: float = 0.0,
) -> float | None:
    """Precision among as many results as there are relevant documents."""

def rbp(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["trec"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    p: float = 0.8,
    rel: float = 0.0,
) -> float | None:
    """Rank-biased precision: what a reader gains who goes on to the next result with chance p."""

def rbp_residual(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["trec"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    p: float = 0.8,
) -> float | None:
    """How much rbp could still grow if everything unjudged and unseen were relevant."""

def recall(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["autorag", "trec", "coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    rel: float = 0.0,
) -> float | None:
    """Share of the groups that are met, by weight."""

def span_iou(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["autorag", "trec", "coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    overlap: Literal["once", "count"] = "once",
) -> float | None:
    """Characters that are of an alternative and of a result, over those that are of either."""

def span_precision(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["autorag", "trec", "coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
    overlap: Literal["once", "count"] = "once",
) -> float | None:
    """Share of the characters of the results that are of an alternative."""

def span_recall(
    ground_truth: Any,
    results: Any,
    *,
    k: SupportsIndex | str | None = None,
    profile: Literal["autorag", "trec", "coverage"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["zero", "skip", "error"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    label: str | None = None,
) -> float | None:
    """Share of the characters of all alternatives that the results cover."""
