"""Records that a format refuses, beyond those that are described: counted the same, cheaply."""

import json
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, evaluate, inspect, read, validate
from groupwise.evaluator import errors
from groupwise.evaluator.formats.mapping import mapped_records
from groupwise.evaluator.reading import jsonl
from groupwise.evaluator.reading.diagnosis import explain
from groupwise.evaluator.reading.records import Reading
from tests.formats.reading import file_of
from tests.strategies import FEWER

GOOD = {"user_input": "a question", "reference_context_ids": ["a"], "retrieved_context_ids": ["a"]}
REFUSED: list[Any] = [
    [], {}, 1, 1.0, True, None, "x", [1], [True], {"user_input": 1}, {"user_input": True},
    {"user_input": "q", "reference_context_ids": 7},
    {"user_input": "q", "reference_context_ids": []},
]  # fmt: skip
RECORDS = st.lists(
    st.tuples(st.sampled_from([GOOD, *REFUSED]), st.integers(1, 4)).map(
        lambda pair: [pair[0]] * pair[1]
    ),
    max_size=6,
).map(lambda lists: [record for some in lists for record in some])


def outcome_of(path: Path) -> Any:
    """How many problems there are, and what the first ones are."""
    try:
        return len(list(read(path, format="ragas", role="ground_truth", ids="text")))
    except InputError as error:
        return error.count, error.problems


@FEWER
@given(RECORDS, st.sampled_from([1, 3]), st.sampled_from([".json", ".jsonl"]))
def test_what_is_counted_is_what_would_be_described(
    records: list[Any], kept: int, suffix: str
) -> None:
    text = json.dumps(records) if suffix == ".json" else "\n".join(map(json.dumps, records))
    with file_of(text.encode(), suffix) as path, mock.patch.object(errors, "KEPT_PROBLEMS", kept):
        quick = outcome_of(path)
        with mock.patch.object(Reading, "limited", side_effect=lambda *_: Reading()):
            assert outcome_of(path) == quick
        few = validate(path, format="ragas", max_findings=kept)
        assert few.counts == validate(path, format="ragas").counts


@pytest.mark.parametrize("record", ["[]", "{}", "7"])
@pytest.mark.parametrize("name", ["ragas", "promptfoo", "hotpotqa"])
def test_records_that_are_refused_alike_are_converted_up_to_a_limit(
    name: str, record: str, tmp_path: Path
) -> None:
    path, calls = tmp_path / "refused.json", []
    for number in (3_000, 9_000):
        path.write_text(f"[{', '.join([record] * number)}]")
        collect = mock.Mock(side_effect=mapped_records._collect)
        with (
            mock.patch.object(mapped_records, "_collect", collect),
            pytest.raises(InputError) as caught,
        ):
            read(path, format=name)
        calls.append(collect.call_count)
        assert caught.value.count == number
    assert calls[0] == calls[1]


@pytest.mark.parametrize("call", [evaluate, inspect])
def test_of_a_file_of_broken_lines_few_are_described(call: Any, tmp_path: Path) -> None:
    path, calls = tmp_path / "broken.jsonl", []
    for number in (3_000, 9_000):
        path.write_text(number * "x\n")
        explained = mock.Mock(side_effect=explain)
        with mock.patch.object(jsonl, "explain", explained), pytest.raises(InputError) as caught:
            call(path)
        calls.append(explained.call_count)
        assert caught.value.count == number
    assert calls[0] == calls[1]
