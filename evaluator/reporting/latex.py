"""Tables in LaTeX, with the rules of booktabs; and a report as such tables."""

from collections.abc import Iterable, Iterator, Sequence

from groupwise.evaluator.reporting.estimates import (
    has_estimates,
    list_estimate_columns,
    list_estimate_notes,
    list_estimates,
)
from groupwise.evaluator.reporting.pivot import build_pivot, format_counts, format_score
from groupwise.evaluator.reporting.profile import describe_profile
from groupwise.evaluator.reporting.sanitise import latex_safe
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
from groupwise.evaluator.text import capitalise
from groupwise.schemas import Report

PACKAGES = "% \\usepackage{booktabs}\n"
WIDE = 7
"""From how many columns on a table needs small print to fit a page of text."""


def render(report: Report) -> str:
    """Return means, ranks, ties, curve and slices as tables; captions have counts and warnings."""
    return PACKAGES + "\n".join(_list_tables(report))


def _list_tables(report: Report) -> Iterator[str]:
    profile = describe_profile(report.profile, report.matching)
    about = [f"{profile}; {format_counts(report.counts)}"]
    caption = " ".join(map(_end, (*about, *list_estimate_notes(report), *report.warnings)))
    yield _build_scores(report, caption)
    if report.ranks:
        yield build_table(RANK_HEAD, _escape(list_ranks(report)), "Ranks.")
    if report.ties:
        yield build_table(TIES_HEAD, _escape(list_bounds(report)), _end(describe_ties(report.ties)))
    if report.curve:
        caption = _end(describe_curve(report.curve))
        yield build_table(CURVE_HEAD, _escape(list_points(report.curve)), caption)
    for field in report.slices:
        yield _build_slices(report, field)


def _build_scores(report: Report, caption: str) -> str:
    """Return a table of the means, with what is known about them."""
    if has_estimates(report):
        head = ["metric", *list_estimate_columns(report)]
        return build_table(head, _escape(list_estimates(report)), caption)
    columns, rows = build_pivot(report)
    scores = [[name, *map(format_score, values)] for name, values in rows]
    return build_table(["metric", *columns], _escape(scores), caption)


def _build_slices(report: Report, field: str) -> str:
    rows = [(name, queries, *cells) for name, queries, cells in list_slices(report, field)]
    head = [field, "queries", *list_slice_columns(report)]
    return build_table(head, _escape(rows), _end(f"by {field}"))


def _escape(rows: Iterable[Iterable[str]]) -> list[list[str]]:
    return [[latex_safe(cell) for cell in row] for row in rows]


def _end(sentence: str) -> str:
    return f"{latex_safe(capitalise(sentence))}."


def build_table(
    head: Sequence[str], rows: Iterable[Sequence[str]], caption: str, texts: int = 1
) -> str:
    """Return a table of cells that are LaTeX already.

    Args:
        head: The headings of the columns, as plain text.
        rows: The cells.
        caption: The caption, as LaTeX.
        texts: How many of the first columns are texts; the others are numbers.
    """
    columns = "l" * texts + "r" * (len(head) - texts)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{caption}}}",
        *([r"\footnotesize\setlength{\tabcolsep}{2pt}"] if len(head) >= WIDE else []),
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
