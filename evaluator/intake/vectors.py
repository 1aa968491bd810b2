"""Vectors by document id, from a mapping or a file.

A file is ``NAME.npy`` beside ``NAME.ids.txt``, or JSON Lines with ``id`` and ``vector``. The matrix
of an ``.npy`` file is mapped into memory, not read. Ids are compared as text.
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
from groupwise.evaluator.text import plural, quote
from groupwise.schemas import Id
from groupwise.schemas.ids import text_of


class VectorTable:
    """Vectors of documents by id."""

    def __init__(self, ids: Iterable[Id], matrix: Any) -> None:
        self._row = {text_of(document): row for row, document in enumerate(ids)}
        self._matrix = matrix
        self._given: Mapping[str, Sequence[float]] = {}

    def __len__(self) -> int:
        return len(self._row)

    def unit(self, ids: Iterable[Id]) -> FloatArray:
        """Return the vectors of documents, scaled to length 1, up to the first without one.

        A vector of 0, one that is not finite, or of another length than the first is none.
        """
        found: list[Any] = []
        for document in ids:
            vector = self._find_vector(text_of(document))
            if vector is None or (found and len(vector) != len(found[0])):
                break
            found.append(vector)
        return unit_vectors(found)

    def _find_vector(self, document: str) -> Any:
        if document in self._given:
            return self._given[document]
        return self._matrix[self._row[document]] if document in self._row else None

    def with_given(self, given: Mapping[str, Sequence[float]]) -> "VectorTable":
        """Return the same table with vectors given with the results, which take precedence."""
        table = VectorTable([], self._matrix)
        table._row, table._given = self._row, given
        return table


def unit_vectors(vectors: list[Any]) -> FloatArray:
    """Return vectors scaled to length 1, up to the first that is 0 or not finite.

    They are scaled by a power of two first, so that no square is too large or too small.
    """
    given = np.asarray(vectors, np.float64).reshape(len(vectors), len(vectors[0]) if vectors else 0)
    largest = np.abs(given).max(axis=1, initial=0.0)
    unsound = np.flatnonzero(~((largest > 0) & np.isfinite(largest)))
    count = int(unsound[0]) if len(unsound) else len(given)
    _, exponents = np.frexp(largest[:count, None])
    scaled = np.ldexp(given[:count], -exponents)
    unit: FloatArray = scaled / np.sqrt((scaled * scaled).sum(axis=1, keepdims=True))
    return unit


def load_vectors(given: Any) -> VectorTable:
    """Return the table in a path, or in a mapping of ids to vectors.

    Raises:
        InputError: The file cannot be read, or does not hold a vector per id.
    """
    if isinstance(given, VectorTable):
        return given
    if isinstance(given, Mapping):
        return _build_table(list(given), _stack(list(given.values()), "vectors"), "vectors")
    if not isinstance(given, str | os.PathLike):
        message = (
            f"vectors: expected a vector per document by its id, or a path; got {quote(given)}"
        )
        raise InputError([Problem(message)])
    path = Path(os.fspath(given))
    return _read_matrix(path) if path.suffix == ".npy" else _read_lines(path)


def _read_matrix(path: Path) -> VectorTable:
    try:
        matrix = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise InputError([Problem("no such file", str(path))]) from None
    except Exception as error:  # noqa: BLE001  (a header is parsed as Python, which fails in many ways)
        reason = str(error) or type(error).__name__
        raise InputError([Problem(f"not a .npy matrix: {reason}", str(path))]) from None
    if not isinstance(matrix, np.ndarray):
        matrix.close()
        message = "expected a .npy matrix, got an archive (.npz): save the matrix by itself"
        raise InputError([Problem(message, str(path))])
    return _build_table(_read_ids_beside(path), matrix, str(path))


def _read_ids_beside(path: Path) -> list[str]:
    beside = path.with_suffix(".ids.txt")
    try:
        return beside.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        message = f"no ids: expected {beside.name} beside it, with one id per line in UTF-8"
        raise InputError([Problem(message, str(path))]) from None


def _read_lines(path: Path) -> VectorTable:
    ids: list[Id] = []
    vectors: list[Any] = []
    reading = Reading()
    for batch in JsonLines(Source(path)).batches(reading):
        for number, value in enumerate(batch.values):
            if not isinstance(value, dict) or not {"id", "vector"} <= value.keys():
                line, column = batch.place(number, [])
                message = "expected a record with id and vector"
                raise InputError([Problem(message, str(path), line, column)])
            ids.append(value["id"])
            vectors.append(value["vector"])
    reading.refuse()
    return _build_table(ids, _stack(vectors, str(path)), str(path))


def _stack(vectors: list[Any], source: str) -> Any:
    try:
        return np.array(vectors, np.float64)
    except (ValueError, TypeError, OverflowError):
        message = "expected vectors that are lists of numbers of equal length"
        raise InputError([Problem(message, source)]) from None


def _build_table(ids: list[Any], matrix: Any, source: str) -> VectorTable:
    if matrix.dtype.kind not in "fiu":
        message = f"expected a matrix of numbers, got one of {matrix.dtype}"
        raise InputError([Problem(message, source)])
    if matrix.ndim != 2 or len(ids) != len(matrix):
        message = (
            f"expected a matrix with a row per id, got {plural(len(ids), 'id')} and shape "
            f"{matrix.shape}"
        )
        raise InputError([Problem(message, source)])
    if len(set(map(text_of, ids))) != len(ids):
        raise InputError([Problem("an id is repeated", source)])
    return VectorTable(ids, matrix)
