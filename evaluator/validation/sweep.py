"""Batches in which nothing is odd, by far the most: a few passes at C speed, and each only once.

What is not certain to be clean is left to the general way, which finds the records concerned.
"""

from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

from groupwise.evaluator.columns import Columns, are_plain_extras
from groupwise.evaluator.validation.hashes import Hashes, are_distinct, hashes_of
from groupwise.evaluator.validation.normal import are_lower, are_visible, ascii_signs
from groupwise.evaluator.validation.truth_rules import MANY_ALTERNATIVES, SPLIT_IDS
from groupwise.schemas import Query


@dataclass(frozen=True, slots=True)
class Swept:
    """Clean records: all that is counted of them."""

    groups: bytes
    sizes: bytes
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
    shape = _shape(split["ground_truth"], k)
    ids = None if shape is None else _clean_ids(shape)
    if shape is None or ids is None or not _are_clean(names) or not are_plain_extras(split):
        return None
    hashed = "hashes" in split or "corpus" in split
    queries = hashes_of(names or ())
    return Swept(shape.counts, shape.sizes, split.get("query", []), queries, ids, hashed)


class Shape(NamedTuple):
    """All groups, how many each ground truth has, and how many alternatives each of them."""

    groups: list[Any]
    counts: bytes
    sizes: bytes


def _shape(truths: list[Any], k: int) -> Shape | None:
    """The shape, if all are lists of groups, neither too many nor empty, nor too large."""
    if {*map(type, truths)} != {list}:
        return None
    groups = list(chain.from_iterable(truths))
    if {*map(type, groups)} != {list}:
        return None
    try:
        counts, sizes = bytes([*map(len, truths)]), bytes([*map(len, groups)])
    except ValueError:  # one has more than 255
        return None
    if min(counts) == 0 or max(counts) > k or min(sizes) == 0 or max(sizes) > MANY_ALTERNATIVES:
        return None
    return Shape(groups, counts, sizes)


def _clean_ids(shape: Shape) -> Hashes | None:
    """The hashes of all ids, if they are distinct and plain."""
    flat = list(chain.from_iterable(shape.groups))
    if not _are_clean(flat, lower=True):
        return None
    longest = max(shape.sizes + shape.counts)
    if longest >= SPLIT_IDS and min(map(len, flat)) == 1:
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
