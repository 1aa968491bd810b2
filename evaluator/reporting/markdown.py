"""A report as Markdown, for a pull request or a page."""

from collections.abc import Iterable, Iterator, Sequence

from groupwise.evaluator.reporting.pivot import (
    build_pivot,
    describe_worst,
    format_cell,
    format_counts,
    format_score,
    list_labels,
)
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
from groupwise.schemas import Report


def render(report: Report, worst: int | None = None) -> str:
    """Return means, ranks, ties, curve, slices, counts, warnings; if asked, the worst queries."""
    return (
        "\n\n".join([*_list_parts(report), *_list_worst(report, worst), *_list_explained(report)])
        + "\n"
    )


def _list_parts(report: Report) -> Iterator[str]:
    columns, rows = build_pivot(report)
    scores = ((markdown_safe(name), *map(format_score, values)) for name, values in rows)
    yield _build_table(["metric", *columns], scores)
    if report.ranks:
        yield _build_table(RANK_HEAD, list_ranks(report))
    if report.ties:
        yield _build_table(TIES_HEAD, list_bounds(report))
        yield f"{describe_ties(report.ties)}."
    if report.curve:
        yield _build_table(CURVE_HEAD, list_points(report.curve))
        yield f"{describe_curve(report.curve)}."
    for field in report.slices:
        yield _build_slices(report, field)
    by = f", matching `{markdown_safe(str(report.matching['type']))}`" if report.matching else ""
    yield f"Profile `{markdown_safe(report.profile)}`{by}; {format_counts(report.counts)}."
    if report.warnings:
        yield "\n".join(f"- **Warning:** {markdown_safe(text)}" for text in report.warnings)


def _build_slices(report: Report, field: str) -> str:
    """Return a table of the slices of a field."""
    head = [field, "queries", *list_slice_columns(report)]
    rows = (
        (markdown_safe(name), queries, *cells)
        for name, queries, cells in list_slices(report, field)
    )
    return _build_table([markdown_safe(name) for name in head], rows)


def _list_worst(report: Report, worst: int | None) -> Iterator[str]:
    """Yield a table of the worst queries, and what they were chosen by."""
    queries = report.worst(worst) if worst else []
    if queries:
        names = list_labels(report)
        rows = ([markdown_safe(q), *(format_cell(report, q, n) for n in names)] for q in queries)
        chosen_by = describe_worst(report, len(queries)).removeprefix("the ")
        yield f"The {markdown_safe(chosen_by)}:"
        yield _build_table(["query", *map(markdown_safe, names)], rows)


def _list_explained(report: Report) -> Iterator[str]:
    """Yield the explanation of the worst queries, if it was asked for."""
    if report.explanation is None:
        return
    from groupwise.evaluator.reporting.explanation import list_markdown_queries  # noqa: PLC0415  (rarely needed)

    worst = describe_worst(report, len(report.explanation.queries)).removeprefix("the ")
    yield f"The {markdown_safe(worst)}, explained:"
    yield from list_markdown_queries(report.explanation)


def _build_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))
