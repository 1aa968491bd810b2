"""The sweep: a few passes at C speed that find most batches clean.

Batches that may not be clean are screened rule by rule, which finds the records concerned.
"""

from typing import Any

import numpy as np

from groupwise.evaluator.intake.bulk import BulkCheck, are_plain_extras, kind_of_unwanted
from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.validation.facts.hashes import Hashes
from groupwise.evaluator.validation.facts.tally import CleanRecords
from groupwise.evaluator.validation.rules.rule import Limits
from groupwise.schemas import Query


def sweep(
    bulk: BulkCheck, values: list[Any], keys: list[str] | None, limits: Limits
) -> CleanRecords | None:
    """Return what is counted of these records if all are clean within the limits, else None."""
    fields = bulk.split_fields(values, keys) if bulk.model is Query else None
    if fields is None:
        return None
    queries = walk.hash_clean_texts(fields.pop("id", keys))
    found = walk.hash_clean_truths(fields["ground_truth"], *limits)
    if queries is None or found is None or not are_plain_extras(fields):
        return None
    if kind_of_unwanted(fields) is int:
        return None
    shapes, ids = found
    return CleanRecords(shapes, _read_hashes(queries), _read_hashes(ids), fields)


def _read_hashes(column: bytes) -> Hashes:
    return np.frombuffer(column, np.int64)
