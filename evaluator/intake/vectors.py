"""Vectors by document id, as text: a table in memory, and the side files it comes from.

A side file is ``NAME.npy`` beside ``NAME.ids.txt``, or JSON Lines. The matrix of an ``.npy`` file
is mapped into memory, not read.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.hits.arrays import FloatArray, np
from groupwise.evaluator.reading.jsonl import JsonLines
from groupwise.evaluator.reading.records import Reading
from groupwise.evaluator.reading.source import Source
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


def vector_table(given: Any) -> VectorTable:
    """A table from a path, or from a mapping of ids to vectors."""
    if isinstance(given, VectorTable):
        return given
    if isinstance(given, Mapping):
        return _checked(list(given), _stacked(list(given.values()), "vectors"), "vectors")
    path = Path(os.fspath(given))
    return _from_matrix(path) if path.suffix == ".npy" else _from_lines(path)


def _from_matrix(path: Path) -> VectorTable:
    try:
        matrix = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise InputError([Problem("no such file", str(path))]) from None
    except (OSError, ValueError, EOFError) as error:
        raise InputError([Problem(f"not a .npy matrix: {error}", str(path))]) from None
    return _checked(_ids_beside(path), matrix, str(path))


def _ids_beside(path: Path) -> list[str]:
    beside = path.with_suffix(".ids.txt")
    try:
        return beside.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        message = f"its ids are missing: {beside.name} should hold one id per line, in UTF-8"
        raise InputError([Problem(message, str(path))]) from None


def _from_lines(path: Path) -> VectorTable:
    ids: list[Id] = []
    vectors: list[Any] = []
    reading = Reading()
    for batch in JsonLines(Source(path)).batches(reading):
        for number, value in enumerate(batch.values):
            if not isinstance(value, dict) or not {"id", "vector"} <= value.keys():
                line, column = batch.place(number, [])
                message = "a record with id and vector belongs here"
                raise InputError([Problem(message, str(path), line, column)])
            ids.append(value["id"])
            vectors.append(value["vector"])
    if reading.problems:
        raise InputError(reading.problems)
    return _checked(ids, _stacked(vectors, str(path)), str(path))


def _stacked(vectors: list[Any], source: str) -> Any:
    try:
        return np.array(vectors, np.float32)
    except (ValueError, TypeError):
        message = "vectors are lists of numbers, all equally long"
        raise InputError([Problem(message, source)]) from None


def _checked(ids: list[Any], matrix: Any, source: str) -> VectorTable:
    if matrix.dtype.kind not in "fiu":
        message = f"a matrix of {matrix.dtype}; vectors are numbers"
        raise InputError([Problem(message, source)])
    if matrix.ndim != 2 or len(ids) != len(matrix):
        message = f"{len(ids)} ids for a matrix of shape {matrix.shape}; there is a row per id"
        raise InputError([Problem(message, source)])
    if len(set(map(str, ids))) != len(ids):
        raise InputError([Problem("an id is repeated", source)])
    return VectorTable(ids, matrix)
