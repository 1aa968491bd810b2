"""Loads the compiled walk over ids, or its pure-Python fallback if that was not built.

``GROUPWISE_PURE=1`` disables the compiled walk, for debugging. Python without a global interpreter
lock uses the fallback, too: the walk borrows references to the items of lists, which other threads
may replace.
"""

import os
import sys
from typing import TYPE_CHECKING

__all__ = ["COMPILED", "walk"]

UNLOCKED = not getattr(sys, "_is_gil_enabled", lambda: True)()
PURE = UNLOCKED or os.environ.get("GROUPWISE_PURE", "0") not in ("", "0")

if TYPE_CHECKING or PURE:
    from groupwise.evaluator.native import fallback as walk
else:
    try:
        from groupwise.evaluator.native import _compiled as walk
    except ImportError:
        from groupwise.evaluator.native import fallback as walk

COMPILED = walk.__name__ == "groupwise.evaluator.native._compiled"
