"""Single queries: the hit vector, and every metric as a plain function."""

from collections.abc import Callable
from functools import lru_cache
from math import isnan
from typing import Any, TypeAlias

from groupwise.evaluator.errors import InputError, Problems
from groupwise.evaluator.evaluation.partial import Partial, Setup
from groupwise.evaluator.evaluation.plan import check_policies, choose_policies
from groupwise.evaluator.evaluation.signatures import build_signature
from groupwise.evaluator.hits import Budget, Hits
from groupwise.evaluator.intake.check import Intake
from groupwise.evaluator.intake.kinds import Kinds
from groupwise.evaluator.intake.objects import Objects
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.intake.vectors import load_vectors
from groupwise.evaluator.matching import EXACT, Matching
from groupwise.evaluator.matching.exact import find_hit_ranks, limit_depth, match_plain
from groupwise.evaluator.matching.truths import groups_of
from groupwise.evaluator.metrics.names import Measure, build_measure, parse
from groupwise.evaluator.metrics.registry import LABEL, home_profiles, registry_version
from groupwise.evaluator.metrics.scoring import compute_scores
from groupwise.evaluator.native import match
from groupwise.schemas import Id, PlainTruth, Policies, Query, RunQuery

MetricFunction: TypeAlias = Callable[..., float | None]


def match_query(
    ground_truth: Any,
    results: Any,
    *,
    flat: str | None = None,
    ids: str | None = None,
    matching: Any = None,
) -> Hits:
    """Return the hits of one query, as a batch of one.

    Raises:
        InputError: Ground truth or results are invalid; all problems are listed.
    """
    chosen = EXACT if matching is None else Matching.parse(matching)
    matcher = chosen.open()
    policies = check_policies(Policies(), (("flat", flat), ("ids", ids)))
    row = read_row(ground_truth, results, policies, references=chosen.needs_references)
    if found := chosen.find_problems(row):
        raise InputError(found)
    matcher.add(row)
    return matcher.batch()


def read_row(
    ground_truth: Any, results: Any, policies: Policies | None = None, *, references: bool = True
) -> Rows:
    """Return one query as rows; with ``references``, also its texts and spans.

    Raises:
        InputError: Ground truth or results are invalid; all problems are listed.
    """
    policies = policies or Policies()
    problems, kinds = Problems(), Kinds()
    truths, rankings = (
        list(Intake(records, model, policies, problems, kinds, references=references).rows())
        for records, model in (
            (Objects("ground_truth", [ground_truth], ["query"]), Query),
            (Objects("results", [results], ["query"]), RunQuery),
        )
    )
    problems.raise_if_any()
    return truths[0].with_results(rankings[0])


def hit_vector(
    ground_truth: Any,
    results: Any,
    *,
    flat: str | None = None,
    ids: str | None = None,
    matching: Any = None,
) -> list[int]:
    """Return 1 for each result that meets any group, 0 for the others.

    Args:
        ground_truth: A list of groups, as ``evaluate`` takes it for a query.
        results: The results, best first.
        flat: For a flat list of ids: ``"any"`` makes it one group, ``"all"`` one group per id.
        ids: ``"text"`` compares all ids as strings.
        matching: The name of a matcher, or a mapping with its options; None: ``"exact"``.

    Raises:
        InputError: Ground truth or results are invalid; all problems are listed.

    Example:
        >>> hit_vector([["test-1", "test-2"], ["test-3"]], ["test-1", "pred-1", "test-2", "pred-3"])
        [1, 0, 1, 0]
    """
    if flat is ids is matching is None and is_plain(ground_truth, results):
        return draw_vector(ground_truth, results)
    if matching is None:
        policies = check_policies(Policies(), (("flat", flat), ("ids", ids)))
        row = read_row(ground_truth, results, policies, references=False)
        return draw_vector(groups_of(row.truths[0]), row.results[0])
    return match_query(ground_truth, results, flat=flat, ids=ids, matching=matching).vector()


def metric_names() -> list[str]:
    """Return the names of all metrics of all profiles, sorted."""
    return list(home_profiles())


