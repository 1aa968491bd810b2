"""Joins ground truths and results from different sources by query id."""

from collections.abc import Iterator

from groupwise.evaluator.intake.rows import Rows

NO_ROWS = Rows()


class Join:
    """Pairs the ground truth of each query with its results.

    Equally many rows are taken from both sides, so that sources in the same order are joined
    without holding back more than a batch. ``missing`` has the ground truths that found no
    results, ``extra`` the results that found no ground truth.
    """

    def __init__(self, truths: Iterator[Rows], rankings: Iterator[Rows]) -> None:
        self._truths = truths
        self._rankings = rankings
        self.missing: dict[str, Rows] = {}
        self.extra: dict[str, Rows] = {}

    def rows(self) -> Iterator[Rows]:
        """Yield the queries that have both, as many at a time as both sides have at hand."""
        truths, rankings = _take_next(self._truths), _take_next(self._rankings)
        while truths or rankings:
            count = min(len(truths), len(rankings)) or max(len(truths), len(rankings))
            yield self._pair(truths.part(0, count), rankings.part(0, count))
            truths = _drop(truths, count) or _take_next(self._truths)
            rankings = _drop(rankings, count) or _take_next(self._rankings)

    def _pair(self, truths: Rows, rankings: Rows) -> Rows:
        if truths.ids == rankings.ids and not self.missing and not self.extra:
            return truths.with_results(rankings)
        self.missing.update(_rows_by_id(truths))
        self.extra.update(_rows_by_id(rankings))
        pairs = Rows()
        for query_id in dict.fromkeys([*truths.ids, *rankings.ids]):
            if query_id in self.missing and query_id in self.extra:
                truth = self.missing.pop(query_id)
                pairs.extend(truth.with_results(self.extra.pop(query_id)))
        return pairs


def _take_next(side: Iterator[Rows]) -> Rows:
    """Return the next rows of a side that has any; no rows at its end."""
    return next(filter(len, side), NO_ROWS)


def _drop(rows: Rows, count: int) -> Rows:
    return rows.part(count, len(rows)) if count < len(rows) else NO_ROWS


def _rows_by_id(rows: Rows) -> Iterator[tuple[str, Rows]]:
    for number, query_id in enumerate(rows.ids):
        yield query_id, rows.only([number])
