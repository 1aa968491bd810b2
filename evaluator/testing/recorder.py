"""The pytest fixture ``groupwise``: assertions that record the scores they are about."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.reporting.sanitise import xml_safe
from groupwise.evaluator.testing.assertions import (
    assert_no_regression,
    assert_scores,
    check_report,
)
from groupwise.schemas import Baseline, FixtureCheck, Report

if TYPE_CHECKING:
    import pytest


class Recorder:
    """Evaluates and asserts; the scores are shown at the end of the run and in JUnit XML.

    Args:
        test: The test that it belongs to.
    """

    def __init__(self, test: "pytest.Item") -> None:
        self._scores: dict[str, float] = vars(test).setdefault("groupwise_scores", {})

    def evaluate(self, ground_truth: Any, results: Any = None, **options: Any) -> Report:
        """Return the report of ``groupwise.evaluate``, which takes the same arguments."""
        from groupwise.evaluator.evaluation.evaluate import evaluate  # noqa: PLC0415

        report = evaluate(ground_truth, results, **options)
        self.record(report)
        return report

    def record(self, report: Report, name: str = "") -> None:
        """Record the scores of a report, with a name if a test has several.

        Raises:
            OptionError: This is no report.
        """
        check_report(report)
        head = f"{name}: " if name else ""
        self._scores |= {
            xml_safe(f"{head}{metric}"): score
            for metric, score in report.scores.items()
            if score is not None
        }

    def assert_scores(self, report: Report, expected: Mapping[str, Any], **options: Any) -> None:
        """Call ``groupwise.testing.assert_scores``, and record the scores of the report."""
        __tracebackhide__ = True
        self.record(report)
        assert_scores(report, expected, **options)

    def assert_no_regression(
        self, report: Report, baseline: str | os.PathLike[str] | Baseline, **options: Any
    ) -> None:
        """Call ``groupwise.testing.assert_no_regression``, and record the scores of the report."""
        __tracebackhide__ = True
        self.record(report)
        assert_no_regression(report, baseline, **options)

    def assert_valid(self, dataset: Any, *more: Any, **options: Any) -> None:
        """Call ``groupwise.testing.assert_valid``."""
        __tracebackhide__ = True
        from groupwise.evaluator.validation.validate import assert_valid  # noqa: PLC0415

        assert_valid(dataset, *more, **options)

    def check(self, path: str | os.PathLike[str], run: Any = None, **options: Any) -> FixtureCheck:
        """Assert that a fixture, or a fresh run against it, has the scores that it expects."""
        __tracebackhide__ = True
        from groupwise.evaluator.evaluation.fixture import check_fixture  # noqa: PLC0415

        check = check_fixture(path, run=run, **options)
        if not check.ok:
            raise AssertionError(str(check))
        return check
