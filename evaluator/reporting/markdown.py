"""A report as Markdown, for a pull request or a page."""

from collections.abc import Iterator, Sequence

from groupwise.evaluator.reporting.pivot import (
    build_pivot,
    format_counts,
    format_rank,
    format_score,
)
from groupwise.evaluator.reporting.sanitise import markdown_safe
from groupwise.evaluator.reporting.spread import (
    describe_curve,
    describe_ties,
    list_bounds,
    list_points,
)
from groupwise.schemas import Report


def render(report: Report) -> str:
    """Return means, ranks, ties, curve, counts and warnings."""
    parts = [
        _show_scores(report), _show_ranks(report), _show_ties(report), _show_curve(report),
        _show_counts(report), _show_warnings(report),
    ]  # fmt: skip
    return "\n\n".join(part for part in parts if part) + "\n"


def _show_scores(report: Report) -> str:
    columns, rows = build_pivot(report)
    return _build_table(
        ["metric", *columns], ([name, *map(format_score, values)] for name, values in rows)
    )


def _show_ranks(report: Report) -> str:
    if not report.ranks:
        return ""
    rows = (
        [name, format_rank(summary.median), format_rank(summary.worst), summary.not_found]
        for name, summary in report.ranks.items()
    )
    return _build_table(["rank", "median", "worst", "not found"], rows)


def _show_ties(report: Report) -> str:
    if not report.ties:
        return ""
    table = _build_table(["ties", "worst", "value", "best"], map(list, list_bounds(report)))
    return f"{table}\n\n{describe_ties(report.ties)}."


def _show_curve(report: Report) -> str:
    if not report.curve:
        return ""
    table = _build_table(
        ["k", "recall", "precision", "complete"], map(list, list_points(report.curve))
    )
    return f"{table}\n\n{describe_curve(report.curve)}."


def _build_table(head: Sequence[str], rows: Iterator[list[object]] | Iterator[list[str]]) -> str:
    lines = [_join_cells(head), _join_cells(["---", *["---:"] * (len(head) - 1)])]
    return "\n".join([*lines, *map(_join_cells, rows)])


def _join_cells(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _show_counts(report: Report) -> str:
    return f"Profile `{markdown_safe(report.profile)}`; {format_counts(report.counts)}."


def _show_warnings(report: Report) -> str:
    return "\n".join(f"- **Warning:** {markdown_safe(text)}" for text in report.warnings)
