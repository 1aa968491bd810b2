"""Vectors by document id, from a mapping or a file.

A file is ``NAME.npy`` beside ``NAME.ids.txt``, or JSON Lines with ``id`` and ``vector``. The matrix
of an ``.npy`` file is mapped into memory. Ids are compared as text.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.hits.arrays import FloatArray, np
from groupwise.evaluator.reading.file import unwrap
from groupwise.evaluator.reading.jsonl import JsonLines
from groupwise.evaluator.reading.limits import limiting_records
from groupwise.evaluator.reading.records import Reading
from groupwise.evaluator.reading.source import Source, describe_failure
from groupwise.evaluator.text import plural, quote, quote_id
from groupwise.schemas import Id
from groupwise.schemas.ids import text_of

ROWS_AT_ONCE = 1 << 12


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

        A vector of 0, or of another length than the first, is none.
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
    """Return finite vectors scaled to length 1, up to the first that is 0.

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
        InputError: The file cannot be read, or does not hold a vector of finite numbers per id.
    """
    if isinstance(given, VectorTable):
        return given
    if isinstance(given, Mapping):
        return _build_table(list(given), list(given.values()), "vectors")
    given, options = unwrap(given)
    if not isinstance(given, str | os.PathLike):
        message = f"expected a vector per document by its id, or a path; got {quote(given)}"
        raise _error(f"vectors: {message}", None)
    path = Path(os.fspath(given))
    if path.suffix == ".npy":
        matrix = _map_matrix(path)
        return _build_table(_read_ids_beside(path), matrix, str(path))
    with limiting_records(options.max_record_bytes):
        return _build_table(*_read_lines(Source(path, options.max_bytes)), str(path))


def _map_matrix(path: Path) -> Any:
    try:
        matrix = np.load(path, mmap_mode="r", allow_pickle=False)
    except OSError as error:
        raise _error(describe_failure(error), str(path)) from None
    except Exception:  # noqa: BLE001  (a header is parsed as Python, which fails in many ways)
        message = "not a .npy matrix of numbers, or a damaged one"
        raise _error(message, str(path)) from None
    if not isinstance(matrix, np.ndarray):
        matrix.close()
        message = "expected a .npy matrix, got an archive (.npz): save the matrix by itself"
        raise _error(message, str(path))
    return matrix


def _read_ids_beside(path: Path) -> list[str]:
    beside = path.with_suffix(".ids.txt")
    try:
        return beside.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        message = f"no ids: expected {beside.name} beside it, with one id per line in UTF-8"
        raise _error(message, str(path)) from None


def _read_lines(source: Source) -> tuple[list[Any], list[Any]]:
    ids: list[Any] = []
    vectors: list[Any] = []
    reading = Reading()
    for batch in JsonLines(source).batches(reading):
        for number, value in enumerate(batch.values):
            record = value if isinstance(value, dict) else {}
            if type(record.get("id")) not in (str, int) or "vector" not in record:
                place = batch.place(number, [])
                raise _error("expected a record with id and vector", source.path, *place)
            ids.append(record["id"])
            vectors.append(record["vector"])
    reading.refuse()
    return ids, vectors


def _build_table(ids: list[Any], rows: Any, source: str) -> VectorTable:
    """Return the table, if there is a row of finite numbers for each id, and no id is repeated."""
    try:
        matrix = rows if isinstance(rows, np.ndarray) else np.array(rows, np.float64)
    except (ValueError, TypeError, OverflowError):
        message = "expected vectors that are lists of numbers of equal length"
        raise _error(message, source) from None
    if matrix.dtype.kind not in "fiu":
        raise _error(f"expected a matrix of numbers, got one of {matrix.dtype}", source)
    if matrix.ndim != 2 or len(ids) != len(matrix):
        shape = f"{plural(len(ids), 'id')} and shape {matrix.shape}"
        raise _error(f"expected a matrix with a row per id, got {shape}", source)
    table = VectorTable(ids, matrix)
    if len(table) != len(ids):
        raise _error("an id is repeated", source)
    for start in range(0, len(matrix) if matrix.dtype.kind == "f" else 0, ROWS_AT_ONCE):
        sound = np.isfinite(matrix[start : start + ROWS_AT_ONCE]).all(axis=1)
        if not sound.all():
            row = start + int(sound.argmin())
            message = f"the vector of {quote_id(ids[row])} has a NaN or an infinite number"
            raise _error(f"row {row + 1:,}: {message}", source)
    return table


def _error(message: str, source: str | None, line: int = 0, column: int = 0) -> InputError:
    return InputError([Problem(message, source, line or None, column or None)])
