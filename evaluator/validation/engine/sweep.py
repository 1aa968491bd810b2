"""Batches in which nothing is odd, by far the most: a few passes at C speed, and each only once.

What is not certain to be clean is left to the general way, which finds the records concerned.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from groupwise.evaluator.intake.bulk import Columns, are_plain_extras
from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.validation.engine.hashes import Hashes
from groupwise.evaluator.validation.rules.truth_rules import MANY_ALTERNATIVES, SPLIT_IDS
from groupwise.schemas import Query


@dataclass(frozen=True, slots=True)
class Swept:
    """Clean records: all that is counted of them. A shape is the sizes of a truth's groups."""

    shapes: list[bytes]
    texts: list[str | None]
    queries: Hashes
    ids: Hashes
    hashed: bool


def sweep(columns: Columns, values: list[Any], keys: list[str] | None, k: int) -> Swept | None:
    """What is counted of these records, if none of them can break a rule by itself."""
    split = columns.split(values, keys) if columns.model is Query else None
    if split is None:
        return None
    queries = walk.hash_clean_texts(split.pop("id", keys))
    found = walk.hash_clean_truths(split["ground_truth"], k, MANY_ALTERNATIVES, SPLIT_IDS)
    if queries is None or found is None or not are_plain_extras(split):
        return None
    hashed = "hashes" in split or "corpus" in split
    shapes, ids = found
    return Swept(shapes, split.get("query", []), _numbers(queries), _numbers(ids), hashed)


def _numbers(column: bytes) -> Hashes:
    return np.frombuffer(column, np.int64)
