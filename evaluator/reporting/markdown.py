"""A report as Markdown, for a pull request or a page."""

from collections.abc import Iterable, Iterator, Sequence

from groupwise.evaluator.reporting.pivot import (
    build_pivot,
    format_counts,
    format_score,
)
from groupwise.evaluator.reporting.sanitise import markdown_safe
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


def render(report: Report) -> str:
    """Return means, ranks, ties, curve, counts and warnings."""
    return "\n\n".join(_list_parts(report)) + "\n"


def _list_parts(report: Report) -> Iterator[str]:
    columns, rows = build_pivot(report)
    scores = ((name, *map(format_score, values)) for name, values in rows)
    yield _build_table(["metric", *columns], scores)
    if report.ranks:
        yield _build_table(RANK_HEAD, list_ranks(report))
    if report.ties:
        yield _build_table(TIES_HEAD, list_bounds(report))
        yield f"{describe_ties(report.ties)}."
    if report.curve:
        yield _build_table(CURVE_HEAD, list_points(report.curve))
        yield f"{describe_curve(report.curve)}."
    yield f"Profile `{markdown_safe(report.profile)}`; {format_counts(report.counts)}."
    if report.warnings:
        yield "\n".join(f"- **Warning:** {markdown_safe(text)}" for text in report.warnings)


def _build_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, rule, *rows))
