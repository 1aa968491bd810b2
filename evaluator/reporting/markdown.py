"""The report as Markdown, to paste into a pull request or a page."""

from collections.abc import Iterator, Sequence

from groupwise.evaluator.reporting.pivot import counted, pivot, rounded
from groupwise.evaluator.reporting.sanitise import markdown_safe
from groupwise.evaluator.reporting.spread import bounds, enough, points, tied
from groupwise.schemas import Report


def render(report: Report) -> str:
    """Means, ranks, counts and warnings."""
    parts = [
        _scores(report), _ranks(report), _ties(report), _curve(report),
        _about(report), _warnings(report),
    ]  # fmt: skip
    return "\n\n".join(part for part in parts if part) + "\n"


def _scores(report: Report) -> str:
    columns, rows = pivot(report)
    return _table(["metric", *columns], ([name, *map(rounded, values)] for name, values in rows))


def _ranks(report: Report) -> str:
    if not report.ranks:
        return ""
    rows = (
        [name, _number(one.median), _number(one.worst), one.not_found]
        for name, one in report.ranks.items()
    )
    return _table(["rank", "median", "worst", "not found"], rows)


def _ties(report: Report) -> str:
    if not report.ties:
        return ""
    table = _table(["ties", "worst", "value", "best"], map(list, bounds(report)))
    return f"{table}\n\n{tied(report.ties)}."


def _curve(report: Report) -> str:
    if not report.curve:
        return ""
    table = _table(["k", "recall", "precision", "complete"], map(list, points(report.curve)))
    return f"{table}\n\n{enough(report.curve)}."


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"  # noqa: RUF001


def _table(head: Sequence[str], rows: Iterator[list[object]] | Iterator[list[str]]) -> str:
    lines = [_row(head), _row(["---", *["---:"] * (len(head) - 1)])]
    return "\n".join([*lines, *map(_row, rows)])


def _row(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _about(report: Report) -> str:
    return f"Profile `{markdown_safe(report.profile)}`; {counted(report.counts)}."


def _warnings(report: Report) -> str:
    return "\n".join(f"- **Warning:** {markdown_safe(text)}" for text in report.warnings)
