"""Similarity of the results of a query: the cosines of their vectors."""

from array import array
from dataclasses import dataclass, field
from itertools import chain

from groupwise.evaluator.hits import Likeness
from groupwise.evaluator.hits.arrays import FloatArray, np
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.intake.vectors import VectorTable
from groupwise.evaluator.matching.truths import groups_of
from groupwise.schemas import Id, Truth


@dataclass
class LikenessColumns:
    """Collects queries, of which the first ``depth`` results are compared; None: all."""

    table: VectorTable
    depth: int | None = None
    _count: int = 0
    _query: "array[int]" = field(default_factory=lambda: array("q"))
    _rank: "array[int]" = field(default_factory=lambda: array("q"))
    _total: "array[float]" = field(default_factory=lambda: array("d"))
    _nearest: "array[float]" = field(default_factory=lambda: array("d"))
    _known: list[bool] = field(default_factory=list)
    _relevant: list[FloatArray | None] = field(default_factory=list)
    _alternative: "array[int]" = field(default_factory=lambda: array("q"))

    def add(self, rows: Rows) -> None:
        """Compare each result of some queries with those before it."""
        given = rows.vectors or [None] * len(rows)
        for truth, ranking, own in zip(rows.truths, rows.results, given, strict=True):
            table = self.table.with_given(own) if own else self.table
            self._compare(table, ranking[: self.depth])
            self._compare_relevant(table, truth)
            self._count += 1

    def _compare(self, table: VectorTable, ranking: list[Id]) -> None:
        vectors = table.unit(ranking)
        self._known.append(vectors is not None)
        if vectors is None:
            return
        earlier = np.tril(np.asarray(vectors @ vectors.T, np.float64), -1)
        nearest = np.where(np.tri(len(earlier), k=-1, dtype=bool), earlier, -1.0).max(axis=1)
        self._query.extend([self._count] * len(ranking))
        self._rank.extend(range(1, len(ranking) + 1))
        self._total.extend(earlier.sum(axis=1).tolist())
        self._nearest.extend(nearest.tolist())

    def _compare_relevant(self, table: VectorTable, truth: Truth) -> None:
        """Compare each pair of relevant documents."""
        listed = [*chain.from_iterable(groups_of(truth))]
        ids = sorted({*listed}, key=str)
        row_of = {document: row for row, document in enumerate(ids)}
        vectors = table.unit(ids)
        cosines = None if vectors is None else np.asarray(vectors @ vectors.T, np.float64)
        self._relevant.append(cosines)
        self._alternative.extend(map(row_of.__getitem__, listed))

    def batch(self) -> Likeness:
        """Return the columns of the queries added since the last batch."""
        likeness = Likeness(
            np.array(self._query, np.int64),
            np.array(self._rank, np.int64),
            np.array(self._total, np.float64),
            np.array(self._nearest, np.float64),
            np.array(self._known, np.bool_),
            tuple(self._relevant),
            np.array(self._alternative, np.int64),
        )
        self.__init__(self.table, self.depth)  # type: ignore[misc]
        return likeness
