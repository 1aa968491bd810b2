"""Bags of hashes: what occurs, and what more than once, in memory or in a file."""

import json
import pickle
from collections import Counter
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import OutputError, validate
from groupwise.evaluator.validation.facts.hashes import BUCKETS, HashBag, count_occurring
from tests.formats.reading import file_of
from tests.strategies import FEWER
from tests.validation.data import DATA_SETS, FIXTURES

EDGES = [0, 1, -1, 63, 64, -64, 2**63 - 1, -(2**63), 2**58, -(2**58)]
NUMBERS = st.one_of(st.sampled_from(EDGES), st.integers(-5, 70), st.integers(-(2**63), 2**63 - 1))
ADDED = st.lists(st.lists(NUMBERS, max_size=12), max_size=8)
KEPT = st.sampled_from([2, 7, 16, 1 << 19])


def fill(parts: list[list[int]], kept: int) -> HashBag:
    bag = HashBag(kept)
    for part in parts:
        bag.add_hashes(np.array(part, np.int64))
    return bag


def check(bag: HashBag, times: "Counter[int]") -> None:
    """Compare a bag with how often each hash was added."""
    repeated = sorted(number for number, count in times.items() if count > 1)
    assert bag.distinct.tolist() == sorted(times)
    assert bag.repeated.tolist() == repeated
    buckets = [bag.read(bucket) for bucket in range(BUCKETS)]
    assert sorted(number for each in buckets for number in each.distinct.tolist()) == sorted(times)
    assert sorted(number for each in buckets for number in each.repeated.tolist()) == repeated


@given(ADDED, KEPT)
def test_what_was_added_is_there_and_what_was_added_again_is_repeated(
    parts: list[list[int]], kept: int
) -> None:
    bag = fill(parts, kept)
    times = Counter(number for part in parts for number in part)
    check(bag, times)
    check(pickle.loads(pickle.dumps(bag)), times)  # noqa: S301  (written here)
    bag.add_hashes(np.array([5, 5], np.int64))
    check(bag, times + Counter({5: 2}))


@given(ADDED, ADDED, KEPT, KEPT)
def test_bags_are_merged_and_counted_together(
    one: list[list[int]], other: list[list[int]], kept: int, held: int
) -> None:
    bags = [fill(one, kept), fill(other, held)]
    times = Counter(number for part in [*one, *other] for number in part)
    several = sum(count > 1 for count in times.values())
    assert count_occurring(bags) == (len(times), several)
    bags[0].merge(bags[1])
    check(bags[0], times)


@given(st.lists(st.tuples(ADDED, KEPT, st.booleans()), max_size=12), KEPT)
def test_any_number_of_bags_is_merged(
    given_bags: list[tuple[list[list[int]], int, bool]], kept: int
) -> None:
    """Some come from other processes; hashes may be added in between."""
    whole, times = HashBag(kept), Counter[int]()
    for parts, held, is_sent in given_bags:
        bag = fill(parts, held)
        whole.merge(pickle.loads(pickle.dumps(bag)) if is_sent else bag)  # noqa: S301
        whole.add_hashes(np.array([held, -held], np.int64))
        times.update(number for part in [*parts, [held, -held]] for number in part)
    assert count_occurring([whole]) == (len(times), sum(count > 1 for count in times.values()))
    check(whole, times)


def test_few_hashes_that_come_often_stay_in_memory() -> None:
    bag = fill([[number % 3 for number in range(10)] for _ in range(50)], 20)
    assert not bag.is_large
    assert fill([[*range(30)]], 20).is_large


@FEWER
@given(DATA_SETS | FIXTURES)
def test_reports_are_the_same_with_hashes_in_a_file(records: list[dict[str, Any]]) -> None:
    with file_of("\n".join(map(json.dumps, records * 2)), ".jsonl") as path:
        expected = validate(path, path, run=path).model_dump()
        with mock.patch.object(HashBag.__init__, "__defaults__", (2,)):
            assert validate(path, path, run=path).model_dump() == expected


def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", fail)
    with pytest.raises(OutputError, match="a temporary file cannot be written: No space left"):
        fill([[1, 2, 3]], 2)
