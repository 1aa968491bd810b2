"""A case as groupwise takes it: plain records, in any of the ways that a group can be written."""

from random import Random
from typing import Any

from tests.differential.data import Case, Group, Query


def truth_record(query: Query, random: Random) -> dict[str, Any]:
    record: dict[str, Any] = {"id": query.id, "ground_truth": groups_of(query, random)}
    if query.not_relevant:
        record["not_relevant"] = list(query.not_relevant)
    return record


def groups_of(query: Query, random: Random) -> list[Any]:
    return [group_of(group, random) for group in query.groups]


def group_of(group: Group, random: Random) -> Any:
    """In short where that says everything, now and then in full nevertheless."""
    ids = [one for one, _ in group.alternatives]
    plain = group.weight == 1 and group.label is None and random.random() < 0.8
    if plain and all(grade == 1 for _, grade in group.alternatives):
        return ids
    if plain and all(isinstance(one, str) for one in ids) and len({*ids}) == len(ids):
        return dict(group.alternatives)
    return full_group(group)


def full_group(group: Group) -> dict[str, Any]:
    alternatives = [
        one if grade == 1 else {"id": one, "grade": grade} for one, grade in group.alternatives
    ]
    record = {"alternatives": alternatives, "weight": group.weight, "label": group.label}
    return {name: value for name, value in record.items() if value is not None}


def run_record(query: Query) -> dict[str, Any]:
    return {"id": query.id, **results_of(query)}


def results_of(query: Query) -> dict[str, Any]:
    """Ids with scores beside them, or results in full where they have tokens."""
    results = query.results or ()
    if any(one.tokens is not None for one in results):
        rows = [one._asdict() for one in results]
        return {"results": [{k: v for k, v in row.items() if v is not None} for row in rows]}
    record: dict[str, Any] = {"results": [one.id for one in results]}
    if any(one.score is not None for one in results):
        record["scores"] = [one.score for one in results]
    return record


def truth_records(case: Case) -> list[dict[str, Any]]:
    random = Random(case.seed)  # noqa: S311
    return [truth_record(query, random) for query in case.queries]


def run_records(case: Case) -> list[dict[str, Any]]:
    given = [query for query in case.queries if query.results is not None]
    return [run_record(query) for query in (*given, *case.extra)]


def options_of(case: Case) -> dict[str, Any]:
    """The keyword arguments of the evaluation."""
    vectors = {"vectors": dict(case.vectors)} if case.vectors is not None else {}
    return {"metrics": [metric.text for metric in case.metrics], **case.policies, **vectors}
