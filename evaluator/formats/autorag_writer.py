"""Parquet files for AutoRAG: groups and results as lists of ids, which are all text."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from groupwise.evaluator.formats.mapping.judgements import alternatives_of, in_full
from groupwise.evaluator.formats.parquet_writer import (
    OF_QUERIES,
    Fields,
    list_answers,
    rename_fields,
    split_records,
    write_table,
)
from groupwise.evaluator.reading.arrow import arrow
from groupwise.evaluator.reading.options import Record

Columns = dict[str, list[Any]]


def write_autorag(records: Iterable[Record], path: str) -> None:
    """Write queries as ``qa.parquet``, as a result file or both in one; else ``corpus.parquet``."""
    given: set[str] = set()
    texts = False
    for row in map(rename_fields, records):
        given |= row.keys()
        texts = texts or _has_texts(row)
    columns_of = partial(_queries, given=given, texts=texts) if given & OF_QUERIES else _corpus
    types = _types(path)
    named = {name: types[name] for name in columns_of([])}
    write_table(map(columns_of, split_records(records)), named, path)


def _has_texts(row: Fields) -> bool:
    """Whether alternatives that meet a group have their text."""
    groups = map(_list_meeting, row.get("ground_truth") or ())
    return any(document.get("text") for group in groups for document in group)


def _types(path: str) -> dict[str, Any]:
    pa = arrow("pyarrow", path)
    text, texts = pa.string(), pa.list_(pa.string())
    return {
        "qid": text,
        "query": text,
        "retrieval_gt": pa.list_(texts),
        "retrieval_gt_contents": pa.list_(texts),
        "generation_gt": texts,
        "retrieved_contents": texts,
        "retrieved_ids": texts,
        "retrieve_scores": pa.list_(pa.float64()),
        "doc_id": text,
        "contents": text,
        "path": text,
        "start_end_idx": pa.list_(pa.int64()),
    }


def _queries(rows: list[Fields], given: set[str], *, texts: bool) -> Columns:
    columns: Columns = {"qid": [str(row["id"]) for row in rows]}
    if given & {"ground_truth", "answerable"}:
        columns |= _ground_truth(rows, texts=texts)
    if "results" in given:
        columns |= _results(rows)
    return columns


def _ground_truth(rows: list[Fields], *, texts: bool) -> Columns:
    truths = [[_list_meeting(group) for group in row.get("ground_truth") or ()] for row in rows]
    columns: Columns = {
        "query": [row.get("query") for row in rows],
        "retrieval_gt": [
            [[str(document["id"]) for document in group] for group in truth] for truth in truths
        ],
        "generation_gt": [list_answers(row.get("generation_gt")) or [] for row in rows],
    }
    if texts:
        columns["retrieval_gt_contents"] = [
            [[document.get("text") for document in group] for group in truth] for truth in truths
        ]
    return columns


def _list_meeting(group: Any) -> list[Fields]:
    """Return the alternatives of a group that meet it, without those of grade 0."""
    return [document for document in alternatives_of(group) if document.get("grade", 1) > 0]


def _results(rows: list[Fields]) -> Columns:
    results = [list(map(in_full, row.get("results") or ())) for row in rows]
    return {
        "retrieved_contents": [[result.get("text") for result in ranking] for ranking in results],
        "retrieved_ids": [[str(result["id"]) for result in ranking] for ranking in results],
        "retrieve_scores": [_scores(*pair) for pair in zip(rows, results, strict=True)],
    }


def _scores(row: Fields, results: list[Fields]) -> list[float | None] | None:
    if row.get("scores") is not None:
        return list(row["scores"])
    scores = [result.get("score") for result in results]
    return scores if results and None not in scores else None


def _corpus(rows: list[Fields]) -> Columns:
    return {
        "doc_id": [str(row["id"]) for row in rows],
        "contents": [row.get("text") for row in rows],
        "path": [row.get("document") for row in rows],
        "start_end_idx": [_span(row) for row in rows],
    }


def _span(row: Fields) -> list[Any] | None:
    span = [row.get("start"), row.get("end")]
    return None if None in span else span
