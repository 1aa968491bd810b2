"""NumPy, imported when the first array is built.

Importing NumPy takes longer than ``groupwise metrics`` may; so metrics import ``np`` from here.
"""

from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = [
    "BoolArray",
    "FloatArray",
    "IntArray",
    "are_all",
    "find_largest",
    "freeze",
    "np",
    "repeat_value",
]

FEWEST_BITS = 12
FEW = 64
"""So many values are looked at faster without NumPy."""

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]
    IntArray = NDArray[np.int64]
    BoolArray = NDArray[np.bool_]
else:
    FloatArray = IntArray = BoolArray = Any

    class _Late:
        def __getattr__(self, name: str) -> Any:
            value = getattr(import_module("numpy"), name)
            setattr(self, name, value)
            return value

    np = _Late()


def repeat_value(value: float, length: int) -> Any:
    """Return an array of one value, which is shared: it cannot be written to."""
    return _repeat(value, 1 << max(FEWEST_BITS, (length - 1).bit_length()))[:length]


@lru_cache(maxsize=16, typed=True)
def _repeat(value: float, room: int) -> Any:
    values = np.full(room, value)
    values.flags.writeable = False
    return values


def are_all(values: Any) -> bool:
    """Whether all values are true, or differ from 0."""
    if len(values) < FEW:
        return all(values.tolist())
    return bool(np.count_nonzero(values) == len(values))


def find_largest(numbers: Any) -> int:
    """Return the largest of some numbers, none of them negative; 0 if there are none."""
    if len(numbers) < FEW:
        return max(numbers.tolist(), default=0)
    return int(numbers.max())


def freeze(value: Any) -> None:
    """Make an array, or all arrays of a table, read-only: metrics share them."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    elif hasattr(value, "__dict__"):
        for column in vars(value).values():
            freeze(column)
