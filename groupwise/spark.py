"""Evaluate Spark DataFrames where they are: the report of ``groupwise.evaluate``, to the last byte.

    from groupwise.spark import evaluate
    report, per_query = evaluate(ground_truth_df, run_df, metrics=["ndcg@10"], profile="trec")

It needs PySpark 4 or later (extra ``spark``), and groupwise where the executors run Python.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from groupwise.evaluator.errors import OptionError, Problem
from groupwise.evaluator.evaluation.arguments import checks_arguments

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from groupwise.schemas import Baseline, Report

__all__ = ["evaluate"]

NO_QUERIES = "save_baseline: a baseline has the scores of each query; add per_query=True"


@checks_arguments
def evaluate(  # noqa: PLR0913  (the policies of groupwise.evaluate, all by keyword)
    ground_truth_df: "DataFrame",
    run_df: "DataFrame",
    *,
    metrics: str | Iterable[str] | None = None,
    profile: str | None = None,
    k: int | Sequence[int] | None = None,
    missing: Literal["zero", "skip", "error"] | None = None,
    extra: Literal["ignore", "error"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["skip", "zero", "error"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    gates: Any = (),
    baseline: "str | os.PathLike[str] | Baseline | None" = None,
    allow_other_data: bool = False,
    save_baseline: str | os.PathLike[str] | None = None,
    vectors: Any = None,
    curve: int | None = None,
    by: str | Iterable[str] | None = None,
    confidence: float | None = None,
    ceilings: bool = False,
    bands: bool = False,
    explain: int | None = None,
    per_query: bool = False,
    provenance: bool = False,
    plugins: Sequence[str] = (),
) -> "tuple[Report, DataFrame]":
    """Evaluate a DataFrame of results against one of grouped ground truth.

    Spark joins them by query id, the executors score their partitions, and the driver merges what
    they found. Nothing depends on how the rows are partitioned.

    Args:
        ground_truth_df: Columns ``id`` and ``ground_truth`` (an array of arrays of ids, or of
            structs with ``alternatives``, ``weight``, ``label``), and any others that a parquet
            file may have, such as ``metadata``; or judgements in long form. Columns that have other
            names are named by ``File(frame, map={"ground_truth": "gold"})``.
        run_df: Columns ``id``, ``results`` (an array of ids, or of structs) and, if there are any,
            ``scores``; or results in long form, a row per query and document with a ``rank`` or a
            ``score``. At equal scores the higher id comes first.
        metrics: As for ``groupwise.evaluate``, and so are all that follow, except those below.
        profile: Whose definitions the names have.
        k: Cutoffs for the metrics that name none.
        missing: Policy for a query without results.
        extra: Policy for a query without ground truth.
        empty_results: Policy for an empty result.
        unanswerable: Policy for a query without groups.
        flat: What a flat list of ids means.
        ids: ``"text"`` compares all ids as strings.
        ties: How the trec profile orders results with scores.
        characters_per_token: The length of a token, for budgets.
        matching: When a result meets a group.
        gates: Gates, or the name of a preset, or a file. The driver then keeps the values of all
            queries.
        baseline: The file of a baseline, on the driver, that gates refer to.
        allow_other_data: Accept a baseline of other data.
        save_baseline: The file to write the scores to, on the driver, unless a gate fails; it
            needs ``per_query=True``.
        vectors: A vector per document; every executor gets all of them.
        curve: Also report recall, precision and complete at every cutoff up to this one.
        by: Also report the scores of slices.
        confidence: Also report intervals. The driver then keeps the values of all queries.
        ceilings: Also report the ceiling of each score.
        bands: Also report what a published source calls each score.
        explain: Also explain so many queries, the worst; it needs ``per_query=True``.
        per_query: Whether the report itself has the scores of each query: the driver then keeps
            them. They are in the DataFrame anyway.
        provenance: Whether to compute the fingerprints of the inputs.
        plugins: Modules or files to load, here and in every executor: with matchers of your own,
            for instance. Metrics that are declared in your program need none.

    Returns:
        The report, and a DataFrame with a row per query of the ground truth: ``id``, and a column
        per metric, named like the metric (null where a query is not scored). Spark computes it when
        it is used, in another pass.

    Raises:
        InputError: A column is missing or has the wrong type (before Spark reads a row), or the
            data is invalid; all problems are listed, with their queries.
        UnknownMetric: There is no such metric; the nearest name is suggested.
        OptionError: There is no such profile, or an argument has a value that it cannot have.
        PluginError: A plugin cannot be loaded, or the executors lack groupwise.
    """
    if save_baseline is not None and not per_query:
        raise OptionError([Problem(NO_QUERIES)])
    from groupwise.evaluator.evaluation.engines.spark.evaluator import SparkEvaluator  # noqa: PLC0415

    evaluator = SparkEvaluator(
        ground_truth_df, metrics=metrics, profile=profile, k=k, missing=missing, extra=extra,
        empty_results=empty_results, unanswerable=unanswerable, flat=flat, ids=ids, ties=ties,
        characters_per_token=characters_per_token, matching=matching, gates=gates,
        baseline=baseline, allow_other_data=allow_other_data, vectors=vectors, curve=curve, by=by,
        confidence=confidence, ceilings=ceilings, bands=bands, explain=explain,
        per_query=per_query, provenance=provenance or save_baseline is not None,
        plugins=tuple(plugins),
    )  # fmt: skip
    report = evaluator.evaluate(run_df)
    if save_baseline is not None and report.passed:
        report.save_baseline(save_baseline)
    return report, evaluator.score_queries(run_df)
