"""A report as Markdown, for a pull request or a page."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from groupwise.evaluator.reporting.estimates import (
    has_estimates,
    list_estimate_columns,
    list_estimate_notes,
    list_estimates,
)
from groupwise.evaluator.reporting.explained import describe_group
from groupwise.evaluator.reporting.pivot import (
    build_pivot,
    describe_worst,
    format_cell,
    format_counts,
    format_score,
    list_labels,
)
from groupwise.evaluator.reporting.profile import describe_profile
from groupwise.evaluator.reporting.sanitise import html_safe, markdown_safe
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
from groupwise.evaluator.text import capitalise, plural
from groupwise.schemas import Report
from groupwise.schemas.explanation import Explanation

SUMMARISED = 3
"""So many scores are in the summary."""
SHOWN_GROUPS = 3
UNKNOWN = "–"  # noqa: RUF001


def render(report: Report, worst: int | None = None, *, ceilings: bool = False) -> str:
    """Return a summary, warnings, gates, means, the worst queries, and the rest to unfold.

    Args:
        report: The report.
        worst: How many of the worst queries to show; None: those that are explained, else 5 if a
            gate fails, else none.
        ceilings: Whether to show ceilings of 1 as well.
    """
    metric = choose_metric(report) if worst or not _is_explained(report) else None
    queries = choose_worst(report, worst, metric)
    parts = [
        _summarise(report),
        *_list_warnings(report),
        *_list_parts(report, ceilings=ceilings),
        *_list_worst(report, queries, metric),
        *_list_explained(report, queries, metric),
        *_list_details(report),
    ]
    return "\n\n".join(parts) + "\n"


def _summarise(report: Report) -> str:
    """Return the line that says it all: gates, the first scores, profile and counts."""
    gates = describe_gates(report)
    outcome = f"**{gates}.** " if gates else ""
    first = list(report.scores.items())[:SUMMARISED]
    scores = ", ".join(f"{markdown_safe(name)} {format_score(score)}" for name, score in first)
    profile = describe_scores(report.profile, report.matching)
    counts = f"{profile}; {format_counts(report.counts)}."
    return f"{outcome}{scores}. {counts}" if scores else f"{outcome}{counts}"


def describe_gates(report: Report) -> str:
    """Return how many gates fail; blank if there are none.

    >>> report = Report.model_construct(gates=())
    >>> describe_gates(report)
    ''
    """
    failed = sum(gate.fails for gate in report.gates)
    if failed:
        return f"Failed: {failed:,} of {plural(len(report.gates), 'gate')}"
    return f"Passed: {plural(len(report.gates), 'gate')}" if report.gates else ""


def _list_warnings(report: Report) -> Iterator[str]:
    if report.warnings:
        yield "\n".join(f"- **Warning:** {markdown_safe(text)}" for text in report.warnings)


def _list_parts(report: Report, *, ceilings: bool) -> Iterator[str]:
    if report.gates:
        yield _build_gates(report)
    if has_estimates(report, ceilings=ceilings):
        yield _build_estimates(report, ceilings=ceilings)
    elif report.scores:
        yield _build_means(report)
    yield from (f"{markdown_safe(note)}." for note in list_estimate_notes(report))
    if report.ranks:
        yield build_table(RANK_HEAD, list_ranks(report))


def _list_details(report: Report) -> Iterator[str]:
    """Yield what a reader unfolds: slices, the curve, ties."""
    for field in report.slices:
        slices = plural(len(report.slices[field]), "slice")
        yield unfold(f"by {field}: {slices}", [_build_slices(report, field)])
    if report.curve:
        curve = build_table(CURVE_HEAD, list_points(report.curve))
        yield unfold(describe_curve(report.curve), [curve])
    if report.ties:
        bounds = build_table(TIES_HEAD, list_bounds(report))
        yield unfold(describe_ties(report.ties), [bounds])


def unfold(summary: str, parts: Iterable[str]) -> str:
    """Return parts that are hidden until a reader unfolds them; the summary is plain text.

    The lines of the element are HTML, where Markdown has no meaning.
    """
    head = f"<details>\n<summary>{html_safe(capitalise(summary))}</summary>"
    return "\n\n".join([head, *parts, "</details>"])


def describe_scores(profile: str, matching: Mapping[str, Any]) -> str:
    """Return the profile and the matcher, as code."""
    return capitalise(describe_profile(profile, matching, lambda name: f"`{markdown_safe(name)}`"))


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


def _is_explained(report: Report) -> bool:
    """Whether the report explains the worst queries by its first metric."""
    return report.explanation is not None and len(report.explanation.queries) > 0


def _list_worst(report: Report, queries: Sequence[str], metric: str | None) -> Iterator[str]:
    """Yield a table of the worst queries, with their missed groups if these are known."""
    if not queries:
        return
    names = list_labels(report)
    rows = [[markdown_safe(q), *(format_cell(report, q, n) for n in names)] for q in queries]
    head = ["query", *map(markdown_safe, names)]
    yield f"{capitalise(markdown_safe(describe_worst(report, len(queries), metric)))}:"
    if report.explanation is None:
        yield build_table(head, rows)
        return
    missed = (_list_missed(report.explanation, query) for query in queries)
    cells = ([*row, groups] for row, groups in zip(rows, missed, strict=True))
    yield build_table([*head, "missed groups"], cells, text_last=True)


def choose_worst(report: Report, worst: int | None, metric: str | None) -> list[str]:
    """Return the queries to show: as many as asked for, or those explained, or 5 for a gate."""
    if worst is None and _is_explained(report):
        return [query for query in report.explanation.queries if query in report.per_query]
    if worst is None and any(gate.fails for gate in report.gates):
        worst = WORST
    return report.worst(worst, metric) if worst else []


def _list_missed(explanation: Explanation, query: str) -> str:
    """Return the missed groups of a query, as a cell."""
    found = explanation.queries.get(query)
    if found is None:
        return UNKNOWN
    missed = [describe_group(group, found.results) for group in found.groups if not group.met]
    lines = [markdown_safe(text) for text in missed[:SHOWN_GROUPS]]
    more = len(missed) - SHOWN_GROUPS
    return "<br>".join([*lines, plural(more, "more group")] if more > 0 else lines)


def _list_explained(report: Report, queries: Sequence[str], metric: str | None) -> Iterator[str]:
    """Yield the explanation of the queries shown, if it is known."""
    if report.explanation is None:
        return
    from groupwise.evaluator.reporting.explanation import (  # noqa: PLC0415  (rarely needed)
        list_markdown_queries,
        list_markdown_reasons,
    )

    explained = report.explanation.only(queries)
    if len(explained.queries):
        worst = describe_worst(report, len(explained.queries), metric)
        parts = [*list_markdown_reasons(explained), *list_markdown_queries(explained)]
        yield unfold(f"{worst}, explained", parts)


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
