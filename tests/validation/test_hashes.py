"""Bags of hashes: what occurs, and what more than once."""

from collections import Counter
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise.evaluator.validation.facts import hashes
from groupwise.evaluator.validation.facts.hashes import HashBag, count_occurring

EDGES = [0, 1, -1, -2, 63, 64, -64, 2**63 - 1, 1 - 2**63, 2**58, -(2**58)]
NUMBERS = st.one_of(st.sampled_from(EDGES), st.integers(-5, 70), st.integers(1 - 2**63, 2**63 - 1))
ADDED = st.lists(st.lists(NUMBERS, max_size=12), max_size=8)
LEAST = st.sampled_from([1, 7, 1 << 16])


def fill(parts: list[list[int]]) -> HashBag:
    bag = HashBag()
    for part in parts:
        bag.add(part)
    return bag


def check(bag: HashBag, times: "Counter[int]") -> None:
    """Compare a bag with how often each hash was added."""
    assert bag.distinct.tolist() == sorted(times)
    assert bag.repeated.tolist() == sorted(number for number, n in times.items() if n > 1)


@given(ADDED, LEAST)
def test_what_was_added_is_there_and_what_was_added_again_is_repeated(
    parts: list[list[int]], least: int
) -> None:
    with mock.patch.object(hashes, "LEAST_SORTED", least):
        bag = fill(parts)
        times = Counter(number for part in parts for number in part)
        check(bag, times)
        bag.add([5, 5])
        check(bag, times + Counter({5: 2}))


@given(st.lists(ADDED, max_size=4))
def test_bags_are_counted_together(bags: list[list[list[int]]]) -> None:
    times = Counter(number for parts in bags for part in parts for number in part)
    repeated = sum(count > 1 for count in times.values())
    assert count_occurring([*map(fill, bags)]) == (len(times), repeated)


def test_hashes_that_come_often_take_no_more_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashes, "LEAST_SORTED", 100)
    bag = fill([[*range(50)]] * 1000)
    assert bag.distinct.tolist() == bag.repeated.tolist() == [*range(50)]
    assert len(bag._added) + len(bag._held) <= 200
