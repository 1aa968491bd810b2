"""The curve: what each further result adds to recall, complete and precision."""

from collections.abc import Sequence

from groupwise.evaluator.errors import OptionError, Problem
from groupwise.evaluator.evaluation.evaluator import check_count
from groupwise.evaluator.metrics.names import DEEPEST_CURVE
from groupwise.evaluator.reporting.charts.chart import Chart, refuse
from groupwise.evaluator.reporting.charts.figure import Figure, Guide, Line
from groupwise.evaluator.reporting.charts.scales import build_axis, build_counting_axis
from groupwise.evaluator.reporting.profile import describe_profile
from groupwise.evaluator.reporting.spread import describe_curve
from groupwise.evaluator.text import capitalise
from groupwise.schemas import Curve, Report

DEPTH = 100
"""So many cutoffs are computed, unless the report has a curve; of these, those that differ show."""
SHALLOWEST = 10
UNKNOWN = (
    "it has no curve, and its data is not known any more; "
    "evaluate with curve=K, such as curve=20, or groupwise evaluate --curve"
)


def build(report: Report, *, k: int | None = None) -> Figure:
    """Return recall, complete and precision at each cutoff, and where 95 % are complete."""
    curve = trim(find_curve(report, k), k)
    depth = len(curve.complete)
    enough = curve.enough
    guides = [] if enough is None else [Guide("x", enough, f"95 % complete at k = {enough}")]
    names = ("recall", "complete", "precision")
    lines = [Line(name, name, _list_points(getattr(curve, name))) for name in names]
    if not any(line.points for line in lines):
        refuse("curve", "no query was scored")
    profile = describe_profile(report.profile, report.matching)
    return Figure(
        "Recall, complete and precision over k",
        f"{capitalise(describe_curve(curve))}; {profile}.",
        build_counting_axis("k, the number of results that count", depth, 1, 8),
        build_axis("mean over the queries", 0.0, 1.0),
        lines,
        guides,
    )


def find_curve(report: Report, k: int | None = None) -> Curve:
    """Return the curve of a report; one without is evaluated again, if its data is known.

    Args:
        report: The report.
        k: How many cutoffs are wanted; None: those of the report, or 100.
    """
    if k is not None and check_count("k", k) > DEEPEST_CURVE:
        message = f"k: expected at most {DEEPEST_CURVE:,} cutoffs in a curve, got {k:,}"
        raise OptionError([Problem(message)])
    if report.curve is not None and (k is None or k <= len(report.curve.complete)):
        return report.curve
    if report.again is None:
        refuse("curve", UNKNOWN)
    found: Report = report.again(curve=k or DEPTH, gates=(), baseline=None, explain=None)
    if found.curve is None or found.counts != report.counts or found.scores != report.scores:
        refuse("curve", "the data has changed since this report; evaluate it again")
    return found.curve


def trim(curve: Curve, k: int | None) -> Curve:
    """Return the first k cutoffs, or those up to the last one at which a group is still met."""
    depth = min(
        k or max(_find_last(curve.recall), curve.enough or 0, SHALLOWEST), len(curve.recall)
    )
    enough = curve.enough if curve.enough and curve.enough <= depth else None
    return Curve(
        recall=curve.recall[:depth],
        precision=curve.precision[:depth],
        complete=curve.complete[:depth],
        enough=enough,
    )


def _find_last(means: Sequence[float | None]) -> int:
    """Return the last cutoff at which the mean differs from that before it."""
    return max((k for k in range(2, len(means) + 1) if means[k - 1] != means[k - 2]), default=1)


def _list_points(means: Sequence[float | None]) -> list[tuple[float, float]]:
    return [(k, mean) for k, mean in enumerate(means, 1) if mean is not None]


CURVE = Chart("curve", "report", "recall, complete and precision at each cutoff k", build)
