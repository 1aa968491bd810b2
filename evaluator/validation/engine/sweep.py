"""The sweep: a few passes at C speed that find most batches clean.

Batches that may not be clean are screened rule by rule, which finds the records concerned.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from groupwise.evaluator.intake.bulk import (
    BulkCheck,
    PlainBatch,
    are_plain_extras,
    kind_of_unwanted,
)
from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.reading.packed_ids import TextLists
from groupwise.evaluator.reading.records import Batch
from groupwise.evaluator.validation.facts.hashes import Hashes
from groupwise.evaluator.validation.facts.tally import CleanRecords
from groupwise.evaluator.validation.rules.rule import Limits
from groupwise.schemas import FixtureQuery, Query


def sweep(
    bulk: BulkCheck,
    batch: Batch,
    limits: Limits,
    known: Mapping[str, Any] | None = None,
    *,
    with_results: bool = False,
) -> CleanRecords | None:
    """Return what is counted of these records if all are clean within the limits, else None.

    ``known`` has the content of each field of records that are not in columns, if they have the
    same ones. ``with_results`` sweeps records that have results beside their ground truth, too.
    """
    if not _is_swept(bulk.model, with_results):
        return None
    fields = _name_fields(bulk, batch, known)
    if fields is None:
        return None
    queries = walk.hash_clean_texts(fields.pop("id", batch.keys))
    truths = fields["ground_truth"]
    found = walk.hash_clean_truths(truths, *limits)
    if queries is None or found is None or not _are_clear(fields, bulk.model):
        return None
    if not are_plain_extras(fields) or kind_of_unwanted(fields) is int:
        return None
    shapes, ids = found
    results = fields.get("results", [])
    return CleanRecords(shapes, _read_hashes(queries), _read_hashes(ids), fields, truths, results)


def _name_fields(
    bulk: BulkCheck, batch: Batch, known: Mapping[str, Any] | None
) -> dict[str, Any] | None:
    """Return the content of each field, if all records have the same fields; else None."""
    columns = batch.columns()
    if columns is None:
        return None if known is None else dict(known)
    fields = bulk.name_columns(columns, batch.keys)
    return fields if fields and type(fields.get("ground_truth")) is list else None


def sweep_rows(plain: PlainBatch, limits: Limits) -> tuple[CleanRecords | None, list[int]]:
    """Return what is counted of the clean ones of plain records, and the rows of the others."""
    truths, results = plain.columns["ground_truth"], plain.columns.get("results", [])
    odd = {*(walk.find_unclear(results) or ())}
    rows = [row for row in range(len(truths)) if row not in odd]
    clean = _count_rows(plain, limits, rows)
    if clean is None and rows:
        odd.update(row for row in rows if not _is_clean(plain.ids[row], truths[row], limits))
        clean = _count_rows(plain, limits, [row for row in rows if row not in odd])
    if clean is None:  # clean ones by themselves may need a closer look together
        odd.update(rows)
    return clean, sorted(odd)


def _is_clean(query: str, truth: Any, limits: Limits) -> bool:
    is_clean = walk.hash_clean_truths([truth], *limits) is not None
    return is_clean and walk.hash_clean_texts([query]) is not None


def _count_rows(plain: PlainBatch, limits: Limits, rows: list[int]) -> CleanRecords | None:
    """Return what is counted of rows that are known to be clean; None of none."""
    columns = {name: [content[row] for row in rows] for name, content in plain.columns.items()}
    truths = columns["ground_truth"]
    queries = walk.hash_clean_texts([plain.ids[row] for row in rows])
    found = walk.hash_clean_truths(truths, *limits) if rows else None
    if queries is None or found is None:
        return None
    shapes, ids = found
    results = columns.get("results", [])
    return CleanRecords(shapes, _read_hashes(queries), _read_hashes(ids), columns, truths, results)


def can_sweep_rows(bulk: BulkCheck, plain: PlainBatch, *, with_results: bool) -> bool:
    """Whether the clean ones of plain records can be told from the others."""
    return (
        _is_swept(bulk.model, with_results)
        and plain.truth_kind is str
        and plain.unwanted_kind is not int
        and "scores" not in plain.columns
    )


def _is_swept(model: object, with_results: bool) -> bool:  # noqa: FBT001
    return model is Query or (with_results and model is FixtureQuery)


def _are_clear(fields: dict[str, Any], model: object) -> bool:
    """Whether records that need results have them, without scores, and none breaks a rule."""
    if model is Query:
        return True
    results = fields.get("results")
    if isinstance(results, TextLists):
        unclear: list[int] | None = walk.find_unclear_texts(*results.buffers)
    else:
        unclear = walk.find_unclear(results)
    return "scores" not in fields and unclear == []


def _read_hashes(column: bytes) -> Hashes:
    return np.frombuffer(column, np.int64)
