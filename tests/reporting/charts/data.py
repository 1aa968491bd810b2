"""A ground truth and runs whose charts can be worked out by hand, and SVG read back."""

import re
from collections.abc import Callable
from typing import Any
from xml.etree.ElementTree import Element, fromstring

from groupwise import Comparison, Report, compare, evaluate

SVG = "{http://www.w3.org/2000/svg}"
COUNT = 12
"""Queries; of query i the groups are i % 3 + 1, and group g is first met at rank (i + 4 g) % 15."""


def ground_truth() -> list[dict[str, Any]]:
    return [
        {
            "id": f"q{i:02}",
            "ground_truth": [
                {"alternatives": [f"d{i}-{g}", f"e{i}-{g}"], "label": f"hop-{g}"}
                for g in range(i % 3 + 1)
            ],
            "metadata": {"type": ["bridge", "comparison"][i % 2]},
        }
        for i in range(COUNT)
    ]


def rank_of(i: int, g: int, shift: int = 0) -> int | None:
    """Where run ``shift`` first meets a group; None: nowhere."""
    return (i + 4 * g + shift) % 15 or None


def run(shift: int = 0) -> dict[str, list[str]]:
    results = {}
    for i in range(COUNT):
        ranking = [f"x{i}-{rank}" for rank in range(1, 21)]
        for g in range(i % 3 + 1):
            rank = rank_of(i, g, shift)
            if rank:
                ranking[rank - 1] = f"d{i}-{g}"
        results[f"q{i:02}"] = ranking
    return results


def met(i: int, k: int, shift: int = 0) -> int:
    """How many groups of a query the first k results of a run meet."""
    ranks = [rank_of(i, g, shift) for g in range(i % 3 + 1)]
    return sum(rank is not None and rank <= k for rank in ranks)


def recall(i: int, k: int, shift: int = 0) -> float:
    return met(i, k, shift) / (i % 3 + 1)


def report(**options: Any) -> Report:
    return evaluate(
        ground_truth(), run(), profile="coverage", by="type",
        metrics=["recall@5", "ndcg", "first_hit"], **options,
    )  # fmt: skip


def comparison(**options: Any) -> Comparison:
    runs = {"bm25": run(), "dense": run(3), "fusion": run(7)}
    return compare(
        ground_truth(), runs, profile="coverage", metrics=["recall@5", "ndcg"],
        permutations=100, **options,
    )  # fmt: skip


SUBJECTS: dict[str, Callable[..., Any]] = {"report": report, "comparison": comparison}


def parse(svg: str) -> Element:
    return fromstring(svg)  # noqa: S314  (our own)


def names(svg: str) -> list[str]:
    """What a pointer sees: the names of marks, and the full texts of labels."""
    return [element.text or "" for element in parse(svg).iterfind(f".//{SVG}*/{SVG}title")]


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in parse(svg).iter(f"{SVG}text")]


def numbers(names: list[str], pattern: str) -> list[Any]:
    """The groups of the names that fit a pattern."""
    found = (re.fullmatch(pattern, name) for name in names)
    return [match.groups() for match in found if match]
