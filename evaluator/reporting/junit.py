"""A report as JUnit XML: a case per gate, and one per score."""

from groupwise.evaluator.reporting.junit_writer import JUnit, Suite
from groupwise.evaluator.reporting.pivot import format_counts
from groupwise.evaluator.reporting.profile import describe_profile
from groupwise.evaluator.reporting.verdicts import (
    WORST,
    describe_worst_queries,
    list_gates,
)
from groupwise.schemas import Report

NAME = "groupwise evaluate"


def render(report: Report, worst: int | None = None) -> str:
    """Return the document.

    Args:
        report: The report.
        worst: How many of the worst queries to name; None: 5.
    """
    document = JUnit(NAME)
    if report.gates:
        _add_gates(document.add_suite(f"{NAME}: gates"), report, worst or WORST)
    _add_scores(document.add_suite(f"{NAME}: scores"), report, worst or WORST)
    for field in report.slices:
        _add_slices(document.add_suite(f"{NAME}: by {field}"), report, field)
    return document.render()


def _add_gates(suite: Suite, report: Report, worst: int) -> None:
    """Add a case per gate; one that no ranking can pass, and need not, is skipped."""
    for gate in {gate.gate: gate for gate in list_gates(report)}.values():
        case = suite.add_case(gate.gate)
        metric = gate.metric if gate.metric in report.scores else None
        text = "\n".join(filter(None, [str(gate), describe_worst_queries(report, metric, worst)]))
        if gate.outcome == "undecided":
            case.err(gate.reason, text, gate.outcome)
        elif gate.fails:
            case.fail(gate.reason, text, "gate")
        elif not gate.passed:
            case.skip(f"{gate.outcome}: {gate.reason}")


def _add_slices(suite: Suite, report: Report, field: str) -> None:
    """Add a case per slice and score."""
    for name, found in report.slices[field].items():
        counts = format_counts(found.counts)
        for metric, value in found.scores.items():
            suite.add_case(f"{name}: {metric}").print(f"{metric}: {value}\n{counts}")


def _add_scores(suite: Suite, report: Report, worst: int) -> None:
    """Add a case per score, which passes if there is one."""
    profile = describe_profile(report.profile, report.matching)
    counts = f"{profile}; {format_counts(report.counts)}"
    for name, value in report.scores.items():
        case = suite.add_case(name)
        if value is None:
            case.err("no query has a value of this metric", kind="no value")
        lines = [f"{name}: {value}", describe_worst_queries(report, name, worst), counts]
        case.print("\n".join([*filter(None, lines), *report.warnings]))
    for name, found in report.ranks.items():
        lines = [f"{name}: median {found.median}, worst {found.worst}, not found {found.not_found}"]
        suite.add_case(name).print("\n".join([*lines, describe_worst_queries(report, name, worst)]))
