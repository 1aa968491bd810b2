"""Ground truth and results as Python objects."""

from pathlib import Path
from random import Random
from typing import Any

import groupwise.metrics
from groupwise import (
    Alternative,
    Dataset,
    Evaluator,
    GroundTruth,
    Report,
    Run,
    evaluate,
)
from groupwise import Group as GroupModel
from groupwise import Query as QueryModel
from tests.differential import data, writing
from tests.differential.data import Case, Query


def from_records(case: Case, _: Path) -> Report:
    records = writing.truth_records(case), writing.run_records(case)
    return evaluate(*records, **writing.options_of(case))


def from_mappings(case: Case, _: Path) -> Report:
    return evaluate(truth_by_id(case), results_by_id(case), **writing.options_of(case))


def truth_by_id(case: Case) -> dict[Any, Any]:
    random = Random(case.seed)  # noqa: S311
    return {query.id: writing.groups_of(query, random) for query in case.queries}


def results_by_id(case: Case) -> dict[Any, Any]:
    """A list of results, or a mapping with scores."""
    rows = {record.pop("id"): record for record in writing.run_records(case)}
    return {one: row if "scores" in row else row["results"] for one, row in rows.items()}


def from_models(case: Case, _: Path) -> Report:
    truth = Dataset.model_validate(writing.truth_records(case), context=_context(case))
    run = Run.model_validate(writing.run_records(case), context=_context(case))
    return evaluate(truth, run, **writing.options_of(case))


def _context(case: Case) -> dict[str, Any]:
    return {"ids": case.policies.get("ids")}


def from_objects(case: Case, _: Path) -> Report:
    truth = Dataset(queries=tuple(map(_query_model, case.queries)))
    return evaluate(truth, writing.run_records(case), **writing.options_of(case))


def _query_model(query: Query) -> QueryModel:
    groups = tuple(map(_group_model, query.groups))
    truth = GroundTruth(groups=groups)
    return QueryModel(id=str(query.id), ground_truth=truth, not_relevant=query.not_relevant)


def _group_model(group: data.Group) -> GroupModel:
    alternatives = tuple(Alternative(id=one, grade=grade) for one, grade in group.alternatives)
    return GroupModel(alternatives=alternatives, weight=group.weight, label=group.label)


def from_evaluator(case: Case, _: Path) -> Report:
    evaluator = Evaluator(writing.truth_records(case), **writing.options_of(case))
    return evaluator.evaluate(writing.run_records(case))


def from_scores_by_id(case: Case, _: Path) -> Report:
    run = {
        query.id: {one.id: one.score for one in query.results}
        for query in (*case.queries, *case.extra)
        if query.results is not None
    }
    return evaluate(writing.truth_records(case), run, **writing.options_of(case))


def from_functions(case: Case, _: Path) -> dict[str, Any]:
    """The values of each query, by the plain functions."""
    truth = writing.truth_records(case)
    rows = zip(case.queries, truth, writing.run_records(case), strict=True)
    return {
        "per_query": {
            str(query.id): {
                metric.text: call_function(case, metric, *_without_id(judged, found))
                for metric in case.metrics
            }
            for query, judged, found in rows
        }
    }


def _without_id(*records: dict[str, Any]) -> list[dict[str, Any]]:
    return [{name: record[name] for name in record if name != "id"} for record in records]


def call_function(case: Case, metric: data.Metric, truth: Any, results: Any) -> float | None:
    policies = {name: case.policies.get(name) for name in ("ids", "empty_results")}
    ties = None if case.ties == "report" else case.ties
    k = str(metric.cutoff)[1:] if metric.cutoff.tokens else metric.cutoff.k
    options = {**policies, "ties": ties, "vectors": case.vectors, **metric.parameters}
    function = getattr(groupwise.metrics, metric.name)
    found: float | None = function(
        truth, results, k=k, profile=metric.profile, label=metric.label, **options
    )
    return found
