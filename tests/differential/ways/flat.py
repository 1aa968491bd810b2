"""Ground truth without groups, and the policy that says what it means."""

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from groupwise import Report, evaluate
from tests.differential import writing
from tests.differential.data import Case, Query
from tests.differential.ways.fitting import has_repeats, has_run
from tests.differential.ways.objects import results_by_id


def from_flat(case: Case, _: Path) -> Report:
    """A list of ids, or grades by id."""
    flat: Literal["any", "all"] = "any" if is_one_group(case) else "all"
    truth = {query.id: flat_truth(query) for query in case.queries}
    return evaluate(truth, results_by_id(case), flat=flat, **writing.options_of(case))


def flat_truth(query: Query) -> Any:
    pairs = [pair for group in query.groups for pair in group.alternatives]
    if not query.not_relevant and all(grade == 1 for _, grade in pairs):
        return [one for one, _ in pairs]
    return {**dict(pairs), **dict.fromkeys(query.not_relevant, 0)}


def is_one_group(case: Case) -> bool:
    return all(len(query.groups) < 2 for query in case.queries)


def is_flat(case: Case) -> bool:
    """One group of each query, or one document of each group; each listed once, none with 0."""
    groups = [group for query in case.queries for group in query.groups]
    single = all(len(group.alternatives) == 1 for group in groups)
    return (
        (single or is_one_group(case))
        and has_run(case)
        and all(group.weight == 1 and group.label is None for group in groups)
        and all(grade for group in groups for _, grade in group.alternatives)
        and not any(has_repeats(replace(query, results=())) for query in case.queries)
        and all(is_mapping_or_list(query) for query in case.queries)
    )


def is_mapping_or_list(query: Query) -> bool:
    """Grades by id, where any is given, have ids of text; an unanswerable query has none."""
    truth = flat_truth(query)
    listed = [one for group in query.groups for one, _ in group.alternatives]
    plain = isinstance(truth, list) or all(isinstance(one, str) for one in truth)
    return plain and len({*map(str, listed)}) == len(listed) and bool(query.groups or not truth)
