"""NumPy, imported when the first array is built.

Importing NumPy takes longer than ``groupwise metrics`` may; so metrics import ``np`` from here.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["BoolArray", "FloatArray", "IntArray", "np"]

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
