"""Sound cases in rows: what the schemas hand to matching, some queries at a time."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from groupwise.schemas import Id, Truth

Expected = Mapping[str, float | None]


@dataclass(slots=True)
class Rows:
    """Queries by id; their ground truths, their results and what is expected, as far as known."""

    ids: list[str] = field(default_factory=list)
    truths: list[Truth] = field(default_factory=list)
    results: list[list[Id]] = field(default_factory=list)
    expected: list[Expected] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.ids)

    def extend(self, others: "Rows") -> None:
        """Add other rows of the same kind at the end."""
        self.ids.extend(others.ids)
        self.truths.extend(others.truths)
        self.results.extend(others.results)
        self.expected.extend(others.expected or [{}] * len(others))


class Join:
    """Ground truths and results that come apart, brought together by query id.

    Rows are taken from the side that is behind, so that sources in the same order are joined
    without holding back more than a batch. ``missing`` and ``extra`` hold what found no partner.
    """

    def __init__(self, truths: Iterator[Rows], rankings: Iterator[Rows]) -> None:
        self._truths = truths
        self._rankings = rankings
        self.missing: dict[str, Truth] = {}
        self.extra: dict[str, list[Id]] = {}

    def rows(self) -> Iterator[Rows]:
        """The queries that have both."""
        ahead = 0
        while True:
            truths = next(self._truths, None) if ahead <= 0 else Rows()
            rankings = next(self._rankings, None) if ahead >= 0 else Rows()
            if truths is None or rankings is None:
                break
            ahead += len(truths) - len(rankings)
            yield self._paired(truths, rankings)
        yield from self._rest(truths or Rows(), rankings or Rows())

    def _rest(self, truths: Rows, rankings: Rows) -> Iterator[Rows]:
        """One side has come to its end."""
        yield self._paired(truths, rankings)
        for more in self._truths:
            yield self._paired(more, Rows())
        for more in self._rankings:
            yield self._paired(Rows(), more)

    def _paired(self, truths: Rows, rankings: Rows) -> Rows:
        if truths.ids == rankings.ids and not self.missing and not self.extra:
            return Rows(truths.ids, truths.truths, rankings.results)
        paired = Rows()
        self.missing.update(zip(truths.ids, truths.truths, strict=True))
        self._pair(paired, rankings.ids, rankings.results)
        waiting = [one for one in truths.ids if one in self.extra]
        self._pair(paired, waiting, [self.extra.pop(one) for one in waiting])
        return paired

    def _pair(self, paired: Rows, ids: list[str], results: list[list[Id]]) -> None:
        for query_id, ranking in zip(ids, results, strict=True):
            if query_id in self.missing:
                paired.ids.append(query_id)
                paired.truths.append(self.missing.pop(query_id))
                paired.results.append(ranking)
            else:
                self.extra[query_id] = ranking
