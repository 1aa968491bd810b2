"""Ids that a ground truth lists more than once, and results that repeat them.

Such hits multiply: a thousand results with one id, which a thousand groups list, are a million.
"""

from itertools import chain

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.matching.truths import grades_of, groups_of
from groupwise.evaluator.reading.limits import HITS
from groupwise.evaluator.text import plural
from groupwise.schemas import Id, Truth


def number_shared(first: int, truth: Truth) -> dict[Id, list[int]]:
    """Return the numbers of the alternatives with each id, from ``first`` on.

    Of those that a group repeats, one with the best grade: no other counts.
    """
    grades, numbers = [*grades_of(truth)], dict[Id, list[int]]()
    start = 0
    for group in groups_of(truth):
        best: dict[Id, int] = {}
        for place, document in enumerate(group, start):
            kept = best.setdefault(document, place)
            if grades[place] > grades[kept]:
                best[document] = place
        for document, place in best.items():
            numbers.setdefault(document, []).append(first + place)
        start += len(group)
    return numbers


def check_count(query: str, hits: int, usual: int) -> None:
    """Check the number of hits of a query, beside ``usual``: a hit per result and alternative.

    Raises:
        InputError: There are too many.
    """
    most = usual + HITS.default
    if hits > most:
        raise InputError([Problem(_describe(hits, most), query=query, alike="too many hits")])


def pair_hits(ranks: list[int], found: list[list[int]]) -> tuple[list[int], list[int]]:
    """Return the rank of each hit, and the number of its alternative; a rank has several."""
    pairs = zip(ranks, found, strict=True)
    return [rank for rank, numbers in pairs for _ in numbers], [*chain.from_iterable(found)]


def _describe(hits: int, most: int) -> str:
    return (
        f"{plural(hits, 'hit')}, because results repeat ids that many groups share; expected at "
        f"most {most:,}: remove repeated results, or look at fewer with a cutoff, such as recall@10"
    )
