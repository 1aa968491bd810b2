"""NumPy, imported when the first array is built.

Importing NumPy takes longer than ``groupwise metrics`` may; so metrics import ``np`` from here.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["BoolArray", "FloatArray", "IntArray", "freeze", "np"]

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


def freeze(value: Any) -> None:
    """Make an array, or all arrays of a table, read-only: metrics share them."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    elif hasattr(value, "__dict__"):
        for column in vars(value).values():
            freeze(column)
