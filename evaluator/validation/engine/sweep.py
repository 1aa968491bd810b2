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
from groupwise.schemas import FixtureQuery, Query


def sweep(
    bulk: BulkCheck,
    values: list[Any],
    keys: list[str] | None,
    limits: Limits,
    *,
    with_results: bool = False,
) -> CleanRecords | None:
    """Return what is counted of these records if all are clean within the limits, else None.

    ``with_results`` sweeps records that have results beside their ground truth, too.
    """
    fields = bulk.split_fields(values, keys) if _is_swept(bulk.model, with_results) else None
    if fields is None:
        return None
    queries = walk.hash_clean_texts(fields.pop("id", keys))
    truths = fields["ground_truth"]
    found = walk.hash_clean_truths(truths, *limits)
    if queries is None or found is None or not _are_clear(fields, bulk.model):
        return None
    if not are_plain_extras(fields) or kind_of_unwanted(fields) is int:
        return None
    shapes, ids = found
    results = fields.get("results", [])
    return CleanRecords(shapes, _read_hashes(queries), _read_hashes(ids), fields, truths, results)


def _is_swept(model: object, with_results: bool) -> bool:  # noqa: FBT001
    return model is Query or (with_results and model is FixtureQuery)


def _are_clear(fields: dict[str, list[Any]], model: object) -> bool:
    """Whether records that need results have them, without scores, and none breaks a rule."""
    if model is Query:
        return True
    return "scores" not in fields and walk.find_unclear(fields.get("results")) == []


def _read_hashes(column: bytes) -> Hashes:
    return np.frombuffer(column, np.int64)
