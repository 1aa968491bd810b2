"""What every form of an analysis of power shows: tables, and sentences about them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groupwise.evaluator.reporting.pivot import format_counts, format_score
from groupwise.evaluator.reporting.profile import describe_profile, matching_of
from groupwise.evaluator.text import plural
from groupwise.schemas import Counts
from groupwise.schemas.power import PowerAnalysis, Sensitivity

UNKNOWN = "–"  # noqa: RUF001
PLAN = "plan"


class Table(NamedTuple):
    """A table of text."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    title: str


class Found(NamedTuple):
    """What was found for a metric, or for a plan, which has no label."""

    kind: str
    label: str
    sensitivity: Sensitivity


def list_found(analysis: PowerAnalysis) -> Iterator[Found]:
    """Yield what was found for the plan, and for each metric."""
    if analysis.planned is not None:
        yield Found(PLAN, "", analysis.planned)
    for label, sensitivity in analysis.metrics.items():
        yield Found("metric", label, sensitivity)


def list_sentences(analysis: PowerAnalysis) -> Iterator[str]:
    """Yield the conclusions, what they mean, and what is to be known of the runs."""
    yield from analysis.conclusions
    yield explain(analysis)
    for name, counts in analysis.counts.items():
        if counts != Counts(queries=counts.queries, scored=counts.queries):
            yield f"{name}: {format_counts(counts)}"


def describe(analysis: PowerAnalysis) -> str:
    """Return what the numbers rest on."""
    if analysis.profile is None:
        return "planning without data"
    queries = plural(max(c.queries for c in analysis.counts.values()), "query", "queries")
    profile = describe_profile(analysis.profile, matching_of(analysis.provenance))
    return f"{profile}, {' and '.join(analysis.runs)}, {queries}"


def explain(analysis: PowerAnalysis) -> str:
    """Return what it means that a difference can be seen."""
    often = f"{analysis.power * 100:g} % of the time (power)"
    sure = f"{analysis.confidence * 100:g} % confidence"
    return f"To see a difference: a two-sided paired test at {sure} finds it {often}."


def list_tables(analysis: PowerAnalysis) -> Iterator[Table]:
    """Yield the table of metrics, if there are any, and that of targets."""
    found = list(list_found(analysis))
    if found:
        yield _build_table(analysis, found)
    yield _build_targets(analysis)


def _build_table(analysis: PowerAnalysis, found: Sequence[Found]) -> Table:
    """Return a row per metric: what can be seen, and what each difference needs."""
    observed = ["observed"] if analysis.sd_of == "differences" else []
    differences = [f"for {difference}" for difference in found[0].sensitivity.queries_for]
    title = "the smallest difference that n queries show, and the queries that others need"
    rows = [_build_row(each, with_observed=bool(observed)) for each in found]
    return Table(["metric", "n", "sd", "smallest", *observed, *differences], rows, title)


def _build_row(found: Found, *, with_observed: bool) -> list[str]:
    sensitivity = found.sensitivity
    return [
        found.label or PLAN,
        _format_count(sensitivity.n),
        format_score(sensitivity.sd),
        format_score(sensitivity.detectable),
        *([format_score(sensitivity.observed)] if with_observed else []),
        *map(_format_count, sensitivity.queries_for.values()),
    ]


def _build_targets(analysis: PowerAnalysis) -> Table:
    """Return from how many queries on a perfect score clears each target."""
    rows = [(target, f"{queries:,}") for target, queries in analysis.targets.items()]
    return Table(["target", "queries"], rows, "queries on which a perfect score clears a target")


def _format_count(value: int | None) -> str:
    return UNKNOWN if value is None else f"{value:,}"
