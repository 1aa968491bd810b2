"""A report as Markdown, for a pull request or a page."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from groupwise.evaluator.reporting.estimates import (
    has_estimates,
    list_estimate_columns,
    list_estimate_notes,
    list_estimates,
)
from groupwise.evaluator.reporting.pivot import (
    build_pivot,
    describe_worst,
    format_cell,
    format_counts,
    format_score,
    list_labels,
)
from groupwise.evaluator.reporting.profile import describe_profile
from groupwise.evaluator.reporting.sanitise import markdown_safe
from groupwise.evaluator.reporting.slices import list_slice_columns, list_slices
from groupwise.evaluator.reporting.spread import (
    CURVE_HEAD,
    RANK_HEAD,
    TIES_HEAD,
    describe_curve,
    describe_ties,
    list_bounds,
    list_points,
    list_ranks,
)
from groupwise.evaluator.reporting.verdicts import (
    WORST,
    choose_metric,
    list_gates,
)
from groupwise.schemas import Report


def render(report: Report, worst: int | None = None, *, ceilings: bool = False) -> str:
    """Return gates, means, ranks, ties, curve, slices, counts, warnings, the worst queries.

    Args:
        report: The report.
        worst: How many of the worst queries to show; None: 5 if a gate fails, else none.
        ceilings: Whether to show ceilings of 1 as well.
    """
    if worst is None and any(gate.fails for gate in report.gates):
        worst = WORST
    parts = [*_list_parts(report, ceilings=ceilings), *_list_worst(report, worst)]
    return "\n\n".join([*parts, *_list_explained(report)]) + "\n"


def _list_parts(report: Report, *, ceilings: bool) -> Iterator[str]:
    if report.gates:
        yield _build_gates(report)
    if has_estimates(report, ceilings=ceilings):
        yield _build_estimates(report, ceilings=ceilings)
    else:
        yield _build_means(report)
    yield from (f"{markdown_safe(note)}." for note in list_estimate_notes(report))
    if report.ranks:
        yield build_table(RANK_HEAD, list_ranks(report))
    if report.ties:
        yield build_table(TIES_HEAD, list_bounds(report))
        yield f"{describe_ties(report.ties)}."
    if report.curve:
        yield build_table(CURVE_HEAD, list_points(report.curve))
        yield f"{describe_curve(report.curve)}."
    for field in report.slices:
        yield _build_slices(report, field)
    yield f"{describe_scores(report.profile, report.matching)}; {format_counts(report.counts)}."
    if report.warnings:
        yield "\n".join(f"- **Warning:** {markdown_safe(text)}" for text in report.warnings)


def describe_scores(profile: str, matching: Mapping[str, Any]) -> str:
    """Return the profile and the matcher, as code."""
    found = describe_profile(profile, matching, lambda name: f"`{markdown_safe(name)}`")
    return found[0].upper() + found[1:]


def _build_gates(report: Report) -> str:
    """Return a table of the gates: those that fail first, and what is known about them."""
    rows = (
        (markdown_safe(gate.gate), gate.outcome, markdown_safe(gate.reason))
        for gate in list_gates(report)
    )
    return build_table(["gate", "result", "details"], rows, texts=3)


def _build_means(report: Report) -> str:
    """Return a table of the means by metric and cutoff."""
    columns, rows = build_pivot(report)
    scores = ((markdown_safe(name), *map(format_score, values)) for name, values in rows)
    return build_table(["metric", *columns], scores)


def _build_estimates(report: Report, *, ceilings: bool) -> str:
    """Return a table of the means, with what is known about them."""
    rows = (map(markdown_safe, row) for row in list_estimates(report, ceilings=ceilings))
    heads = map(markdown_safe, list_estimate_columns(report, ceilings=ceilings))
    return build_table(["metric", *heads], rows)


def _build_slices(report: Report, field: str) -> str:
    """Return a table of the slices of a field."""
    head = [field, "queries", *list_slice_columns(report)]
    rows = (
        (markdown_safe(name), queries, *map(markdown_safe, cells))
        for name, queries, cells in list_slices(report, field)
    )
    return build_table([markdown_safe(name) for name in head], rows)


def _list_worst(report: Report, worst: int | None) -> Iterator[str]:
    """Yield a table of the worst queries, and what they were chosen by."""
    metric = choose_metric(report)
    queries = report.worst(worst, metric) if worst else []
    if queries:
        names = list_labels(report)
        rows = ([markdown_safe(q), *(format_cell(report, q, n) for n in names)] for q in queries)
        chosen_by = describe_worst(report, len(queries), metric).removeprefix("the ")
        yield f"The {markdown_safe(chosen_by)}:"
        yield build_table(["query", *map(markdown_safe, names)], rows)


def _list_explained(report: Report) -> Iterator[str]:
    """Yield the explanation of the worst queries, if it was asked for."""
    if report.explanation is None:
        return
    from groupwise.evaluator.reporting.explanation import (  # noqa: PLC0415  (rarely needed)
        list_markdown_queries,
        list_markdown_reasons,
    )

    yield from list_markdown_reasons(report.explanation)
    worst = describe_worst(report, len(report.explanation.queries)).removeprefix("the ")
    yield f"The {markdown_safe(worst)}, explained:"
    yield from list_markdown_queries(report.explanation)


def build_table(
    head: Sequence[str], rows: Iterable[Iterable[str]], texts: int = 1, *, text_last: bool = False
) -> str:
    """Return a table of cells that are Markdown already.

    Args:
        head: The headings of the columns.
        rows: The cells.
        texts: How many of the first columns are texts; the others are numbers.
        text_last: Whether the last column is text as well.
    """
    numbers = len(head) - texts - text_last
    rule = [*["---"] * texts, *["---:"] * numbers, *["---"] * text_last]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))
