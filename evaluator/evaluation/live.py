"""From a data set and a live retriever to a report."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from groupwise.evaluator.evaluation.retriever import Calling, retrieve
from groupwise.evaluator.evaluation.sources import evaluate_pair, read_queries
from groupwise.evaluator.intake.objects import as_records
from groupwise.evaluator.reading.records import Records
from groupwise.schemas import Dataset, Report, Run
from groupwise.schemas.shape import shortened

if TYPE_CHECKING:
    from groupwise.evaluator.evaluation.plan import Plan

Tell = Callable[[int], None]


def evaluate_live(
    plan: "Plan",
    truths: Records,
    retriever: Any,
    how: tuple[int, float | None, Literal["text"] | None],
) -> Report:
    """A report on what the retriever returns for each query; the ground truth is checked first."""
    calling = Calling(*how)
    queries = read_queries(plan, truths)
    with told(len(queries), plan.progress) as tell:
        retrieved = retrieve(queries, retriever, calling, tell)
    report = evaluate_pair(
        plan,
        as_records(Dataset(queries=queries), "ground_truth"),
        as_records(Run(queries=tuple(retrieved.results)), "results"),
    )
    return with_failures(report, retrieved.failures)


def with_failures(report: Report, failures: Mapping[str, str]) -> Report:
    """The same report, with the queries that the retriever gave nothing for."""
    if not failures:
        return report
    warnings = (_warning(failures, report.counts.queries), *report.warnings)
    return report.model_copy(update={"failures": dict(failures), "warnings": warnings})


def _warning(failures: Mapping[str, str], queries: int) -> str:
    some = list(failures.items())[:3]
    shown = [f"{shortened(repr(one))} ({shortened(reason, 80)})" for one, reason in some]
    more = ", …" if len(failures) > 3 else ""
    return (
        f"the retriever failed for {len(failures)} of {queries} queries, "
        f"which count as empty results: {', '.join(shown)}{more}"
    )


@contextmanager
def told(queries: int, given: Tell | None) -> Iterator[Tell | None]:
    """Whom to tell the number of queries done: who asked for it, else a person who watches."""
    if given is not None or not _is_watched():
        yield given
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    console = Console(stderr=True, no_color=bool(os.environ.get("NO_COLOR")))
    with Progress(console=console, transient=True) as shown:
        task = shown.add_task("asking the retriever", total=queries)
        yield lambda done: shown.update(task, completed=done)


def _is_watched() -> bool:
    stream = sys.stderr
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
