"""Tables in LaTeX, with the rules of booktabs; and a report as such a table."""

from collections.abc import Iterable, Iterator, Sequence

from groupwise.evaluator.reporting.pivot import build_pivot, format_counts, format_score
from groupwise.evaluator.reporting.sanitise import latex_safe
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

PACKAGES = "% \\usepackage{booktabs}\n"


def render(report: Report) -> str:
    """Return means, ranks, ties and curve as tables, and what to know about them in the caption."""
    return PACKAGES + "\n".join(_list_tables(report))


def _list_tables(report: Report) -> Iterator[str]:
    columns, rows = build_pivot(report)
    scores = [[latex_safe(name), *map(_number, values)] for name, values in rows]
    about = [f"Profile {report.profile}; {format_counts(report.counts)}.", *report.warnings]
    yield build_table(["metric", *columns], scores, " ".join(map(latex_safe, about)))
    if report.ranks:
        yield build_table(RANK_HEAD, _escape(list_ranks(report)), "Ranks.")
    if report.ties:
        yield build_table(TIES_HEAD, _escape(list_bounds(report)), _end(describe_ties(report.ties)))
    if report.curve:
        caption = _end(describe_curve(report.curve))
        yield build_table(CURVE_HEAD, _escape(list_points(report.curve)), caption)


def _number(value: float | None) -> str:
    return latex_safe(format_score(value))


def _escape(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    return [[latex_safe(cell) for cell in row] for row in rows]


def _end(sentence: str) -> str:
    return f"{latex_safe(sentence[:1].upper() + sentence[1:])}."


def build_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], caption: str, texts: int = 1
) -> str:
    """Return a table of cells that are LaTeX already; the first columns are texts."""
    columns = "l" * texts + "r" * (len(head) - texts)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{caption}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _join(map(latex_safe, head)),
        r"\midrule",
        *map(_join, rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _join(cells: Iterable[str]) -> str:
    return f"{' & '.join(cells)} \\\\"
