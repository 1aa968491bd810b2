"""Ranks are counted, not averaged: how many, the median, the worst."""

from statistics import median

from hypothesis import given
from hypothesis import strategies as st

from groupwise import evaluate


@given(st.lists(st.integers(0, 9), min_size=1, max_size=20))
def test_ranks_are_summed_up_by_median_and_worst(ranks: list[int]) -> None:
    """A query's ranking has its one relevant document at this rank; at 0 it has none."""
    results = [["x"] * (rank - 1) + ["a"] if rank else ["x"] for rank in ranks]
    report = evaluate([[["a"]]] * len(ranks), results, metrics=["first_hit", "completion_rank"])
    found = [rank for rank in ranks if rank]
    assert report.scores == {}
    for name in ("first_hit", "completion_rank"):
        summary = report.ranks[name]
        assert (summary.found, summary.not_found) == (len(found), len(ranks) - len(found))
        assert summary.median == (median(found) if found else None)
        assert summary.worst == (max(found) if found else None)
        assert [report.per_query[str(row)][name] for row in range(len(ranks))] == [
            rank or None for rank in ranks
        ]
