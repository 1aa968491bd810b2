"""A side file of vectors is read, or refused in one line that names it."""

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
