"""Rows to hits: the one place where the ids of results and ground truth meet."""

from groupwise.evaluator.matching.hits_builder import HitsBuilder
from groupwise.evaluator.matching.matcher import Hit, Matcher
from groupwise.evaluator.matching.order import MatchedBatch, Orders
from groupwise.evaluator.matching.query_matcher import QueryMatcher
from groupwise.evaluator.matching.registry import EXACT, Matching, add_matcher

__all__ = [
    "EXACT",
    "Hit",
    "HitsBuilder",
    "MatchedBatch",
    "Matcher",
    "Matching",
    "Orders",
    "QueryMatcher",
    "add_matcher",
]
