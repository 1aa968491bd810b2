"""A mean is the exact sum over the number, rounded once, in whatever order and pieces it comes."""

import math
import random
import sys
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import evaluate
from groupwise.evaluator.statistics.means import ExactMeans

DOUBLES = st.floats(-sys.float_info.max / 4, sys.float_info.max / 4)
NASTY = st.sampled_from(
    [0.0, 5e-324, 2.2250738585072014e-308, sys.float_info.min, 1e-17, 0.1, 0.8, 1.0, 1e16, 1e300]
)
COLUMNS = st.lists(DOUBLES | NASTY, min_size=1, max_size=30)


def mean_of(values: list[float], *cuts: int) -> float | None:
    """The mean of a column that arrives in the pieces between the cuts."""
    means = ExactMeans(1)
    places = [0, *sorted(cut % (len(values) + 1) for cut in cuts), len(values)]
    for start, end in pairwise(places):
        means.add(np.array([values[start:end]], np.float64))
    (found,) = means.means()
    return found


def exact(values: list[float]) -> float:
    return float(sum(map(Fraction, values)) / len(values))


def test_n_times_eight_tenths_is_eight_tenths() -> None:
    wrong = [n for n in range(1, 2000) if mean_of([0.8] * n) != 0.8]
    assert wrong == []


@pytest.mark.parametrize("n", [3, 10, 49, 1398, 1999])
def test_queries_of_eight_tenths_average_to_eight_tenths(n: int) -> None:
    truth, results = [["a"], ["b"], ["c"], ["d"]], ["a", "b", "c", "d", "x"]
    assert evaluate([truth] * n, [results] * n, metrics="precision").scores["precision"] == 0.8


@given(COLUMNS)
def test_a_mean_is_the_exact_one_rounded_once(values: list[float]) -> None:
    assert mean_of(values) == exact(values)


@given(values=COLUMNS, source=st.randoms(), cuts=st.lists(st.integers(0, 30), max_size=4))
def test_order_and_pieces_change_nothing(
    values: list[float], source: random.Random, cuts: list[int]
) -> None:
    shuffled = source.sample(values, len(values))
    assert mean_of(shuffled, *cuts) == mean_of(values)


@given(st.lists(st.tuples(*[DOUBLES | NASTY | st.just(math.nan)] * 3), min_size=1, max_size=20))
def test_columns_are_apart_and_what_is_not_scored_is_not_counted(
    rows: list[tuple[float, ...]],
) -> None:
    means = ExactMeans(3)
    means.add(np.array(rows, np.float64).T)
    columns = [[one for one in column if not math.isnan(one)] for column in zip(*rows, strict=True)]
    assert means.means() == [exact(column) if column else None for column in columns]
    assert means.counts == [len(column) for column in columns]


@pytest.mark.nightly
def test_a_million_doubles_of_all_sizes() -> None:
    source = np.random.default_rng(7)
    values = np.ldexp(source.random(1_000_000), source.integers(-1070, 900, 1_000_000))
    means = ExactMeans(1)
    for block in np.array_split(values, 7):
        means.add(block[None, :])
    assert means.means() == [float(sum(map(Fraction, values.tolist())) / len(values))]


def test_nothing_has_no_mean() -> None:
    means = ExactMeans(2)
    means.add(np.zeros((2, 0)))
    assert means.means() == [None, None]
