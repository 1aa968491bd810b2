"""Vectors of documents, found by id as text."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from groupwise.evaluator.arrays import FloatArray, np
from groupwise.schemas import Id


class VectorTable:
    """Vectors of documents, found by id."""

    def __init__(self, ids: Iterable[Id], matrix: Any) -> None:
        self._row = {str(one): row for row, one in enumerate(ids)}
        self._matrix = matrix
        self._given: Mapping[str, Sequence[float]] = {}

    def __len__(self) -> int:
        return len(self._row)

    def unit(self, ids: Iterable[Id]) -> FloatArray | None:
        """The vectors of these documents, each of length 1; None if one is missing or is 0."""
        found = [self._vector(str(one)) for one in ids]
        if not found or any(one is None or len(one) != len(found[0]) for one in found):
            return None
        return unit_vectors(found)

    def _vector(self, document: str) -> Any:
        if document in self._given:
            return self._given[document]
        return self._matrix[self._row[document]] if document in self._row else None

    def with_given(self, given: Mapping[str, Sequence[float]]) -> "VectorTable":
        """The same table, with vectors that came with the results before its own."""
        table = VectorTable([], self._matrix)
        table._row, table._given = self._row, given
        return table


def unit_vectors(vectors: Any) -> FloatArray | None:
    """The vectors, each of length 1; None if one of them is 0."""
    vectors = np.asarray(vectors, np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / lengths if (lengths > 0).all() else None
