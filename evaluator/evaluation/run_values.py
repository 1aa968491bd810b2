"""The values of several runs on one ground truth, query by query."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from groupwise.evaluator.errors import InputError
from groupwise.evaluator.evaluation.evaluator import Evaluator
from groupwise.evaluator.evaluation.first_ranks import FirstRanks
from groupwise.evaluator.evaluation.saved_runs import check_saved, open_saved
from groupwise.evaluator.hits import FloatArray, IntArray
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
        ranks: Where groups are first met, by run, if this is kept; None: a saved baseline.
    """

    profile: str
    metrics: tuple[str, ...]
    runs: tuple[str, ...]
    queries: tuple[str, ...]
    values: FloatArray
    counts: tuple[Counts, ...]
    warnings: tuple[tuple[str, ...], ...]
    provenance: Provenance
    ranks: "tuple[RunRanks | None, ...]" = ()

    def only(self, rows: Sequence[int]) -> "RunValues":
        """Return the values of some queries."""
        chosen = tuple(self.queries[row] for row in rows)
        values = self.values[:, :, np.asarray(rows, dtype=np.int64)]
        return replace(self, queries=chosen, values=values, ranks=())


class RunRanks(NamedTuple):
    """Where the groups of a run are first met; ``place_of`` finds a query among those scored."""

    ranks: FirstRanks
    place_of: IntArray


class ScoredRun(NamedTuple):
    """One run: query ids, and the value of each metric in the same order; NaN: not scored."""

    ids: Sequence[str]
    columns: Mapping[str, Sequence[float]]
    counts: Counts
    inputs: Sequence[Input] = ()
    warnings: tuple[str, ...] = ()
    ranks: FirstRanks | None = None

    @classmethod
    def of(cls, report: Report, ranks: FirstRanks | None = None) -> "ScoredRun":
        """Return the values of a report; those queries come first that have ranks."""
        inputs = report.provenance.inputs if report.provenance else ()
        return cls(*report.per_query.columns(), report.counts, inputs, report.warnings, ranks)


class Corpora(NamedTuple):
    """The corpus of all runs, or that of each run by its name."""

    common: Any
    by_run: Mapping[str, Any]

    @classmethod
    def split(cls, given: Any, runs: Mapping[str, Any]) -> "Corpora":
        """Return what a call gives: one corpus, or a mapping with the names of runs as keys."""
        if isinstance(given, Mapping) and given and given.keys() <= runs.keys():
            return cls(None, given)
        return cls(given, {})


def score_runs(
    evaluator: Evaluator,
    runs: Mapping[str, Any],
    corpora: Mapping[str, Any],
    *,
    allow_other_data: bool = False,
) -> RunValues:
    """Return the values of all runs; one after the other is read, scored and dropped.

    Args:
        evaluator: That of the ground truth.
        runs: Results by name; a saved baseline may stand for them.
        corpora: The chunks of runs that have a corpus of their own, by name.
        allow_other_data: Accept a baseline of other data.

    Raises:
        InputError: A run is invalid; the message names it.
    """
    names = tuple(sorted(runs))
    collector = _Collector(evaluator, len(names))
    for number, name in enumerate(names):
        run = evaluator.hold(runs[name])
        found = _open_baseline(evaluator, name, run, allow_other_data=allow_other_data)
        collector.add(number, found or _score(evaluator, name, run, corpora.get(name)))
    return collector.collect(names)


def _open_baseline(
    evaluator: Evaluator, name: str, run: Any, *, allow_other_data: bool
) -> ScoredRun | None:
    """Return the values of a saved baseline; None if the run is none."""
    saved = open_saved(run)
    if saved is None:
        return None
    found = check_saved(saved, evaluator, name, allow_other_data=allow_other_data)
    return ScoredRun(*saved.per_query.columns(), saved.counts, saved.provenance.inputs, found)


def _score(evaluator: Evaluator, name: str, run: Any, corpus: Any) -> ScoredRun:
    try:
        return ScoredRun.of(*evaluator.score(run, corpus))
    except InputError as error:
        raise name_run(error, name) from None


def name_run(error: InputError, name: str) -> InputError:
    """Return the same problems; those that name no file name the run."""
    problems = [
        found if found.source not in (None, "results") else found._replace(source=f"run {name!r}")
        for found in error.problems
    ]
    return type(error)(problems, error.count).with_hints(error.hints)


class _Collector:
    """Puts the values of runs, each in an order of its own, in the order of query ids."""

    def __init__(self, evaluator: Evaluator, runs: int) -> None:
        self._evaluator = evaluator
        self.metrics = tuple(evaluator.list_scores())
        self.queries = tuple(sorted(evaluator.query_ids))
        self._row_of = {query_id: row for row, query_id in enumerate(self.queries)}
        self._values = np.full((len(self.metrics), runs, len(self.queries)), np.nan)
        self._runs: list[ScoredRun] = []
        self._ranks: list[RunRanks | None] = []

    def add(self, number: int, run: ScoredRun) -> None:
        """Add the values of a run; those of queries without ground truth are left out."""
        places = [self._row_of.get(query_id, -1) for query_id in run.ids]
        rows = np.array(places, dtype=np.int64)
        known = rows >= 0
        for metric, label in enumerate(self.metrics):
            self._values[metric, number, rows[known]] = np.asarray(run.columns[label])[known]
        self._ranks.append(None if run.ranks is None else self._place_ranks(run.ranks, rows))
        self._runs.append(run._replace(ids=(), columns={}, ranks=None))

    def _place_ranks(self, ranks: FirstRanks, rows: IntArray) -> RunRanks:
        """Return the ranks of a run whose queries are in these rows."""
        place_of = np.full(len(self.queries), -1, np.int64)
        place_of[rows] = np.arange(len(rows))
        return RunRanks(ranks, place_of)

    def collect(self, names: tuple[str, ...]) -> RunValues:
        """Return what was added, under these names."""
        return RunValues(
            self._evaluator.profile, self.metrics, names, self.queries, self._values,
            tuple(run.counts for run in self._runs), tuple(run.warnings for run in self._runs),
            self._describe(), tuple(self._ranks),
        )  # fmt: skip

    def _describe(self) -> Provenance:
        """Return what all values were made from: one ground truth, all runs, the corpora."""
        provenance = self._evaluator.describe()
        truths = [each for each in provenance.inputs if each.role == "ground_truth"]
        corpora = [each for each in provenance.inputs if each.role == "corpus"]
        runs = [each for run in self._runs for each in run.inputs if each.role == "run"]
        return provenance.model_copy(update={"inputs": (*truths, *runs, *corpora)})
