"""Evaluate a part of the queries anywhere, and merge the parts: for Dask, Ray and the like."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict, Unpack

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.evaluation.evaluate import OnePass
from groupwise.evaluator.evaluation.part import EvaluationPart, merge_all
from groupwise.evaluator.evaluation.sources import join_sources
from groupwise.evaluator.inspection.settling import settle
from groupwise.evaluator.intake.objects import is_positional
from groupwise.schemas import Query, Report, RunQuery

POSITIONAL = "parts are joined by query id: expected records with an id, or a mapping by id"
NO_PARTS = "no parts to merge"


class PartOptions(TypedDict, total=False):
    """What ``evaluate_part`` takes besides the data, as ``evaluate`` does."""

    metrics: str | Iterable[str] | None
    profile: str | None
    k: int | Sequence[int] | None
    missing: Literal["zero", "skip", "error"] | None
    extra: Literal["ignore", "error"] | None
    empty_results: Literal["zero", "skip"] | None
    unanswerable: Literal["skip", "zero", "error"] | None
    flat: Literal["any", "all"] | None
    ids: Literal["text"] | None
    ties: Literal["score", "input", "report"] | None
    characters_per_token: float | None
    matching: str | Mapping[str, Any] | None
    vectors: Any
    curve: int | None
    by: str | Iterable[str] | None
    confidence: float | None
    ceilings: bool
    bands: bool
    per_query: bool
    provenance: bool


def evaluate_part(
    ground_truth: Any, results: Any, **options: Unpack[PartOptions]
) -> EvaluationPart:
    """Evaluate some of the queries, to be merged with the others by ``merge_parts``.

    Args:
        ground_truth: The ground truth of these queries, in any form that ``evaluate`` takes, except
            lists without ids.
        results: Their results. All records of a query must be in the same part.
        **options: Metrics, profile and policies, as for ``evaluate``; the same for all parts.

    Returns:
        What was found, to be sent to where parts are merged: it can be pickled.

    Raises:
        InputError: The input cannot be read. What is wrong with its queries is raised when parts
            are merged, so that all problems are listed.
        UnknownMetric: There is no such metric; the nearest name is suggested.
        OptionError: There is no such profile, or an argument has a value that it cannot have.

    Example:
        >>> from groupwise import evaluate_part, merge_parts
        >>> first = evaluate_part({"q1": [["a"]]}, {"q1": ["a"]}, metrics="recall")
        >>> second = evaluate_part({"q2": [["b"]]}, {"q2": ["x"]}, metrics="recall")
        >>> merge_parts([first, second]).scores
        {'recall': 0.5}
    """
    return PartEvaluator(ground_truth, **options).evaluate_part(results)


def merge_parts(parts: Iterable[EvaluationPart]) -> Report:
    """Return the report on the queries of all parts, with the bytes of ``evaluate`` in one piece.

    Args:
        parts: What ``evaluate_part`` returned, in any order. They can be merged again.

    Raises:
        InputError: The input is invalid; all problems are listed. Or there are no parts.
        ValueError: Parts were evaluated with different options.
    """
    found = [*parts]
    if not found:
        raise InputError([Problem(NO_PARTS)])
    return merge_all(found[0].start_again(), found).report()


class PartEvaluator(OnePass):
    """Fills a part of an evaluation."""

    def evaluate_part(self, run: Any) -> EvaluationPart:
        """Return what is found for the queries of the ground truth and of a run."""
        given = settle(run, None, "run")
        both = self._truth.value, given.value
        lists = [each for each in both if isinstance(each, list | tuple)]
        truths, results = self._open_truth(self._plan), self._open_run(given, self._plan)
        if any(each and is_positional(each) for each in lists) or results.positional:
            raise InputError([Problem(POSITIONAL)])
        part = EvaluationPart(self._plan.start(), fingerprints=self._plan.fingerprints)
        for intake in join_sources(part.partial, truths, results):
            part.note_reading(intake)
        part.add_prints(truths, Query)
        part.add_prints(results, RunQuery)
        return part
