"""A side file of vectors is read, or refused in one line that names it."""

from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from groupwise import InputError, evaluate

TRUTH, RUN = {"q": [["a"]]}, {"q": ["a", "b"]}


def written(folder: Path, matrix: NDArray[Any], ids: str = "a\nb\n") -> Path:
    path = folder / "v.npy"
    np.save(path, matrix)
    path.with_suffix(".ids.txt").write_text(ids, "utf-8")
    return path


def test_vectors_at_right_angles_are_as_unlike_as_can_be(tmp_path: Path) -> None:
    path = written(tmp_path, np.eye(2, dtype=np.float32))
    assert evaluate(TRUTH, RUN, metrics="ild", vectors=path).scores["ild"] == 1.0


@pytest.mark.parametrize(
    ("matrix", "ids", "said"),
    [
        (np.array([["x", "y"], ["z", "w"]]), "a\nb\n", "expected a matrix of numbers"),
        (np.eye(2), "a\n", "expected a matrix with a row per id"),
        (np.ones(2), "a\nb\n", "expected a matrix with a row per id"),
        (np.eye(2), "a\na\n", "an id is repeated"),
        (np.array([[1, 2], [3, np.nan]]), "a\nb\n", 'npy: row 2: the vector of "b" has a NaN'),
        (np.array([[np.inf, 2], [3, 4]], np.float16), "a\nb\n", 'npy: row 1: the vector of "a"'),
    ],
)
def test_an_unsound_matrix_is_refused(
    tmp_path: Path, matrix: NDArray[Any], ids: str, said: str
) -> None:
    path = written(tmp_path, matrix, ids)
    with pytest.raises(InputError, match=said):
        evaluate(TRUTH, RUN, metrics="ild", vectors=path)


@pytest.mark.parametrize("content", [b"", b"\x93NUMPY", b"not a matrix"])
def test_what_is_no_matrix_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "v.npy"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"v\.npy: not a \.npy matrix"):
        evaluate(TRUTH, RUN, metrics="ild", vectors=path)


def test_every_prefix_and_every_damaged_byte_of_a_matrix_is_refused_or_read(tmp_path: Path) -> None:
    path = written(tmp_path, np.eye(2, dtype=np.float32))
    sound = path.read_bytes()
    header = len(sound) - 16
    signs = (b"(", b"\\", b"'", b"\xff", b"0")
    places = product(range(header), signs)
    damaged = [sound[:place] + sign + sound[place + 1 :] for place, sign in places]
    for content in (*damaged, *(sound[:end] for end in range(header))):
        path.write_bytes(content)
        with suppress(InputError):
            evaluate(TRUTH, RUN, metrics="ild", vectors=path)


def test_an_archive_of_matrices_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, np.eye(2))
    with path.open("wb") as file:
        np.savez(file, a=np.eye(2))
    with pytest.raises(InputError, match=r"v\.npy: expected a \.npy matrix, got an archive"):
        evaluate(TRUTH, RUN, metrics="ild", vectors=path)
