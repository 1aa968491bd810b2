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
from groupwise.evaluator.reading.packed_ids import TextLists, choose_rows
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


def sweep_columns(
    bulk: BulkCheck, batch: Batch, limits: Limits, *, with_results: bool = False
) -> tuple[CleanRecords | None, list[int]] | None:
    """Return what is counted of the clean ones of records in columns, and the other rows.

    None if that cannot be told.
    """
    fields = _name_fields(bulk, batch, None)
    if fields is None:
        return None
    return sweep_fields(bulk, fields, batch.keys, limits, with_results=with_results)


def sweep_fields(
    bulk: BulkCheck,
    fields: Mapping[str, Any],
    keys: list[str] | None,
    limits: Limits,
    *,
    with_results: bool = False,
) -> tuple[CleanRecords | None, list[int]] | None:
    """Return what is counted of the clean ones of records with the same fields, and the other rows.

    None if that cannot be told: extra fields must be plain in all records.
    """
    columns = dict(fields)
    ids = columns.pop("id", keys)
    if not _is_swept(bulk.model, with_results) or "scores" in columns:
        return None
    if bulk.model is FixtureQuery and "results" not in columns:
        return None
    if not are_plain_extras(columns) or kind_of_unwanted(columns) is int:
        return None
    return _sort_out(ids, columns, limits)


def sweep_rows(plain: PlainBatch, limits: Limits) -> tuple[CleanRecords | None, list[int]]:
    """Return what is counted of the clean ones of plain records, and the rows of the others."""
    return _sort_out(plain.ids, plain.columns, limits)


def _sort_out(
    ids: Any, columns: dict[str, list[Any]], limits: Limits
) -> tuple[CleanRecords | None, list[int]]:
    """Return what is counted of the clean ones of records in columns, and the other rows."""
    truths, results = columns["ground_truth"], columns.get("results", [])
    odd = {*_find_odd_texts(ids), *(_find_unclear(results) or ())}
    rows = _list_others(len(truths), odd)
    shapes, hashes, more = walk.sort_out_truths(_select(truths, rows), *limits)
    if more:
        numbers = _select([*range(len(truths))], rows)
        odd.update(numbers[number] for number in more)
        rows = _list_others(len(truths), odd)
    if len(odd) == len(truths):
        return None, sorted(odd)
    queries = walk.hash_clean_texts(_select(ids, rows)) or b""
    chosen = {name: _select(content, rows) for name, content in columns.items()}
    truths, results = chosen["ground_truth"], chosen.get("results", [])
    found = _read_hashes(queries), _read_hashes(hashes), chosen, truths, results
    return CleanRecords(shapes, *found), sorted(odd)


def _list_others(count: int, odd: set[int]) -> bytes | None:
    """Return which rows are not odd, as a byte for each; None if all are."""
    if not odd:
        return None
    rows = bytearray(b"\1") * count
    for row in odd:
        rows[row] = 0
    return bytes(rows)


def _select(content: Any, rows: bytes | None) -> Any:
    return content if rows is None else choose_rows(content, rows)


def _find_odd_texts(texts: list[Any]) -> list[int]:
    """Return the numbers of texts that are not clean."""
    if walk.hash_clean_texts(texts) is not None:
        return []
    return [row for row, text in enumerate(texts) if walk.hash_clean_texts([text]) is None]


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
    return "scores" not in fields and _find_unclear(fields.get("results")) == []


def _find_unclear(results: Any) -> list[int] | None:
    """Return the numbers of rankings that may break a rule; None of what is no list of them."""
    if isinstance(results, TextLists):
        return walk.find_unclear_texts(*results.buffers)
    return walk.find_unclear(results)


def _read_hashes(column: bytes) -> Hashes:
    return np.frombuffer(column, np.int64)
