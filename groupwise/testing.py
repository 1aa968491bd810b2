"""Assertions for tests of a retriever and of its data, with any test framework.

    >>> from groupwise import evaluate
    >>> from groupwise.testing import assert_scores, assert_valid
    >>> ground_truth = {"q1": [["a", "b"], ["c"]]}
    >>> assert_valid(ground_truth)
    >>> report = evaluate(ground_truth, {"q1": ["a", "x", "c"]}, metrics=["recall@3"])
    >>> assert_scores(report, {"recall@3": ">= 0.9"})

With pytest, the fixture ``groupwise`` has them as methods, and records the scores.
"""

from groupwise.evaluator.testing.assertions import assert_no_regression, assert_scores
from groupwise.evaluator.validation.validate import assert_valid

__all__ = ["assert_no_regression", "assert_scores", "assert_valid"]
