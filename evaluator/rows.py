"""Sound cases in rows: what the schemas hand to matching, some queries at a time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from groupwise.evaluator.id_lists import TextLists
from groupwise.schemas import Id, Truth

Expected = Mapping[str, float | None]
Rankings: TypeAlias = "list[list[Id]] | TextLists"


@dataclass(slots=True)
class Rows:
    """Queries by id, and in columns what is known of them; a column nobody gave is empty."""

    ids: list[str] = field(default_factory=list)
    truths: list[Truth] = field(default_factory=list)
    results: Rankings = field(default_factory=list)
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

    def part(self, start: int, end: int) -> "Rows":
        """The rows from one to another."""
        if start == 0 and end == len(self):
            return self
        return Rows(self.ids[start:end], *(column[start:end] for column in self._columns()))

    def _columns(self) -> list[Any]:
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
