"""Grades and scores by document id, as ranx and pytrec_eval have them, in bulk.

What is plain is put into the shape that is checked at C speed; the schemas take all else, and
mean the same by it.
"""

from collections.abc import Mapping
from typing import Any

NUMBERS = {int, float}
PLAIN_GRADES = {0, 1}


def unfolded(values: list[Any], main: str, names: Mapping[str, str], flat: str | None) -> list[Any]:
    """The values as records with lists, where all are numbers by id; else as they are."""
    if not values or type(values[0]) is not dict or not _are_plain(values, names):
        return values
    if main == "results":
        return [_ranked(value) for value in values]
    if flat is None or not all(PLAIN_GRADES.issuperset(value.values()) for value in values):
        return values
    return [_judged(value, flat) for value in values]


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


def _judged(grades: dict[str, int], flat: str) -> dict[str, Any]:
    relevant = [one for one, grade in grades.items() if grade]
    groups = [[one] for one in relevant] if flat == "all" else [relevant] if relevant else []
    others = [one for one, grade in grades.items() if not grade]
    return {"ground_truth": groups, "not_relevant": others}
