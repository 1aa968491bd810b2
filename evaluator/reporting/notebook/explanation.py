"""An explanation in a notebook: the reasons, what is missed most, and the first queries."""

from groupwise.evaluator.reporting import explained
from groupwise.evaluator.reporting.explained import (
    describe_extent,
    describe_group,
    describe_query,
    letter_of,
)
from groupwise.evaluator.reporting.notebook.view import ROWS, View
from groupwise.evaluator.text import plural
from groupwise.schemas.explanation import Explanation

QUERIES = 5


def view_explanation(explanation: Explanation) -> View:
    """Return what a notebook shows of an explanation."""
    view = View("Explanation", describe_extent(explanation))
    view.warn(explanation.warnings)
    reasons = list(explained.list_reasons(explanation.reasons))
    view.table(("reason", "groups", "share"), reasons)
    shares, depths = explained.list_depths(explanation.depth_for)
    view.table([explained.DEPTH_HEAD, *shares], [[explained.DEPTH_ROW, *depths]])
    if explanation.missed_groups:
        missed = list(explained.list_missed(explanation))
        view.table(explained.MISSED_HEAD, missed, texts=(0, 1))
    _show_queries(view, explanation)
    return view


def _show_queries(view: View, explanation: Explanation) -> None:
    for name in list(explanation.queries)[:QUERIES]:
        query = explanation.queries[name]
        view.line(describe_query(query, explanation), mark=name)
        lines = [
            f"{letter_of(group.group)}  {describe_group(group, query.results)}"
            for group in query.groups[:ROWS]
        ]
        more = len(query.groups) - ROWS
        view.lines([*lines, f"… and {plural(more, 'more group')}"] if more > 0 else lines)
    more = len(explanation.queries) - QUERIES
    if more > 0:
        view.line(f"… and {plural(more, 'more query', 'more queries')}")
