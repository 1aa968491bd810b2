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
from groupwise.schemas.ids import text_of

ROWS = 16
ROUNDING = 4e-15
"""A cosine that is nearer to 1 than this is that of two equal directions."""


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
    _known: list[int] = field(default_factory=list)
    _relevant: list[FloatArray] = field(default_factory=list)
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
        self._known.append(len(vectors))
        earlier = np.tril(find_cosines(vectors), -1)
        before = np.tri(len(earlier), k=-1, dtype=bool)
        nearest = np.where(before, earlier, -1.0).max(axis=1, initial=-1.0)
        self._query.extend([self._count] * len(vectors))
        self._rank.extend(range(1, len(vectors) + 1))
        self._total.extend(_sum_rows(earlier))
        self._nearest.extend(nearest.tolist())

    def _compare_relevant(self, table: VectorTable, truth: Truth) -> None:
        """Compare each pair of relevant documents."""
        listed = [*chain.from_iterable(groups_of(truth))]
        ids = sorted({*listed}, key=text_of)
        row_of = {document: row for row, document in enumerate(ids)}
        self._relevant.append(_compare_known(table, ids))
        self._alternative.extend(map(row_of.__getitem__, listed))

    def batch(self) -> Likeness:
        """Return the columns of the queries added since the last batch."""
        likeness = Likeness(
            np.array(self._query, np.int64),
            np.array(self._rank, np.int64),
            np.array(self._total, np.float64),
            np.array(self._nearest, np.float64),
            np.array(self._known, np.int64),
            tuple(self._relevant),
            np.array(self._alternative, np.int64),
        )
        self.__init__(self.table, self.depth)  # type: ignore[misc]
        return likeness


def _compare_known(table: VectorTable, ids: list[Id]) -> FloatArray:
    """Return the cosine of each pair of documents; NaN where one of them has no vector."""
    vectors = table.unit(ids)
    if len(vectors) == len(ids):
        return find_cosines(vectors)
    rows = [row for row, document in enumerate(ids) if len(table.unit([document]))]
    vectors = table.unit(ids[row] for row in rows)
    known = rows[: len(vectors)]
    cosines: FloatArray = np.full((len(ids), len(ids)), np.nan)
    cosines[np.ix_(known, known)] = find_cosines(vectors)
    return cosines


def _sum_rows(values: FloatArray) -> list[float]:
    """Return the sum of each row, taken from left to right: zeros at its end change no bit."""
    return [float(total) for total in values.cumsum(axis=1)[:, -1:].ravel()]


def find_cosines(vectors: FloatArray) -> FloatArray:
    """Return the cosine of each pair of unit vectors, from -1 to 1.

    Blocks of one size are multiplied, so that a cosine is the same to the last bit whichever other
    vectors are compared.
    """
    count, width = vectors.shape
    blocks = -(-count // ROWS)
    rows = blocks * ROWS
    parts = np.concatenate([vectors, np.zeros((rows - count, width))]).reshape(blocks, ROWS, width)
    products = parts[:, None] @ parts.transpose(0, 2, 1)[None]
    cosines = products.transpose(0, 2, 1, 3).reshape(rows, rows)[:count, :count]
    rounded: FloatArray = np.where(np.abs(cosines) > 1 - ROUNDING, np.sign(cosines), cosines)
    return rounded
