"""What conversion writes, and what it says of problems."""

import json
import tempfile
from pathlib import Path
from typing import Any

import orjson
import pytest

from groupwise import InputError, convert


def converted(records: Any, **options: Any) -> Any:
    """The bytes of the data as JSON Lines, or what is said of it."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "in.json"), Path(folder, "out.jsonl")
        source.write_bytes(orjson.dumps(records))
        try:
            convert(source, target, **options)
        except InputError as error:
            return [(one.message, one.query, one.pointer) for one in error.problems]
        return target.read_bytes()


@pytest.mark.parametrize("results", [{"a": 1, "b": 3.5}, {"b": 2, "a": 2}, {}])
def test_scores_by_id_are_put_in_order(results: dict[str, float]) -> None:
    order = sorted(results, key=lambda one: (results[one], one), reverse=True)
    found = json.loads(converted({"q1": results, "q2": {"a": 1}}, role="run").splitlines()[0])
    assert found.get("results") == order
    assert found.get("scores", []) == [results[one] for one in order]


def test_a_problem_in_the_last_record_is_told_before_anything_is_written() -> None:
    records = [{"id": str(number), "results": ["a"]} for number in range(3000)]
    assert converted([*records, {"id": "x", "results": [""]}]) == [
        ("a blank id; an id is a non-blank string or a whole number below 2^63", "x", "/results/0")
    ]


def test_a_query_that_is_repeated_far_apart_is_told() -> None:
    records = [{"id": str(number % 2999), "results": ["a"] * 9} for number in range(3000)]
    ((message, query, _),) = converted(records)
    assert (message.startswith("the query id is repeated"), query) == (True, "0")
