"""Where ids meet, and nowhere else: ground truth and results become hits."""

from groupwise.evaluator.matching.exact import Matcher

__all__ = ["Matcher"]
