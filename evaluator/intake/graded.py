"""Grades and scores by document id, as ranx and pytrec_eval have them, in bulk.

What is plain is put into the shape that is checked at C speed; the schemas take all else, and
mean the same by it.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from groupwise.schemas import Id, RichTruth, Truth

NUMBERS = {int, float}
HIGHEST = 1000
Groups = list[list[Id]]


def unfolded(values: list[Any], main: str, names: Mapping[str, str], flat: str | None) -> list[Any]:
    """The values as records, where all are numbers by id; else as they are."""
    if not values or type(values[0]) is not dict or not _are_plain(values, names):
        return values
    if main == "results":
        return [_ranked(value) for value in values]
    return values if flat is None else [_judged(value) for value in values]


def _are_plain(values: list[Any], names: Mapping[str, str]) -> bool:
    return all(
        type(value) is dict
        and NUMBERS.issuperset(map(type, value.values()))
        and {str}.issuperset(map(type, value))
        and names.keys().isdisjoint(value)
        for value in values
    )


def _ranked(scores: dict[str, float]) -> dict[str, Any]:
    """By score, then id, both descending."""
    pairs = sorted(zip(scores.values(), scores, strict=True), reverse=True)
    return {"results": [one for _, one in pairs], "scores": [score for score, _ in pairs]}


def _judged(grades: dict[str, float]) -> dict[str, Any]:
    """The grades of what is relevant, and what is judged not to be; below 0 is not judged."""
    relevant = {one: grade for one, grade in grades.items() if not grade <= 0}
    others = [one for one, grade in grades.items() if grade == 0]
    return {"ground_truth": relevant, "not_relevant": others}


class Graded(NamedTuple):
    """Records whose ground truths are put into plain groups, and the truths with their grades."""

    values: list[Any]
    truths: list[Truth]


def graded(values: list[Any], flat: str | None) -> Graded | None:
    """Records with grades by id, flat or in each group; None where they need a closer look."""
    if not values or type(values[0]) is not dict or not _holds_grades(values[0]):
        return None
    found = Graded([], [])
    for value in values:
        one = _graded_one(value, flat)
        if one is None:
            return None
        found.values.append(one[0])
        found.truths.append(one[1])
    return found


def _holds_grades(record: dict[str, Any]) -> bool:
    truth = record.get("ground_truth")
    return type(truth) is dict or (type(truth) is list and dict in {*map(type, truth)})


def _graded_one(record: Any, flat: str | None) -> tuple[dict[str, Any], Truth] | None:
    """The record with plain groups, and its truth."""
    truth = record.get("ground_truth") if type(record) is dict else None
    groups = _grouped(truth, flat) if type(truth) is dict else truth
    if type(groups) is not list:
        return None
    ids: Groups = []
    grades: list[float] = []
    for group in groups:
        if type(group) is dict and _are_grades(group):
            grades += map(float, group.values())
        elif type(group) is list:
            grades += [1.0] * len(group)
        else:
            return None
        ids.append([*group])
    return {**record, "ground_truth": ids}, _truth(ids, grades)


def _grouped(grades: dict[str, Any], flat: str | None) -> list[dict[str, Any]] | None:
    """Grades without groups as groups, if it is said how."""
    if flat == "all":
        return [{one: grade} for one, grade in grades.items()]
    return ([grades] if grades else []) if flat == "any" or not grades else None


def _are_grades(group: dict[Any, Any]) -> bool:
    """Whether these are grades of alternatives that meet a group."""
    grades = group.values()
    return (
        bool(group)
        and "alternatives" not in group
        and {*map(type, grades)} <= NUMBERS
        and {*map(type, group)} == {str}
        and all(0 < grade <= HIGHEST for grade in grades)
    )


def _truth(ids: Groups, grades: list[float]) -> Truth:
    if {*grades} <= {1.0}:
        return ids
    return RichTruth(ids, [1.0] * len(ids), grades, [None] * len(ids))
