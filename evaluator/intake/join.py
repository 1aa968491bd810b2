"""Joins ground truths and results from different sources by query id."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from groupwise.evaluator.intake.rows import Rows

NO_ROWS = Rows()


def concatenate(parts: Iterable[Rows]) -> Rows:
    """Return all rows of several parts."""
    rows = Rows()
    for part in parts:
        rows.extend(part)
    return rows


class IndexJoin:
    """The results of a run beside their ground truths; ``extra`` has ids without ground truth.

    Args:
        truths: The ground truths.
        row_of: The row of each by query id.
        rankings: The results.
    """

    def __init__(self, truths: Rows, row_of: Mapping[str, int], rankings: Iterator[Rows]) -> None:
        self._truths = truths
        self._row_of = row_of
        self._rankings = rankings
        self.is_seen = bytearray(len(truths))
        self.extra: dict[str, None] = {}

    def rows(self) -> Iterator[Rows]:
        """Yield the queries that have both."""
        start = 0
        for rankings in self._rankings:
            start = self._find_start(rankings, start)
            end = start + len(rankings)
            if rankings.ids == self._truths.ids[start:end]:
                self.is_seen[start:end] = b"\1" * len(rankings)
                yield self._truths.part(start, end).with_results(rankings)
            else:
                yield self._look_up(rankings)
            start = end

    def _find_start(self, rankings: Rows, expected: int) -> int:
        """Return the row of the first query, so that a part of a run may be in order, too."""
        first = rankings.ids[:1]
        if first == self._truths.ids[expected : expected + 1]:
            return expected
        return self._row_of.get(first[0], expected) if first else expected

    def _look_up(self, rankings: Rows) -> Rows:
        """Return the queries of a batch that is not in the order of the ground truth."""
        row_at: dict[int, int] = {}
        for place, query_id in enumerate(rankings.ids):
            row = self._row_of.get(query_id)
            if row is None or self.is_seen[row]:
                self.extra[query_id] = None
            else:
                self.is_seen[row] = 1
                row_at[place] = row
        return self._truths.only([*row_at.values()]).with_results(rankings.only([*row_at]))

    def missing(self) -> Rows:
        """Return the ground truths that no results were found for."""
        return self._truths.only([row for row, seen in enumerate(self.is_seen) if not seen])


class Join:
    """Pairs the ground truth of each query with its results.

    As long as both are in one order, no more than a batch of each is held. From the first
    difference on, the rest of the ground truth is, and results are looked up in it. ``missing`` has
    the ground truths without results, ``extra`` the ids of results without ground truth.
    """

    def __init__(self, truths: Iterator[Rows], rankings: Iterator[Rows]) -> None:
        self._truths = filter(len, truths)
        self._rankings = filter(len, rankings)
        self.missing = NO_ROWS
        self.extra: dict[str, None] = {}

    def rows(self) -> Iterator[Rows]:
        """Yield the queries that have both."""
        truths, rankings = next(self._truths, NO_ROWS), next(self._rankings, NO_ROWS)
        while count := min(len(truths), len(rankings)):
            if truths.ids[:count] != rankings.ids[:count]:
                break
            yield truths.part(0, count).with_results(rankings.part(0, count))
            truths = truths.part(count, len(truths)) or next(self._truths, NO_ROWS)
            rankings = rankings.part(count, len(rankings)) or next(self._rankings, NO_ROWS)
        rest = concatenate(chain([truths], self._truths))
        row_of = {query_id: row for row, query_id in enumerate(rest.ids)}
        join = IndexJoin(rest, row_of, chain([rankings], self._rankings))
        yield from join.rows()
        self.missing, self.extra = join.missing(), join.extra
