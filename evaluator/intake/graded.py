"""Grades and scores by document id, as in ranx and pytrec_eval, in bulk.

Plain ones are put into the form that is checked at C speed; the schemas accept all others, and
give them the same meaning.
"""

from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple

from groupwise.schemas import Id, RichTruth, Truth
from groupwise.schemas.pairs import as_double, split_pairs

NUMBERS = {int, float}
HIGHEST = 1000
EXACT = 2**53
"""Up to here no two whole numbers are equal as doubles."""
Groups = list[list[Id]]


def expand_by_id(
    values: list[Any], main: str, names: Mapping[str, str], flat: str | None
) -> list[Any]:
    """Return the values as records, if they are numbers by id or graded groups; else unchanged."""
    if main == "ground_truth" and values and _has_graded_groups(values[0]):
        return [{"ground_truth": value} for value in values] if _are_lists(values) else values
    if main == "results" and values and _may_be_pairs(values[0]):
        return _split_all_pairs(values)
    if not values or type(values[0]) is not dict or not _are_numbers_by_id(values, names):
        return values
    if main == "results":
        return [_rank(value) for value in values]
    return values if flat is None else [_separate_judgements(value) for value in values]


def _may_be_pairs(results: Any) -> bool:
    return type(results) is list and bool(results) and type(results[0]) in (tuple, list)


def _split_all_pairs(values: list[Any]) -> list[Any]:
    """Return pairs of id and score as records; unchanged if any results are something else."""
    split = [split_pairs(results) for results in values]
    return (
        [{"results": found[0], "scores": found[1]} for found in split if found is not None]
        if None not in split
        else values
    )


def _has_graded_groups(truth: Any) -> bool:
    return type(truth) is list and dict in {*map(type, truth)}


def _are_lists(values: list[Any]) -> bool:
    return {*map(type, values)} == {list}


def _are_numbers_by_id(values: list[Any], names: Mapping[str, str]) -> bool:
    return all(
        type(value) is dict
        and NUMBERS.issuperset(map(type, value.values()))
        and {str}.issuperset(map(type, value))
        and names.keys().isdisjoint(value)
        for value in values
    )


def _rank(scores: dict[str, float]) -> dict[str, Any]:
    """Return results by score, then id, both descending."""
    pairs = sorted(zip(scores.values(), scores, strict=True), reverse=True)
    if pairs and (pairs[0][0] > EXACT or pairs[-1][0] < -EXACT):
        pairs.sort(key=lambda pair: (as_double(pair[0]), pair[1]), reverse=True)
    return {"results": [result for _, result in pairs], "scores": [score for score, _ in pairs]}


def _separate_judgements(grades: dict[str, float]) -> dict[str, Any]:
    """Return the relevant documents and the others; those below 0 are not judged."""
    relevant = {document: grade for document, grade in grades.items() if not grade <= 0}
    others = [document for document, grade in grades.items() if grade == 0]
    return {"ground_truth": relevant, "not_relevant": others}


class SplitGrades(NamedTuple):
    """Records with plain groups of ids, the ground truths with their grades, and as written.

    ``groups`` has lists of ids and mappings of ids to grades.
    """

    values: list[Any]
    truths: list[Truth]
    groups: list[list[Any]]


def split_grades(values: list[Any], flat: str | None) -> SplitGrades | None:
    """Split the grades, flat or in each group, from records; None where a closer look is needed."""
    if not values or type(values[0]) is not dict or not _has_grades(values[0]):
        return None
    if flat is not None and (flat_grades := _list_flat_grades(values)):
        return _split_flat_grades(values, flat_grades, flat)
    found = SplitGrades([], [], [])
    for value in values:
        split = _split_record(value, flat)
        if split is None:
            return None
        found.values.append(split.record)
        found.truths.append(split.truth)
        found.groups.append(split.groups)
    return found


def _list_flat_grades(values: list[Any]) -> list[dict[str, float]] | None:
    """Return the grades by id of all records, if all have them and nothing else is possible."""
    if {*map(type, values)} != {dict}:
        return None
    truths = [record.get("ground_truth") for record in values]
    if {*map(type, truths)} != {dict} or not all(truths):
        return None
    names = {*chain.from_iterable(truths)}
    grades = [*chain.from_iterable(truth.values() for truth in truths)]
    are_plain = {*map(type, grades)} <= NUMBERS and {*map(type, names)} == {str}
    is_plain = are_plain and "alternatives" not in names
    return truths if is_plain and all(0 < grade <= HIGHEST for grade in grades) else None


def _split_flat_grades(values: list[Any], truths: list[dict[str, float]], flat: str) -> SplitGrades:
    groups: list[list[Any]]
    if flat == "all":
        groups = [[{name: grade} for name, grade in truth.items()] for truth in truths]
        ids: list[Groups] = [[[name] for name in truth] for truth in truths]
    else:
        groups = [[truth] for truth in truths]
        ids = [[[*truth]] for truth in truths]
    grades = ([*map(float, truth.values())] for truth in truths)
    return SplitGrades(
        [{**record, "ground_truth": each} for record, each in zip(values, ids, strict=True)],
        [*map(build_truth, ids, grades)],
        groups,
    )


def _has_grades(record: dict[str, Any]) -> bool:
    truth = record.get("ground_truth")
    return type(truth) is dict or _has_graded_groups(truth)


class SplitRecord(NamedTuple):
    """A record with plain groups, its ground truth, and its groups as written."""

    record: dict[str, Any]
    truth: Truth
    groups: list[Any]


def _split_record(record: Any, flat: str | None) -> SplitRecord | None:
    truth = record.get("ground_truth") if type(record) is dict else None
    groups = _group(truth, flat) if type(truth) is dict else truth
    if type(groups) is not list:
        return None
    ids: Groups = []
    grades: list[float] = []
    for group in groups:
        if type(group) is dict and are_grades(group):
            grades += map(float, group.values())
        elif type(group) is list:
            grades += [1.0] * len(group)
        else:
            return None
        ids.append([*group])
    return SplitRecord({**record, "ground_truth": ids}, build_truth(ids, grades), groups)


def _group(grades: dict[str, Any], flat: str | None) -> list[dict[str, Any]] | None:
    """Return grades without groups as groups; None if ``flat`` does not say how."""
    if flat == "all":
        return [{document: grade} for document, grade in grades.items()]
    return ([grades] if grades else []) if flat == "any" or not grades else None


def are_grades(group: dict[Any, Any]) -> bool:
    """Whether this is a group of alternatives with grades above 0."""
    grades = group.values()
    return (
        bool(group)
        and "alternatives" not in group
        and {*map(type, grades)} <= NUMBERS
        and {*map(type, group)} == {str}
        and all(0 < grade <= HIGHEST for grade in grades)
    )


def build_truth(ids: Groups, grades: list[float]) -> Truth:
    """Return groups with the grades of their alternatives, unless all are 1."""
    if {*grades} <= {1.0}:
        return ids
    return RichTruth(ids, [1.0] * len(ids), grades, [None] * len(ids))
