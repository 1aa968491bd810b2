"""Parquet files as AutoRAG has them: groups and results as lists of ids, all of them text."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from groupwise.evaluator.formats.mapping.judgements import alternatives_of, in_full
from groupwise.evaluator.formats.parquet_writer import (
    OF_QUERIES,
    Fields,
    answers_of,
    canonical,
    in_groups,
    write_table,
)
from groupwise.evaluator.reading.arrow import arrow
from groupwise.evaluator.reading.options import Record

Columns = dict[str, list[Any]]


def write_autorag(records: Iterable[Record], path: str) -> None:
    """Write queries as ``qa.parquet``, as a result file or both in one; else ``corpus.parquet``."""
    given: set[str] = set()
    texts = False
    for row in map(canonical, records):
        given |= row.keys()
        texts = texts or _has_texts(row)
    columns_of = partial(_queries, given=given, texts=texts) if given & OF_QUERIES else _corpus
    types = _types(path)
    named = {name: types[name] for name in columns_of([])}
    write_table(map(columns_of, in_groups(records)), named, path)


def _has_texts(row: Fields) -> bool:
    """Whether alternatives that meet a group have their text."""
    groups = map(_meeting, row.get("ground_truth") or ())
    return any(one.get("text") for group in groups for one in group)


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
    truths = [[_meeting(group) for group in row.get("ground_truth") or ()] for row in rows]
    columns: Columns = {
        "query": [row.get("query") for row in rows],
        "retrieval_gt": [
            [[str(one["id"]) for one in group] for group in truth] for truth in truths
        ],
        "generation_gt": [answers_of(row.get("generation_gt")) or [] for row in rows],
    }
    if texts:
        columns["retrieval_gt_contents"] = [
            [[one.get("text") for one in group] for group in groups] for groups in truths
        ]
    return columns


def _meeting(group: Any) -> list[Fields]:
    """The alternatives that meet a group, without those that are judged not to."""
    return [one for one in alternatives_of(group) if one.get("grade", 1) > 0]


def _results(rows: list[Fields]) -> Columns:
    results = [list(map(in_full, row.get("results") or ())) for row in rows]
    return {
        "retrieved_contents": [[one.get("text") for one in listed] for listed in results],
        "retrieved_ids": [[str(one["id"]) for one in listed] for listed in results],
        "retrieve_scores": [_scores(*pair) for pair in zip(rows, results, strict=True)],
    }


def _scores(row: Fields, results: list[Fields]) -> list[float | None] | None:
    if row.get("scores") is not None:
        return list(row["scores"])
    scores = [one.get("score") for one in results]
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
