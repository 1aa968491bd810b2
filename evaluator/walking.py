"""The walk over ids, which is done for every result there is: compiled where it could be built.

``GROUPWISE_PURE=1`` leaves the compiled one aside, in case somebody doubts it.
"""

import os
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

__all__ = ["COMPILED", "walk"]

PURE = os.environ.get("GROUPWISE_PURE", "0") not in ("", "0")


def _chosen() -> ModuleType:
    try:
        return import_module(f"groupwise.evaluator.{'unaided' if PURE else '_walk'}")
    except ImportError:
        return import_module("groupwise.evaluator.unaided")


if TYPE_CHECKING:
    from groupwise.evaluator import unaided as walk
else:
    walk = _chosen()

COMPILED = walk.__name__ == "groupwise.evaluator._walk"
