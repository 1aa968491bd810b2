"""Ground truths and results that come apart, joined by query id."""

from collections.abc import Iterator

from groupwise.evaluator.intake.rows import Rows


class Join:
    """Ground truths and results that come apart, brought together by query id.

    Equally many rows are taken from both sides, so that sources in the same order are joined
    without holding back more than a batch. ``missing`` and ``extra`` hold what found no partner.
    """

    def __init__(self, truths: Iterator[Rows], rankings: Iterator[Rows]) -> None:
        self._truths = truths
        self._rankings = rankings
        self.missing: dict[str, Rows] = {}
        self.extra: dict[str, Rows] = {}

    def rows(self) -> Iterator[Rows]:
        """The queries that have both, as many at a time as both sides have at hand."""
        truths, rankings = _some(self._truths), _some(self._rankings)
        while truths and rankings:
            count = min(len(truths), len(rankings))
            yield self._paired(truths.part(0, count), rankings.part(0, count))
            truths = _rest(truths, count) or _some(self._truths)
            rankings = _rest(rankings, count) or _some(self._rankings)
        yield from self._unpaired(truths, rankings)

    def _unpaired(self, truths: Rows, rankings: Rows) -> Iterator[Rows]:
        """One side has come to its end."""
        if truths or rankings:
            yield self._paired(truths, rankings)
        for more in self._truths:
            yield self._paired(more, NO_ROWS)
        for more in self._rankings:
            yield self._paired(NO_ROWS, more)

    def _paired(self, truths: Rows, rankings: Rows) -> Rows:
        if truths.ids == rankings.ids and not self.missing and not self.extra:
            return truths.with_results(rankings)
        self.missing.update(_each(truths))
        self.extra.update(_each(rankings))
        paired = Rows()
        for query_id in dict.fromkeys([*truths.ids, *rankings.ids]):
            if query_id in self.missing and query_id in self.extra:
                truth = self.missing.pop(query_id)
                paired.extend(truth.with_results(self.extra.pop(query_id)))
        return paired


NO_ROWS = Rows()


def _some(side: Iterator[Rows]) -> Rows:
    """The next rows of a side, as soon as there are any; none at its end."""
    return next(filter(len, side), NO_ROWS)


def _rest(rows: Rows, done: int) -> Rows:
    return rows.part(done, len(rows)) if done < len(rows) else NO_ROWS


def _each(rows: Rows) -> Iterator[tuple[str, Rows]]:
    for number, query_id in enumerate(rows.ids):
        yield query_id, rows.only([number])
