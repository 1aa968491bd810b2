"""Small batches between faults are joined, with the same records in the same places."""

from typing import Any
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading import joining
from groupwise.evaluator.reading.joining import JoinedBatch, join_small
from groupwise.evaluator.reading.json import JsonDocument
from groupwise.evaluator.reading.records import Batch, NumberedBatch, Reading
from groupwise.evaluator.reading.source import MemorySource
from tests.strategies import MANY

SEPARATORS = st.sampled_from([",", " ", "\n", ",\n", " , "])
RECORDS = st.sampled_from(
    ['{"id": "a", "ground_truth": [["é"]]}', '{"id": "b", "ground_truth": []}', '{"id": "c",',
     '{"id": 1, "id": 2, "ground_truth": [["x"],\n["y"]]}', "{}", '{"id": nan}']
)  # fmt: skip
ENTRIES = st.sampled_from(
    ['"p": [["é"]]', '"q": [["a"],\n["b"]]', '"r": {"x": 1, "x": 2}', '"s": [[', '"t": 7']
)


def documents(items: Any, opening: str, closing: str) -> Any:
    pairs = st.lists(st.tuples(items, SEPARATORS), min_size=1, max_size=9)
    return pairs.map(lambda each: opening + "".join(a + b for a, b in each).rstrip(",") + closing)


def read_all(text: str, full: bool) -> Any:
    """Return what a reading tells about a text; a full one only counts problems."""
    reading = Reading(lambda _code: full)
    rows: list[Any] = []
    batches = 0
    try:
        for batch in JsonDocument(MemorySource("f", text.encode())).batches(reading):
            batches += 1
            for number, value in enumerate(batch.values):
                key = None if batch.keys is None else batch.keys[number]
                places = [batch.place(number, pointer) for pointer in ([], ["ground_truth"], [1])]
                rows.append((key, value, places, batch.root(number), batch.trace(number, ["id"])))
    except InputError as error:
        return rows, error.count, batches
    return rows, len(reading.problems) + reading.counts.total(), batches


@MANY
@given(documents(RECORDS, "[", "]") | documents(ENTRIES, "{", "}"))
@example('[{"id": "a"} {"id": "b"} {"id": "c"}]')
@example('{"p": [["a"]] "p": [["b"]] "q": [["c"]]}')
def test_records_and_their_places_do_not_depend_on_joining(text: str) -> None:
    apart_rows, apart_count, apart = read_all(text, full=False)
    rows, count, joined = read_all(text, full=True)
    assert (rows, count) == (apart_rows, apart_count)
    assert joined <= apart


@pytest.mark.parametrize("count", [100, 1000])
@pytest.mark.parametrize("brackets", ["[]", "{}"])
def test_batches_between_missing_commas_are_few(count: int, brackets: str) -> None:
    record = '"q%d": [["a"]]' if brackets == "{}" else '{"id": "q%d", "ground_truth": [["a"]]}'
    text = brackets[0] + " ".join(record % number for number in range(count)) + brackets[1]
    rows, _, batches = read_all(text, full=True)
    assert len(rows) == count
    assert batches <= 2 + count // joining.MOST_BATCHES


def numbered(*numbers: int, keys: list[str] | None = None) -> Batch:
    return NumberedBatch([f"v{number}" for number in numbers], numbers, keys)


def test_a_joined_batch_has_all_values_keys_and_places() -> None:
    joined = JoinedBatch([numbered(1, 2, keys=["a", "b"]), numbered(), numbered(9, keys=["c"])])
    assert (joined.values, joined.keys) == (["v1", "v2", "v9"], ["a", "b", "c"])
    assert [joined.place(number, ()) for number in range(3)] == [(1, 1), (2, 1), (9, 1)]
    assert JoinedBatch([numbered(1), numbered(2)]).keys is None


def test_only_small_batches_that_may_be_joined_are() -> None:
    large = numbered(*range(joining.FEW_RECORDS + 1))
    given = [numbered(1), numbered(2), large, numbered(3), numbered(4), numbered(5)]
    found = [*join_small(given, Reading(), lambda batch: batch is not given[4])]
    assert [len(batch.values) for batch in found] == [2, len(large.values), 1, 1, 1]
    assert found[1] is large


def test_a_key_is_in_a_batch_once() -> None:
    given = [numbered(1, keys=["a"]), numbered(2, keys=["b"]), numbered(3, keys=["a"])]
    assert [batch.keys for batch in join_small(given, Reading(), lambda _: True)] == [
        ["a", "b"],
        ["a"],
    ]


def test_an_error_comes_after_all_records() -> None:
    def fail() -> Any:
        yield numbered(1)
        yield numbered(2)
        raise InputError([Problem("broken")])

    found = join_small(fail(), Reading(), lambda _: True)
    assert next(found).values == ["v1", "v2"]
    with pytest.raises(InputError, match="broken"):
        next(found)


def test_what_is_described_comes_between_the_same_records() -> None:
    reading = Reading()

    def describe() -> Any:
        yield numbered(1)
        yield numbered(2)
        reading.report(Problem("found"))
        yield numbered(3)
        yield numbered(4)
        reading.counts["IO001"] += 1
        raise reading.end(Problem("broken"))

    seen: list[Any] = []

    def read() -> None:
        for batch in join_small(describe(), reading, lambda _: True):
            seen.append(([problem.message for problem in reading.problems], batch.values))
            reading.clear()

    with pytest.raises(InputError) as caught:
        read()
    assert seen == [([], ["v1", "v2"]), (["found"], ["v3"]), ([], ["v4"])]
    assert [problem.message for problem in reading.problems] == ["broken"]
    assert caught.value.count == 2


def test_batches_are_joined_up_to_a_fair_size() -> None:
    with mock.patch.object(joining, "MOST_BATCHES", 2):
        found = [*join_small(map(numbered, range(5)), Reading(), lambda _: True)]
    assert [batch.values for batch in found] == [["v0", "v1"], ["v2", "v3"], ["v4"]]
