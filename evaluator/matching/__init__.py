"""Where ids meet, and nowhere else: ground truth and results become hits."""

from groupwise.evaluator.matching.exact import Matcher
from groupwise.evaluator.matching.order import Orders

__all__ = ["Matcher", "Orders"]
