"""The values of several runs on one ground truth, query by query."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from groupwise.evaluator.errors import InputError
from groupwise.evaluator.evaluation.evaluator import Evaluator
from groupwise.evaluator.hits import FloatArray
from groupwise.evaluator.hits.arrays import np
from groupwise.schemas import Counts, Input, Provenance, Report


@dataclass(frozen=True)
class RunValues:
    """Values by metric, run and query, in this order of axes; NaN: not scored.

    Attributes:
        profile: The meaning of the names of metrics.
        metrics: The labels of the metrics, as asked for.
        runs: The names of the runs, sorted.
        queries: The query ids, sorted.
        values: The values.
        counts: What was counted in each run.
        warnings: What a reader should know, by run.
        provenance: What the values were made from; its runs are in the order of ``runs``.
    """

    profile: str
    metrics: tuple[str, ...]
    runs: tuple[str, ...]
    queries: tuple[str, ...]
    values: FloatArray
    counts: tuple[Counts, ...]
    warnings: tuple[tuple[str, ...], ...]
    provenance: Provenance

    def only(self, rows: Sequence[int]) -> "RunValues":
        """Return the values of some queries."""
        chosen = tuple(self.queries[row] for row in rows)
        values = self.values[:, :, np.asarray(rows, dtype=np.int64)]
        return replace(self, queries=chosen, values=values)


def score_runs(evaluator: Evaluator, runs: Mapping[str, Any]) -> RunValues:
    """Return the values of all runs; one after the other is read, scored and dropped.

    Raises:
        InputError: A run is invalid; the message names it.
    """
    names = tuple(sorted(runs))
    collector: _Collector | None = None
    for number, name in enumerate(names):
        report = _evaluate(evaluator, name, runs[name])
        if collector is None:
            collector = _Collector(report, len(names))
        collector.add(number, report)
    assert collector is not None  # noqa: S101  (a comparison has two runs or more)
    return collector.collect(names)


def _evaluate(evaluator: Evaluator, name: str, run: Any) -> Report:
    try:
        return evaluator.evaluate(run)
    except InputError as error:
        raise _name_run(error, name) from None


def _name_run(error: InputError, name: str) -> InputError:
    """Return the same problems; those that name no file name the run."""
    problems = [
        found if found.source not in (None, "results") else found._replace(source=f"run {name!r}")
        for found in error.problems
    ]
    return type(error)(problems, error.count).with_hints(error.hints)


class _Collector:
    """Puts the values of runs, each in an order of its own, in the order of query ids."""

    def __init__(self, first: Report, runs: int) -> None:
        ids, _ = first.per_query.columns()
        self.profile = first.profile
        self.metrics = tuple(first.scores)
        self.queries = tuple(sorted(ids))
        self._row_of = {query_id: row for row, query_id in enumerate(self.queries)}
        self._values = np.full((len(self.metrics), runs, len(self.queries)), np.nan)
        self._counts: list[Counts] = []
        self._warnings: list[tuple[str, ...]] = []
        self._provenance = first.provenance or Provenance()
        self._inputs: list[Input] = []

    def add(self, number: int, report: Report) -> None:
        """Add the values of a run."""
        ids, columns = report.per_query.columns()
        rows = np.fromiter(map(self._row_of.__getitem__, ids), dtype=np.int64, count=len(ids))
        for metric, label in enumerate(self.metrics):
            self._values[metric, number, rows] = columns[label]
        self._counts.append(report.counts)
        self._warnings.append(report.warnings)
        given = report.provenance.inputs if report.provenance else ()
        self._inputs += [each for each in given if each.role == "run"]

    def collect(self, names: tuple[str, ...]) -> RunValues:
        """Return what was added, under these names."""
        return RunValues(
            self.profile, self.metrics, names, self.queries, self._values,
            tuple(self._counts), tuple(self._warnings), self._describe(),
        )  # fmt: skip

    def _describe(self) -> Provenance:
        """Return what all reports were made from: one ground truth, all runs, the corpora."""
        others = [each for each in self._provenance.inputs if each.role != "run"]
        truths = [each for each in others if each.role == "ground_truth"]
        corpora = [each for each in others if each.role == "corpus"]
        return self._provenance.model_copy(update={"inputs": (*truths, *self._inputs, *corpora)})
