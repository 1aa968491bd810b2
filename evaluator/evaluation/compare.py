"""Which run is better: several runs on one ground truth, with intervals and tests."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.evaluation.arguments import checks_arguments
from groupwise.evaluator.evaluation.changed_groups import ChangedGroups
from groupwise.evaluator.evaluation.comparison import Part, compare_orders, compare_values
from groupwise.evaluator.evaluation.comparison_settings import (
    CHANGES,
    PERMUTATIONS,
    Settings,
    check_measures,
    check_runs,
    check_ties,
)
from groupwise.evaluator.evaluation.evaluator import Evaluator
from groupwise.evaluator.evaluation.partial import Progress
from groupwise.evaluator.evaluation.plan import list_cutoffs
from groupwise.evaluator.evaluation.run_values import Corpora, RunValues, score_runs
from groupwise.evaluator.metrics.names import measures
from groupwise.schemas.comparison import ComparedSlice, Comparison, RunCounts, TestSettings


@checks_arguments
def compare(  # noqa: PLR0913  (the contract's policies, all by keyword)
    ground_truth: Any,
    runs: Mapping[str, Any],
    *,
    metrics: str | Iterable[str] | None = None,
    profile: str | None = None,
    k: int | Sequence[int] | None = None,
    baseline: str | None = None,
    test: str = "randomisation",
    correction: str = "holm",
    margin: float | None = None,
    confidence: float = 0.95,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
    by: str | Iterable[str] | None = None,
    explain: int = CHANGES,
    missing: Literal["zero", "skip", "error"] | None = None,
    extra: Literal["ignore", "error"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["skip", "zero", "error"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    corpus: Any = None,
    vectors: Any = None,
    progress: Progress | None = None,
    provenance: bool = False,
    allow_other_data: bool = False,
) -> Comparison:
    """Compare runs on one ground truth, which is read and indexed once.

    A metric is compared on the queries that every run is scored on; the others are left out of all
    runs, and counted. All other arguments are those of ``evaluate``.

    Args:
        ground_truth: What ``evaluate`` takes.
        runs: Two runs or more by name; each is what ``evaluate`` takes as results, or a saved
            baseline. They are read one after the other.
        metrics: Names such as ``"ndcg@10"``; None: the profile's six. Ranks have no mean, and are
            refused.
        profile: Whose definitions the names have; None: ``"autorag"``.
        k: Cutoffs for the metrics that name none.
        baseline: The run that the others are compared with; None: all pairs of runs.
        test: The paired test: ``"randomisation"``, ``"bootstrap"``, ``"t"``, ``"wilcoxon"`` or
            ``"sign"``.
        correction: Of the p-values of a metric: ``"holm"``, ``"bh"``, ``"bonferroni"``,
            ``"tukey"`` (randomised Tukey HSD, for all pairs) or ``"none"``.
        margin: Also test whether a run is worse by less than this (non-inferiority).
        confidence: Of the intervals; 1 - confidence is the level of the tests.
        permutations: How many the test draws, if there are too many to try all.
        seed: Of permutations and resamples: the same seed gives the same numbers.
        by: Fields of the queries to slice by: keys of ``metadata``, ``groups`` or ``label``.
        explain: How many of the largest gains, and of the largest losses, are listed for each
            pair, with the groups that the two runs meet differently; 0: none.
        missing: A query without results: ``"zero"`` (default), ``"skip"`` or ``"error"``.
        extra: A query without ground truth: ``"ignore"`` (default) or ``"error"``.
        empty_results: An empty result: ``"zero"`` (default) or ``"skip"``.
        unanswerable: A query without groups: ``"skip"`` (default), ``"zero"`` or ``"error"``.
        flat: A flat list of ids: ``"any"`` makes it one group, ``"all"`` one group per id.
        ids: ``"text"`` compares all ids as strings.
        ties: How the trec profile orders results with scores: ``"score"`` (default) or ``"input"``.
        characters_per_token: The length of a token, for budgets.
        matching: When a result meets a group.
        corpus: The chunks in which ids are looked up, for matchers and metrics of texts or spans;
            or, by the names of runs, those of each run, whose corpora may be chunked differently.
        vectors: A vector per document, for diversity.
        progress: Called from time to time with the number of queries done, of each run.
        provenance: Whether to compute the fingerprints of the inputs.
        allow_other_data: Accept a baseline of other data; queries that it lacks
            are left out of all runs.

    Returns:
        The comparison: ``runs``, ``pairs``, ``metrics``, ``slices``, ``test``, ``counts``.

    Raises:
        InputError: The input is invalid; all problems are listed, with their locations.
        UnknownMetric: There is no such metric; the nearest name is suggested.
        OptionError: A test, a correction or another argument has a value that it cannot have.

    Example:
        >>> truth = {"q1": [["a"]], "q2": [["b"]], "q3": [["c"]]}
        >>> one = {"q1": ["a"], "q2": ["x"], "q3": ["x"]}
        >>> other = {"q1": ["a"], "q2": ["b"], "q3": ["c"]}
        >>> found = compare(truth, {"one": one, "other": other}, metrics="recall")
        >>> found.pairs[0].wins, found.pairs[0].ties, found.pairs[0].p
        (2, 1, 0.5)
    """
    settings = Settings(
        baseline, test, correction, margin, confidence, permutations, seed, explain
    ).check()
    check_ties(ties)
    named = check_runs(runs, baseline)
    metrics = metrics if metrics is None or isinstance(metrics, str) else tuple(metrics)
    check_measures(measures(metrics, profile or "autorag", list_cutoffs(k)))
    chunks = Corpora.split(corpus, named)
    evaluator = Evaluator(
        ground_truth, metrics=metrics, profile=profile, k=k, missing=missing, extra=extra,
        empty_results=empty_results, unanswerable=unanswerable, flat=flat, ids=ids, ties=ties,
        characters_per_token=characters_per_token, matching=matching, corpus=chunks.common,
        vectors=vectors, by=by, progress=progress,
        provenance=provenance,
    )  # fmt: skip
    if settings.explain:
        evaluator.keep_ranks()
    values = score_runs(evaluator, named, chunks.by_run, allow_other_data=allow_other_data)
    found = _build(values, settings, evaluator.slice_queries())
    return _explain(found, ChangedGroups(evaluator, values)) if settings.explain else found


def _explain(comparison: Comparison, groups: ChangedGroups) -> Comparison:
    """Return the comparison with the groups of the queries that gain and lose the most."""
    slices = {
        field: {
            name: part.model_copy(update={"pairs": groups.add_to(part.pairs)})
            for name, part in parts.items()
        }
        for field, parts in comparison.slices.items()
    }
    pairs = groups.add_to(comparison.pairs)
    return comparison.model_copy(update={"pairs": pairs, "slices": slices})


def _build(
    values: RunValues, settings: Settings, slices: Mapping[str, Mapping[str, Sequence[str]]]
) -> Comparison:
    """Return the comparison of runs whose values are known."""
    whole = compare_values(values, settings, values.counts[0].unanswerable)
    if not whole.counts.compared:
        raise InputError([Problem(_describe_nothing(values))])
    return Comparison.model_construct(
        schema_="groupwise.comparison/1",
        profile=values.profile,
        baseline=settings.baseline,
        counts=whole.counts,
        run_counts=_count_runs(values),
        test=_describe_test(whole, settings),
        runs=whole.runs,
        pairs=whole.pairs,
        metrics=whole.metrics,
        agreement=compare_orders(whole),
        slices=_compare_slices(values, settings, slices),
        provenance=values.provenance,
        warnings=tuple(_list_warnings(values)),
    ).remember(values)


def _describe_nothing(values: RunValues) -> str:
    if any(counts.scored for counts in values.counts):
        return "no query is scored in every run"
    return "no query could be scored"


def _count_runs(values: RunValues) -> dict[str, RunCounts]:
    return {
        name: RunCounts(
            missing=counts.missing, empty_results=counts.empty_results, extra=counts.extra
        )
        for name, counts in zip(values.runs, values.counts, strict=True)
    }


def _describe_test(part: Part, settings: Settings) -> TestSettings:
    return TestSettings(
        name=settings.test,
        permutations=part.permutations,
        exact=part.exact,
        seed=settings.seed,
        correction=settings.correction,
        family=settings.family,
        confidence=settings.confidence,
        margin=settings.margin,
        details=part.details,
    )


def _compare_slices(
    values: RunValues, settings: Settings, slices: Mapping[str, Mapping[str, Sequence[str]]]
) -> dict[str, dict[str, ComparedSlice]]:
    row_of = {query_id: row for row, query_id in enumerate(values.queries)}
    return {
        field: {
            name: _compare_slice(values.only([row_of[query] for query in queries]), settings)
            for name, queries in parts.items()
        }
        for field, parts in slices.items()
    }


def _compare_slice(values: RunValues, settings: Settings) -> ComparedSlice:
    part = compare_values(values, settings)
    return ComparedSlice.model_construct(
        counts=part.counts, runs=part.runs, pairs=part.pairs, metrics=part.metrics
    )


def _list_warnings(values: RunValues) -> list[str]:
    """Return the warnings of all runs, with the name of the run; one that all have, once."""
    first, *others = values.warnings
    common = [text for text in first if all(text in other for other in others)]
    return common + [
        f"{name}: {text}"
        for name, warnings in zip(values.runs, values.warnings, strict=True)
        for text in warnings
        if text not in common
    ]
