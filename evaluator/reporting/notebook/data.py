"""Data sets, runs and queries in a notebook: how many there are, and the first ones."""

from collections.abc import Sequence

from groupwise.evaluator.reporting.explained import letter_of, list_alternatives, show_id
from groupwise.evaluator.reporting.notebook.view import View
from groupwise.evaluator.text import plural
from groupwise.schemas import Dataset, Group, Query, Result, Run, RunQuery
from groupwise.schemas.ids import Id

GROUPS, RESULTS = 3, 3
"""How many of them a row shows."""


def view_dataset(dataset: Dataset) -> View:
    """Return what a notebook shows of a data set."""
    groups = sum(len(query.ground_truth.groups) for query in dataset.queries)
    queries = plural(len(dataset), "query", "queries")
    view = View("Dataset", f"{queries}, {plural(groups, 'group')}")
    rows = ((query.id, query.query or "", _list_groups(query)) for query in dataset.queries)
    view.table(("id", "query", "ground truth"), rows, texts=range(3), total=len(dataset))
    return view


def _list_groups(query: Query) -> str:
    """Return the first groups of a query, each with its first alternatives."""
    groups = query.ground_truth.groups
    if not groups:
        return "unanswerable"
    shown = "; ".join(_list_ids(group) for group in groups[:GROUPS])
    return f"{shown}; {_count_more(len(groups) - GROUPS)}" if len(groups) > GROUPS else shown


def _list_ids(group: Group) -> str:
    return list_alternatives([listed.id for listed in group.alternatives])


def _count_more(count: int) -> str:
    return f"{count:,} more"


def view_run(run: Run) -> View:
    """Return what a notebook shows of a run."""
    results = sum(len(query.results) for query in run.queries)
    queries = plural(len(run), "query", "queries")
    view = View("Run", f"{queries}, {plural(results, 'result')}")
    rows = ((query.id, f"{len(query.results):,}", _list_results(query)) for query in run.queries)
    view.table(("id", "results", "best first"), rows, texts=(0, 2), total=len(run))
    return view


def _list_results(query: RunQuery) -> str:
    results = [_show_result(result) for result in query.results[:RESULTS]]
    more = len(query.results) - RESULTS
    return ", ".join([*results, _count_more(more)] if more > 0 else results)


def _show_result(result: Id | Result) -> str:
    if not isinstance(result, Result):
        return show_id(result)
    score = "" if result.score is None else f" ({result.score:g})"
    return f"{show_id(result.id)}{score}"


def view_query(query: Query) -> View:
    """Return what a notebook shows of a query and its ground truth."""
    view = View(f"Query {show_id(query.id)}", query.query or "")
    groups: Sequence[Group] = query.ground_truth.groups
    if not groups:
        view.line("unanswerable: no document answers it")
        return view
    rows = [
        (letter_of(number), group.label or "", _list_ids(group), f"{group.weight:g}")
        for number, group in enumerate(groups)
    ]
    view.table(("group", "label", "any of", "weight"), rows, texts=(0, 1, 2))
    return view
