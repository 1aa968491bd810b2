"""Results as pairs of an id and a score."""

from math import inf
from typing import Any

from groupwise.schemas.ids import as_plain
from groupwise.schemas.values import is_number


def as_double(score: Any) -> float:
    """Return a score as a float; one that is too large, which is refused later, as infinite."""
    try:
        return float(score)
    except OverflowError:
        return inf if score > 0 else -inf


def split_pairs(results: Any) -> tuple[list[Any], list[Any]] | None:
    """Return ids and scores of results that are pairs of them; None if they are something else.

    Every result is a pair, and any score has a fraction: ``["a", 0.9]``, but not ``["a", 3]``
    alone, which may be an id in two parts.

    >>> split_pairs([("a", 0.9), ("b", 0)]), split_pairs([("a", 3)]), split_pairs(["a"])
    ((['a', 'b'], [0.9, 0]), None, None)
    """
    if not are_pairs(results):
        return None
    ids, scores = map(list, zip(*results, strict=True))
    return (ids, scores) if any(isinstance(as_plain(score), float) for score in scores) else None


def are_pairs(results: Any) -> bool:
    """Whether this is a list of pairs of anything and a number."""
    if not isinstance(results, list) or not results or not isinstance(results[0], list | tuple):
        return False
    return all(
        isinstance(result, list | tuple) and len(result) == 2 and is_number(result[1])
        for result in results
    )
