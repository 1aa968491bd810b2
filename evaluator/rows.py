"""Sound cases in rows: what the schemas hand to matching, some queries at a time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from groupwise.schemas import Id, Truth

Expected = Mapping[str, float | None]


@dataclass(slots=True)
class Rows:
    """Queries by id, and in columns what is known of them; a column nobody gave is empty."""

    ids: list[str] = field(default_factory=list)
    truths: list[Truth] = field(default_factory=list)
    results: list[list[Id]] = field(default_factory=list)
    expected: list[Expected] = field(default_factory=list)
    scores: list[list[float] | None] = field(default_factory=list)
    not_relevant: list[list[Id]] = field(default_factory=list)
    tokens: list[list[int] | None] = field(default_factory=list)
    vectors: list[Mapping[str, Sequence[float]] | None] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.ids)

    def extend(self, others: "Rows") -> None:
        """Add other rows at the end; where only one side has a column, the other gets blanks."""
        for column, blank in _BLANKS.items():
            own, new = getattr(self, column), getattr(others, column)
            if own or new:
                own.extend([blank] * (len(self) - len(own)))
                own.extend(new or [blank] * len(others))
        self.ids.extend(others.ids)

    def only(self, numbers: list[int]) -> "Rows":
        """Some of the rows."""
        return Rows(
            [self.ids[number] for number in numbers],
            *(
                [column[number] for number in numbers] if column else []
                for column in self._columns()
            ),
        )

    def _columns(self) -> list[list[Any]]:
        return [getattr(self, column) for column in _BLANKS]

    def with_results(self, others: "Rows") -> "Rows":
        """The same queries with the results of others, row by row."""
        return Rows(
            self.ids,
            self.truths,
            others.results,
            scores=others.scores,
            not_relevant=self.not_relevant,
            tokens=others.tokens,
            vectors=others.vectors,
        )


_BLANKS: dict[str, Any] = {
    "truths": [],
    "results": [],
    "expected": {},
    "scores": None,
    "not_relevant": [],
    "tokens": None,
    "vectors": None,
}


class Join:
    """Ground truths and results that come apart, brought together by query id.

    Rows are taken from the side that is behind, so that sources in the same order are joined
    without holding back more than a batch. ``missing`` and ``extra`` hold what found no partner.
    """

    def __init__(self, truths: Iterator[Rows], rankings: Iterator[Rows]) -> None:
        self._truths = truths
        self._rankings = rankings
        self.missing: dict[str, Rows] = {}
        self.extra: dict[str, Rows] = {}

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
            return truths.with_results(rankings)
        self.missing.update(_each(truths))
        self.extra.update(_each(rankings))
        paired = Rows()
        for query_id in dict.fromkeys([*truths.ids, *rankings.ids]):
            if query_id in self.missing and query_id in self.extra:
                truth = self.missing.pop(query_id)
                paired.extend(truth.with_results(self.extra.pop(query_id)))
        return paired


def _each(rows: Rows) -> Iterator[tuple[str, Rows]]:
    for number, query_id in enumerate(rows.ids):
        yield query_id, rows.only([number])
