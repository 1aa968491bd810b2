"""Batches in which nothing is odd, by far the most: a few passes at C speed, and each only once.

What is not certain to be clean is left to the general way, which finds the records concerned.
"""

from dataclasses import dataclass
from itertools import chain
from typing import Any

from groupwise.evaluator.columns import Columns, are_plain_extras
from groupwise.evaluator.validation.hashes import Hashes, are_distinct, hashes_of
from groupwise.evaluator.validation.normal import are_lower, are_visible, ascii_signs
from groupwise.evaluator.validation.truth_rules import MANY_ALTERNATIVES, SPLIT_IDS
from groupwise.schemas import Query


@dataclass(frozen=True, slots=True)
class Swept:
    """Clean records: all that is counted of them."""

    groups: list[int]
    sizes: list[int]
    texts: list[str | None]
    queries: Hashes
    ids: Hashes
    hashed: bool


def sweep(columns: Columns, values: list[Any], keys: list[str] | None, k: int) -> Swept | None:
    """What is counted of these records, if none of them can break a rule by itself."""
    split = columns.split(values, keys) if columns.model is Query else None
    if split is None:
        return None
    names = split.pop("id", keys)
    truths = split["ground_truth"]
    groups = _groups(truths, k)
    ids = None if groups is None else _clean_ids(groups, max(map(len, truths)))
    if groups is None or ids is None or not _are_clean(names) or not are_plain_extras(split):
        return None
    hashed = "hashes" in split or "corpus" in split
    counts, sizes = list(map(len, truths)), list(map(len, groups))
    return Swept(counts, sizes, split.get("query", []), hashes_of(names or ()), ids, hashed)


def _groups(truths: list[Any], k: int) -> list[Any] | None:
    """All groups, if all ground truths are lists of groups that are neither too many nor empty."""
    if {*map(type, truths)} != {list} or not all(truths) or max(map(len, truths)) > k:
        return None
    groups = list(chain.from_iterable(truths))
    return groups if {*map(type, groups)} == {list} and all(groups) else None


def _clean_ids(groups: list[Any], most: int) -> Hashes | None:
    """The hashes of all ids, if they are distinct, plain, and not too many in a group."""
    flat = list(chain.from_iterable(groups))
    largest = max(map(len, groups))
    if largest > MANY_ALTERNATIVES or not _are_clean(flat, lower=True):
        return None
    if max(largest, most) >= SPLIT_IDS and min(map(len, flat)) == 1:
        return None
    hashes = hashes_of(flat)
    return hashes if are_distinct(hashes) else None


def _are_clean(texts: list[Any] | None, *, lower: bool = False) -> bool:
    """Whether all are strings that hold something, and no odd sign."""
    try:
        joined = "".join(texts or ())
    except TypeError:
        return False
    signs = ascii_signs(joined)
    if signs is None or not all(texts or ()) or not are_visible(signs):
        return False
    return not lower or are_lower(signs)
