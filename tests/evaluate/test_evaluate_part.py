"""Parts of the queries, evaluated anywhere and merged, give the report of one piece."""

import pickle
import random
from typing import Any

import pytest

from groupwise import InputError, OptionError, UnknownMetric, evaluate, evaluate_part, merge_parts
from tests.evaluate.spark.frames import draw_plain, draw_rich, seeded

OPTIONS: list[dict[str, Any]] = [
    {"metrics": ["recall@3", "ndcg", "first_hit"], "provenance": True},
    {"metrics": ["recall@3"], "by": ["kind", "groups"], "per_query": False, "ceilings": True},
    {"profile": "trec", "ties": "report", "confidence": 0.9, "missing": "skip"},
]


def cut(table: Any, parts: int) -> list[Any]:
    """The rows of a table in parts by query id, as records or as a table; the last is empty."""
    rows = table.to_pylist()
    buckets = [[row for row in rows if len(row["id"]) % parts == part] for part in range(parts)]
    as_tables = [type(table).from_pylist(bucket, table.schema) for bucket in buckets]
    return [*as_tables, table.slice(0, 0)]


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
@pytest.mark.parametrize("draw", [draw_plain, draw_rich])
def test_merged_parts_report_the_bytes_of_one_piece(draw: Any, options: dict[str, Any]) -> None:
    truths, run = draw(seeded(len(options)))
    pairs = zip(cut(truths, 3), cut(run, 3), strict=True)
    if "kind" in options.get("by", ()) and draw is draw_plain:
        options = {**options, "by": ["groups"]}
    parts = [
        pickle.loads(pickle.dumps(evaluate_part(*pair, **options)))  # noqa: S301  (written here)
        for pair in pairs
    ]
    random.Random(1).shuffle(parts)  # noqa: S311
    expected = evaluate(truths, run, **options).to_json()
    assert merge_parts(parts).to_json() == expected
    assert merge_parts(iter(parts)).to_json() == expected, "parts can be merged again"


def test_flat_lists_are_counted_over_all_parts() -> None:
    truths, run = {"a": ["x", "x"], "b": ["y", "y", "z"]}, {"a": ["x"], "b": ["z"]}
    parts = [
        evaluate_part({query: truths[query]}, {query: run[query]}, flat="all") for query in truths
    ]
    assert merge_parts(parts).to_json() == evaluate(truths, run, flat="all").to_json()


def test_a_part_may_lack_a_side() -> None:
    truths = [{"id": query, "ground_truth": [["x"]]} for query in "abc"]
    run = [{"id": query, "results": ["x"]} for query in "ad"]
    pairs: list[Any] = [(truths[:1], run[:1]), (truths[1:], []), ([], run[1:]), ([], [])]
    merged = merge_parts(evaluate_part(*pair, metrics="recall") for pair in pairs)
    assert merged.to_json() == evaluate(truths, run, metrics="recall").to_json()


def test_problems_of_all_parts_are_raised_together() -> None:
    parts = [evaluate_part({query: [[None]]}, {query: ["x"]}, metrics="recall") for query in "ab"]
    with pytest.raises(InputError) as error:
        merge_parts(parts)
    assert [problem.query for problem in error.value.problems] == ["a", "b"]


def test_a_query_in_two_parts_is_named() -> None:
    parts = [evaluate_part({"a": [["x"]]}, {"a": ["x"]}) for _ in range(2)]
    with pytest.raises(InputError, match="query 'a': the query id is repeated"):
        merge_parts(parts)


def test_what_cannot_be_a_part() -> None:
    with pytest.raises(InputError, match="parts are joined by query id"):
        evaluate_part([[["x"]]], [["x"]])
    with pytest.raises(UnknownMetric):
        evaluate_part({"a": [["x"]]}, {"a": ["x"]}, metrics="recal")
    with pytest.raises(OptionError):
        evaluate_part({"a": [["x"]]}, {"a": ["x"]}, profile="none")
    with pytest.raises(InputError, match="no parts to merge"):
        merge_parts([])
    different = [evaluate_part({q: [["x"]]}, {q: ["x"]}, metrics=f"recall@{q}") for q in "12"]
    with pytest.raises(ValueError, match="set up differently"):
        merge_parts(different)
