"""What is left of the walk over text, in Python."""

from groupwise.evaluator.native import COMPILED, UNLOCKED
from groupwise.evaluator.native import fallback as walk

__all__ = ["COMPILED", "UNLOCKED", "walk"]
