"""One ground truth and many runs: what does not depend on the run is done once."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from groupwise.evaluator.errors import InputError, OptionError, Problem
from groupwise.evaluator.evaluation.arguments import checks_arguments
from groupwise.evaluator.evaluation.conclusion import conclude
from groupwise.evaluator.evaluation.gate_sets import (
    Gates,
    check_baselines,
    choose_level,
    collect_gates,
    list_gated_fields,
)
from groupwise.evaluator.evaluation.partial import Partial, Progress
from groupwise.evaluator.evaluation.plan import Plan, check_jobs, list_cutoffs
from groupwise.evaluator.evaluation.provenance import list_inputs, name_input
from groupwise.evaluator.evaluation.slicing import check_fields, slice_queries
from groupwise.evaluator.evaluation.sources import describe_origin
from groupwise.evaluator.evaluation.swapped import explain_swapped
from groupwise.evaluator.evaluation.truth_index import TruthIndex
from groupwise.evaluator.inspection.refusals import explain_refusals
from groupwise.evaluator.inspection.settling import Settled, add_note, settle
from groupwise.evaluator.intake.objects import as_records, is_positional
from groupwise.evaluator.intake.vectors import load_vectors
from groupwise.evaluator.matching import Matching
from groupwise.evaluator.metrics.names import Measure
from groupwise.evaluator.reading.file import File, path_of
from groupwise.evaluator.reading.options import Options, Role
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.reading.source import Source, is_read_once
from groupwise.evaluator.text import plural, quote
from groupwise.schemas import Query, RunQuery, Truth

if TYPE_CHECKING:
    from groupwise.evaluator.evaluation.explanations import Request
    from groupwise.evaluator.evaluation.first_ranks import FirstRanks
    from groupwise.evaluator.matching.lookup import Chunks
    from groupwise.schemas import Baseline, Provenance, Report


class Evaluator:
    """Reads, checks and indexes the ground truth once, and scores many runs.

    Example:
        >>> evaluator = Evaluator({"q1": [["a", "b"], ["c"]]}, metrics=["recall"])
        >>> evaluator.evaluate({"q1": ["a", "x"]}).scores
        {'recall': 0.5}
        >>> evaluator.evaluate({"q1": ["c", "b"]}).scores
        {'recall': 1.0}
    """

    _role: Role | None = "ground_truth"

    @checks_arguments
    def __init__(  # noqa: PLR0913  (the contract's policies, all by keyword)
        self,
        ground_truth: Any,
        *,
        metrics: str | Iterable[str] | None = None,
        profile: str | None = None,
        k: int | Sequence[int] | None = None,
        missing: Literal["zero", "skip", "error"] | None = None,
        extra: Literal["ignore", "error"] | None = None,
        empty_results: Literal["zero", "skip"] | None = None,
        unanswerable: Literal["skip", "zero", "error"] | None = None,
        flat: Literal["any", "all"] | None = None,
        ids: Literal["text"] | None = None,
        ties: Literal["score", "input", "report"] | None = None,
        characters_per_token: float | None = None,
        matching: str | Mapping[str, Any] | None = None,
        corpus: Any = None,
        gates: Gates = (),
        baseline: "str | os.PathLike[str] | Baseline | None" = None,
        allow_other_data: bool = False,
        vectors: Any = None,
        curve: int | None = None,
        by: str | Iterable[str] | None = None,
        confidence: float | None = None,
        ceilings: bool = False,
        bands: bool = False,
        explain: "int | Request | None" = None,
        per_query: bool = True,
        provenance: bool = False,
        progress: Progress | None = None,
        jobs: int = 1,
    ) -> None:
        """Read the ground truth. All arguments are those of ``evaluate``.

        Raises:
            InputError: The ground truth is invalid; all problems are listed, with their locations.
            UnknownMetric: There is no such metric; the nearest name is suggested.
            OptionError: There is no such profile, or a cutoff or parameter is not accepted.
        """
        self._truth = settle(ground_truth, flat, self._role)
        chosen = collect_gates(gates, profile)
        names = chosen.metrics if metrics is None else metrics
        compared = None if baseline is None else _open_baseline(baseline)
        self._plan = Plan(
            metrics=names if names is None or isinstance(names, str) else tuple(names),
            profile=profile or chosen.profile,
            cutoffs=list_cutoffs(k),
            policies=_drop_unset(
                missing=missing, extra=extra, empty_results=empty_results,
                unanswerable=unanswerable, flat=self._truth.flat, ids=ids, ties=ties,
                characters_per_token=characters_per_token,
            ),
            gates=check_baselines(chosen.gates, compared), lenient=chosen.lenient,
            baseline=compared, allow_other_data=allow_other_data,
            matching=None if matching is None else Matching.parse(matching),
            per_query=per_query, progress=progress, curve=curve, ceilings=ceilings, bands=bands,
            vectors=None if vectors is None else load_vectors(vectors),
            by=tuple(dict.fromkeys((*check_fields(by), *list_gated_fields(chosen.gates)))),
            fingerprints=provenance or compared is not None,
            confidence=choose_level(confidence, chosen.gates),
            explain=_request_worst(explain, per_query=per_query),
            corpus=None if corpus is None else open_chunks(corpus),
            jobs=check_jobs(jobs),
        )  # fmt: skip
        self._prepare()

    def _prepare(self) -> None:
        """Read and index the ground truth."""
        partial = self._plan.start()
        with explain_refusals([self._truth.refused]):
            self._read_truths(self._open_truth(self._plan), partial)

    def _read_truths(self, records: Records, partial: Partial) -> None:
        try:
            self._truths = TruthIndex.read(records, partial)
            name = name_input(self._truth.value)
            self._origin = describe_origin(partial, name, records, Query)
        except InputError as error:
            raise explain_swapped(error, records) from None

    def _open_truth(self, plan: Plan) -> Records:
        """Return the records of the ground truth."""
        options = choose_texts(self._truth.options, plan)
        return add_note(as_records(self._truth.value, "ground_truth", options), self._truth.note)

    def _open_run(self, run: Settled, plan: Plan) -> Records:
        """Return the records of a run."""
        options = choose_texts(run.options, plan)
        return add_note(as_records(run.value, "results", options), run.note)

    @property
    def query_ids(self) -> Sequence[str]:
        """The ids of the queries of the ground truth, in its order."""
        return self._truths.rows.ids

    @property
    def profile(self) -> str:
        """What names of metrics without a profile mean."""
        return self._plan.start().setup.profile

    def list_scores(self) -> list[str]:
        """Return the labels of the metrics that are averaged."""
        return [measure.label for measure in self.list_measures()]

    def list_measures(self) -> list[Measure]:
        """Return the metrics that are averaged."""
        measures = self._plan.start().setup.measures
        return [measure for measure in measures if measure.is_asked_score]

    def find_truth(self, query_id: str) -> tuple[Truth, str | None]:
        """Return the ground truth of a query, and its text."""
        rows, row = self._truths.rows, self._truths.row_of[query_id]
        return rows.truths[row], rows.queries[row] if rows.queries else None

    def describe(self, *, fingerprints: bool | None = None) -> "Provenance":
        """Return where scores come from, but for the run.

        Args:
            fingerprints: Whether to compute that of the ground truth; None: as asked for.
        """
        wanted = self._plan.fingerprints if fingerprints is None else fingerprints
        inputs = list_inputs([self._origin], fingerprints=wanted)
        return self._plan.start().setup.describe(inputs)

    def slice_queries(self) -> dict[str, dict[str, list[str]]]:
        """Return the ids of the queries of each slice, by field and by the name of the slice."""
        return slice_queries(self._truths.rows, self._plan.by)

    def evaluate(self, run: Any, corpus: Any = None) -> "Report":
        """Return the report of ``evaluate(ground_truth, run, …)``.

        Args:
            run: Results by query id, a list in the order of the ground truth, records, a Run, a
                frame, or a path.
            corpus: The chunks of this run; None: those that the evaluator was given.

        Raises:
            InputError: The run is invalid; all problems are listed, with their locations.
        """
        plan = self._plan_with(corpus)
        given = settle(run, None, "run")
        return self._remember(self._evaluate(given, plan), given, plan)

    def _plan_with(self, corpus: Any) -> Plan:
        """Return the plan for a run that may have a corpus of its own."""
        return self._plan if corpus is None else self._plan._replace(corpus=open_chunks(corpus))

    def hold(self, run: Any) -> Any:
        """Return a run that can be looked at before it is scored: a pipe is copied once."""
        if not _is_pipe(path_of(run)):
            return run
        file = run if isinstance(run, File) else File(run)
        return replace(file, path=Source(file.path, file.max_bytes))

    def keep_ranks(self) -> None:
        """Keep where groups are first met, for ``score``."""
        self._plan = self._plan._replace(keeps_ranks=True)

    def score(self, run: Any, corpus: Any = None) -> "tuple[Report, FirstRanks | None]":
        """Return the report on a run, and where its groups are first met, if this is kept."""
        plan = self._plan_with(corpus)
        partial = plan.start()
        return self._add_run(settle(run, None, "run"), partial, plan), partial.first_ranks

    def _evaluate(self, run: Settled, plan: Plan) -> "Report":
        return self._add_run(run, plan.start(), plan)

    def _add_run(self, run: Settled, partial: Partial, plan: Plan) -> "Report":
        self._refuse_other_length(run.value)
        with explain_refusals([run.refused]):
            records = self._open_run(run, plan)
            return self._score(records, partial, name_input(run.value), plan)

    def _remember(self, report: "Report", run: Settled, plan: Plan) -> "Report":
        """Return the report, which can evaluate the same data again, unless it came from a pipe."""
        if _is_pipe(self._truth.value) or _is_pipe(run.value):
            return report

        def again(**asked: Any) -> "Report":
            return self._evaluate_again(run, plan, **asked)

        return report.remember(again)

    def _evaluate_again(self, run: Settled, plan: Plan, **asked: Any) -> "Report":
        """Return the report on the same run with a plan that differs in some fields."""
        return self._evaluate(run, plan._replace(progress=None)._replace(**asked))

    def _score(self, records: Records, partial: Partial, name: str | None, plan: Plan) -> "Report":
        run = describe_origin(partial, name, self._truths.pair(records), RunQuery)
        try:
            warnings = self._add_in_parts(records, partial, plan)
            if warnings is None:
                warnings = self._truths.add_run(partial, records)
            inputs = list_inputs([self._origin, run], fingerprints=plan.fingerprints)
            report = partial.report(warnings, inputs)
        except InputError as error:
            raise explain_swapped(error, None, records) from None
        return conclude(plan, report, lambda: self._truths.rows, partial.values_of)

    def _add_in_parts(self, records: Records, partial: Partial, plan: Plan) -> list[str] | None:
        """Add a run with several processes, if these are asked for and pay."""
        if plan.jobs == 1:
            return None
        from groupwise.evaluator.evaluation import parallel  # noqa: PLC0415  (rarely needed)

        return parallel.add_run(plan, self._truths, partial, records)

    def _refuse_other_length(self, run: Any) -> None:
        """Raise if two lists, which are paired by their order, differ in length."""
        lists = [value for value in (self._truth.value, run) if is_positional(value)]
        if len(lists) == 2 and len(lists[0]) != len(lists[1]):
            found = f"{plural(len(lists[0]), 'ground truth')} and {plural(len(lists[1]), 'result')}"
            raise InputError([Problem(f"{found}; lists are paired by their order")])


def choose_texts(options: Options, plan: Plan) -> Options:
    """Return how to read a file; texts are kept where something needs them."""
    explained, role = plan.explain, options.role
    by_text = plan.matching is not None and plan.matching.needs_references
    texts = (
        by_text
        or (explained is not None and (explained.page or (explained.texts and role != "run")))
        or ("characters_per_token" in plan.policies and role != "ground_truth")
    )
    return options._replace(texts=texts, by_text=by_text)


def _is_pipe(given: Any) -> bool:
    return isinstance(given, str | os.PathLike) and is_read_once(given)


def _drop_unset(**policies: Any) -> dict[str, Any]:
    """Return the policies that are given; the others are those of the fixture, or the defaults."""
    return {name: value for name, value in policies.items() if value is not None}


def _open_baseline(given: Any) -> "Baseline":
    from groupwise.evaluator.evaluation.baseline import open_baseline  # noqa: PLC0415  (rarely needed)

    return open_baseline(given)


def open_chunks(given: Any) -> "Chunks":
    """Return a corpus in which ids are looked up."""
    from groupwise.evaluator.matching.lookup import Chunks  # noqa: PLC0415  (rarely needed)

    return Chunks(given)


def _request_worst(count: Any, *, per_query: bool) -> "Request | None":
    """Return the request to explain the worst queries; one that is ready is taken as it is.

    Raises:
        OptionError: Their number is none, or the scores of queries are not kept.
    """
    if count is None:
        return None
    from groupwise.evaluator.evaluation.explanations import Request  # noqa: PLC0415  (rarely needed)

    if isinstance(count, Request):
        return count
    if not per_query:
        message = "explain: the worst queries need per_query=True, the scores of each query"
        raise OptionError([Problem(message)])
    return Request(worst=check_count("explain", count))


def check_count(name: str, value: Any) -> int:
    """Return a number of queries or results.

    Raises:
        OptionError: It is not a whole number from 1 on.
    """
    if type(value) is not int or value < 1:
        message = f"{name}: expected a whole number from 1 on, got {quote(value)}"
        raise OptionError([Problem(message)])
    return value