def metric_function(name: str) -> MetricFunction:
    """Return a metric as a function of ground truth and results; None where it has no value.

    The value is the one that ``evaluate`` has for this query alone. Without ``profile``, the first
    profile that has the metric defines it.
    """
    return _metric_function(name, registry_version())


@lru_cache(maxsize=256)
def _metric_function(name: str, _version: int) -> MetricFunction:
    def function(  # noqa: PLR0913  (the policies of evaluate, all by keyword)
        ground_truth: Any,
        results: Any,
        *,
        k: int | str | None = None,
        profile: str | None = None,
        flat: str | None = None,
        ids: str | None = None,
        ties: str | None = None,
        empty_results: str | None = None,
        unanswerable: str | None = None,
        characters_per_token: float | None = None,
        matching: Any = None,
        vectors: Any = None,
        label: str | None = None,
        **parameters: Any,
    ) -> float | None:
        given = {
            "flat": flat, "ids": ids, "ties": ties, "empty_results": empty_results,
            "unanswerable": unanswerable, "characters_per_token": characters_per_token,
        }  # fmt: skip
        if label is not None:
            parameters[LABEL.name] = label
        meaning = home_profiles()[name] if profile is None else profile
        measure = build_measure(name, meaning, k, parameters)
        policies = {n: v for n, v in given.items() if v is not None}
        asks_more = policies or matching is not None or vectors is not None
        if not asks_more:
            value = score_plain(measure, ground_truth, results)
            if value is not None:
                return _drop_nan(value)
        partial = _start(measure, policies, matching, vectors)
        return _score_query(partial, ground_truth, results)

    function.__name__ = function.__qualname__ = name
    function.__signature__ = build_signature(name)  # type: ignore[attr-defined]
    function.__doc__ = _describe_metric(name)
    return function


def _start(measure: Measure, policies: dict[str, Any], matching: Any, vectors: Any) -> Partial:
    """Return a partial for a single measure."""
    chosen = choose_policies(policies, (measure,))
    setup = Setup((measure,), measure.profile, chosen, matching=Matching.parse(matching))
    return Partial(setup, None if vectors is None else load_vectors(vectors))


def _score_query(partial: Partial, ground_truth: Any, results: Any) -> float | None:
    """Return the value that the one measure of a partial has for a query."""
    setup = partial.setup
    references = setup.needs_references
    partial.add(read_row(ground_truth, results, setup.policies, references=references))
    return _drop_nan(float(partial.values()[0, 0]))


def _drop_nan(value: float) -> float | None:
    return None if isnan(value) else value


def _describe_metric(name: str) -> str:
    metric = parse(f"{home_profiles()[name]}:{name}").metric
    return f"{metric.description}\n\nFormula: {metric.formula}\nReference: {metric.reference}"


def is_plain(ground_truth: Any, results: Any) -> bool:
    """Whether these are groups of text ids and text ids, neither empty."""
    matched = match([ground_truth], [results])
    return not matched.odd and matched.kind is str and bool(ground_truth and results)


def draw_vector(ground_truth: PlainTruth, results: list[Id]) -> list[int]:
    """Return 1 for each result that meets any group, 0 for the others."""
    vector = [0] * len(results)
    for rank in find_hit_ranks(ground_truth, results):
        vector[rank - 1] = 1
    return vector


def score_plain(measure: Measure, ground_truth: Any, results: Any) -> float | None:
    """Return the value of a measure, NaN where it has none.

    None: the query is not plain, or the measure looks at more than ids.
    """
    if measure.metric.needs or isinstance(measure.k, Budget):
        return None
    depth = measure.k if isinstance(measure.k, int) else None
    rows = Rows(["query"], [ground_truth], [results])
    matched = rows.matched = match(rows.truths, rows.results, limit_depth(depth))
    if matched.odd or matched.kind is not str or not (ground_truth and results):
        return None
    hits = match_plain(rows, depth)
    return float(compute_scores(measure.alone, {"given": hits, "score": hits})[0, 0])
