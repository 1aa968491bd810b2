"""Vectors by document id, from a side file: ``NAME.npy`` beside ``NAME.ids.txt``, or JSON Lines.

The matrix of an ``.npy`` file is mapped into memory, not read. Ids are compared as text.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from groupwise.evaluator.arrays import np
from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.batch import Reading
from groupwise.evaluator.formats.jsonl import JsonLines
from groupwise.evaluator.formats.source import Source
from groupwise.evaluator.vectors import VectorTable
from groupwise.schemas import Id


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
