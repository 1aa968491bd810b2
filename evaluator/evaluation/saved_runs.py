"""A saved baseline in place of a run: the values of its queries, checked against the data."""

import os
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.evaluation.baseline import (
    is_baseline,
    list_differences,
    read_baseline,
    read_held_baseline,
)
from groupwise.evaluator.evaluation.evaluator import Evaluator
from groupwise.evaluator.reading.file import path_of
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.text import suggest
from groupwise.schemas import Baseline, Counts, PerQuery, Report, Scores

OTHER_DATA = "the baseline is of other data"
ALL_THE_SAME = "save it again, or say allow_other_data=True"


def open_saved(run: Any) -> Baseline | None:
    """Return the baseline that stands for a run; None if the run is results.

    Raises:
        InputError: The file says that it is a baseline, and is none.
    """
    run = path_of(run)
    if isinstance(run, Baseline):
        return run
    if not isinstance(run, str | os.PathLike | Source) or not is_baseline(run):
        return None
    return read_held_baseline(run) if isinstance(run, Source) else read_baseline(run)


def check_saved(
    saved: Baseline, evaluator: Evaluator, name: str, *, allow_other_data: bool
) -> tuple[str, ...]:
    """Return what a reader should know about a baseline in place of a run.

    Raises:
        InputError: It lacks a metric, or it is of other data and this is not allowed.
    """
    source = saved.name or f"run {name!r}"
    _check_metrics(saved, evaluator, source)
    found = list_differences(saved, _describe(evaluator))
    if found and not allow_other_data:
        message = f"{OTHER_DATA}: {'; '.join(found)}; {ALL_THE_SAME}"
        raise InputError([Problem(message, source)])
    return tuple(f"{OTHER_DATA}: {difference}" for difference in found)


def _check_metrics(saved: Baseline, evaluator: Evaluator, source: str) -> None:
    _, columns = saved.per_query.columns()
    lacking = [label for label in evaluator.list_scores() if label not in columns]
    if lacking:
        hint = suggest(lacking[0], columns)
        raise InputError([Problem(f"the baseline has no {lacking[0]}; {hint}", source)])


def _describe(evaluator: Evaluator) -> Report:
    """Return a report without scores: what the data is, with its fingerprint."""
    return Report.model_construct(
        profile=evaluator.profile,
        counts=Counts(),
        scores=Scores(),
        per_query=PerQuery([], {}),
        provenance=evaluator.describe(fingerprints=True),
    )
