"""The end of an evaluation: is the baseline one of the same data, and which gates are passed?"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.intake.rows import Rows

if TYPE_CHECKING:
    from groupwise.evaluator.evaluation.plan import Plan
    from groupwise.schemas import Report

OTHER_DATA = "scores cannot be compared with those of the baseline"


def conclude(
    plan: "Plan",
    report: "Report",
    read_truths: Callable[[], Rows],
    read_values: Callable[[str], FloatArray],
) -> "Report":
    """Return the report with the verdicts of the gates.

    Args:
        plan: The gates, and the baseline.
        report: What was found.
        read_truths: Returns the ground truth, with metadata if gates are on slices.
        read_values: Returns the values of a metric, in order of query id.

    Raises:
        InputError: The baseline is one of other data, and that is not allowed.
    """
    if plan.baseline is not None:
        report = _compare_data(plan, report)
    if not plan.gates:
        return report
    from groupwise.evaluator.evaluation.verdicts import Judge  # noqa: PLC0415  (rarely needed)

    judge = Judge(report, plan.baseline, read_truths, read_values, plan.lenient)
    return report.model_copy(update={"gates": tuple(map(judge.judge, plan.gates))})


def _compare_data(plan: "Plan", report: "Report") -> "Report":
    """Return the report, with a warning if it is compared with other data."""
    from groupwise.evaluator.evaluation.baseline import list_differences  # noqa: PLC0415

    assert plan.baseline is not None  # noqa: S101  (asked before)
    found = list_differences(plan.baseline, report)
    if not found:
        return report
    if not plan.allow_other_data:
        message = f"{OTHER_DATA}: {'; '.join(found)}; save it again, or add allow_other_data=True"
        raise InputError([Problem(message, plan.baseline.name or "")])
    warning = f"compared with a baseline of other data: {'; '.join(found)}"
    return report.model_copy(update={"warnings": (*report.warnings, warning)})
