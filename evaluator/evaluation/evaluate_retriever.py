"""Evaluates a live retriever: a data set and a function become a report."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.evaluation.retriever import CallOptions, Progress, retrieve
from groupwise.evaluator.evaluation.sources import evaluate_pair, read_queries
from groupwise.evaluator.intake.objects import as_records
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.text import cut, plural, quote
from groupwise.schemas import Dataset, Report, Run, RunQuery

if TYPE_CHECKING:
    from groupwise.evaluator.evaluation.plan import Plan


def evaluate_retriever(
    plan: "Plan", truths: Records, retriever: Any, options: CallOptions, name: str | None = None
) -> Report:
    """Return a report on what a retriever returns for each query.

    Args:
        plan: The metrics and policies.
        truths: The ground truth, which is checked before the first call.
        retriever: What ``retrieve`` calls.
        options: Concurrent calls, the timeout of each, and how ids are compared.
        name: The base name of the file of the ground truth.
    """
    queries, noticed = read_queries(plan, truths)
    with show_progress(len(queries), plan.progress) as progress:
        outcomes = retrieve(queries, retriever, options, progress)
    pairs = list(zip(queries, outcomes, strict=True))
    results = [RunQuery(id=q.id, results=()) if isinstance(o, str) else o for q, o in pairs]
    failures = {query.id: reason for query, reason in pairs if isinstance(reason, str)}
    dataset, run = Dataset(queries=queries), Run(queries=tuple(results))

    def again(**asked: Any) -> Report:
        asked_plan = plan._replace(progress=None)._replace(**asked)
        given = as_records(dataset, "ground_truth"), as_records(run, "results")
        return evaluate_pair(asked_plan, *given, (name, None))

    report = again(progress=plan.progress).remember(again, run)
    if noticed:
        report = report.model_copy(update={"warnings": (*report.warnings, *noticed)})
    return _add_failures(report, dict(sorted(failures.items())))


def _add_failures(report: Report, failures: dict[str, str]) -> Report:
    """Return the report with the calls that failed: reasons by query id, and a warning."""
    if not failures:
        return report
    warnings = (_describe_failures(failures, report.counts.queries), *report.warnings)
    changed = {"failures": failures, "warnings": warnings}
    if report.explanation is not None:
        queries = report.explanation.queries.with_failures(failures)
        changed["explanation"] = report.explanation.model_copy(update={"queries": queries})
    return report.model_copy(update=changed)


def _describe_failures(failures: dict[str, str], queries: int) -> str:
    shown = [
        f"{quote(query_id)} ({cut(reason, 80)})" for query_id, reason in list(failures.items())[:3]
    ]
    more = ", …" if len(failures) > 3 else ""
    return (
        f"the retriever failed for {len(failures):,} of {plural(queries, 'query', 'queries')}, "
        f"which count as empty results: {', '.join(shown)}{more}"
    )


@contextmanager
def show_progress(queries: int, given: Progress | None) -> Iterator[Progress | None]:
    """Progress callback, or a bar on a terminal."""
    if given is not None or not _has_terminal():
        yield given
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress as Bar  # noqa: PLC0415

    console = Console(stderr=True, no_color=bool(os.environ.get("NO_COLOR")))
    with Bar(console=console, transient=True) as bar:
        task = bar.add_task("calling the retriever", total=queries)
        yield lambda done: bar.update(task, completed=done)


def _has_terminal() -> bool:
    stream = sys.stderr
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
