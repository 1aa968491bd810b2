"""Ground truth and results to a report, under stated policies."""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.evaluation.arguments import checks_arguments
from groupwise.evaluator.evaluation.evaluator import Evaluator
from groupwise.evaluator.evaluation.gate_sets import Gates
from groupwise.evaluator.evaluation.partial import Progress
from groupwise.evaluator.evaluation.plan import NO_HEAD, Plan
from groupwise.evaluator.evaluation.provenance import name_input
from groupwise.evaluator.evaluation.sources import evaluate_both, evaluate_pair, evaluate_plain
from groupwise.evaluator.evaluation.swapped import explain_swapped
from groupwise.evaluator.inspection.refusals import Refused, explain_refusals
from groupwise.evaluator.inspection.settling import Settled
from groupwise.evaluator.intake.plain_pairs import pair_plain
from groupwise.evaluator.reading.options import Role

if TYPE_CHECKING:
    from groupwise.evaluator.evaluation.explanations import Request
    from groupwise.evaluator.matching.lookup import Chunks
    from groupwise.schemas import Baseline, Report


@checks_arguments
def evaluate(  # noqa: PLR0913  (the contract's policies, all by keyword)
    ground_truth: Any,
    results: Any = None,
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
    save_baseline: str | os.PathLike[str] | None = None,
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
    retriever: Any = None,
    workers: int = 4,
    timeout: float | None = 60.0,
) -> "Report":
    """Evaluate results against grouped ground truth.

    Args:
        ground_truth: Groups by query id, a list of ground truths, records, a Dataset, a frame, or
            a path; without ``results`` a Fixture, records that hold both, or a path to such a file.
            ``File`` says how a file is read: its format, where its fields are, its limits.
        results: Results by query id, a list in the same order, records, a Run, a frame, or a path.
            The results of a query are ids, (id, score) pairs, or results in full, best first.
        metrics: Names such as ``"ndcg@10"``; None: those of the fixture, or the profile's six.
        profile: Whose definitions the names have; None: that of the fixture, or ``"autorag"``.
        k: Cutoffs for the metrics that name none.
        missing: A query without results: ``"zero"`` (default), ``"skip"`` or ``"error"``.
        extra: A query without ground truth: ``"ignore"`` (default) or ``"error"``.
        empty_results: An empty result: ``"zero"`` (default) or ``"skip"``, as AutoRAG does.
        unanswerable: A query without groups: ``"skip"`` (default), ``"zero"``, as trec_eval does,
            or ``"error"``.
        flat: A flat list of ids: ``"any"`` makes it one group, ``"all"`` one group per id.
        ids: ``"text"`` compares all ids as strings.
        ties: How the trec profile orders results with scores (the others keep the given order):
            ``"score"`` (default), ``"input"``, or ``"report"`` for worst and best values as well.
        characters_per_token: The length of a token, for budgets, where results carry only their
            text.
        matching: When a result meets a group: the name of a matcher (default ``"exact"``: it
            lists the id), or a mapping with its ``type`` and options.
        corpus: The chunks of the corpus, for matchers and metrics of texts or spans: alternatives
            and results that have ids alone are looked up in it. A path, a Corpus, a frame, records,
            or texts by id; explanations also say which groups it lacks.
        gates: Gates such as ``"recall@5 >= 0.8"``, ``"lower(mrr) >= 0.8"``,
            ``"ndcg@10 >= baseline - 0.01"`` or ``"type=bridge: complete@10 >= 0.7"``; or the name
            of a preset (``"rag"``), or the path of a JSON file. Their metrics are measured as well.
            The verdicts are in ``gates`` of the report, and ``passed`` says whether none fails.
        baseline: The file of a baseline, or a Baseline, that gates refer to. It must be of the same
            ground truth, profile and policies.
        allow_other_data: Accept a baseline of other data.
        save_baseline: The file to write the scores to, as a baseline, unless a gate fails.
        vectors: A vector per document, for diversity: by id, or the path of a ``.npy`` file with
            its ids beside it (``NAME.ids.txt``), or of JSON Lines with ``id`` and ``vector``.
        curve: Also report recall, precision and complete at every cutoff up to this one.
        by: Also report the scores of slices, the queries with the same value of a field: a key of
            their ``metadata``, ``"groups"`` (how many groups they have) or ``"label"`` (of their
            groups); or several fields.
        confidence: Also report a confidence interval of each score at this level, such as 0.95, and
            of each score of a slice. The values of all queries are then kept until the end.
        ceilings: Also report the ceiling of each score: what an ideal ranking of k results scores
            on this ground truth. The ceilings of the metrics of gates are always reported.
        bands: Also report what a published source calls each score, such as "good", for the
            metrics that have one; it is advice.
        explain: Also explain so many queries, those with the lowest scores of the first metric.
        per_query: Whether to report the scores of each query.
        provenance: Whether to compute the fingerprints of the inputs, which take another pass over
            them. Their names, the policies and the matching are in every report.
        progress: Called from time to time with the number of queries done.
        jobs: How many processes read and score the parts of a file. This pays for JSON Lines from
            some hundred megabytes on; all else is read in one process. The report is the same.
        retriever: In place of ``results``: a function that is called with the text of each query,
            also an async one, and returns ids, (id, score) pairs, mappings or documents, best
            first. A failed call counts as an empty result; its reason is in ``failures``.
        workers: How many calls of the retriever run at a time.
        timeout: Seconds that a call of the retriever may take; None: no timeout.

    Returns:
        The report: ``scores``, ``intervals``, ``slices``, ``gates``, ``per_query``, ``counts``,
        ``warnings``, ``failures``.

    Raises:
        InputError: The input is invalid; all problems are listed, with their locations.
        UnknownMetric: There is no such metric; the nearest name is suggested.
        OptionError: There is no such profile, or a cutoff or parameter is not accepted.
        WorkerLost: One of several processes was killed.

    Example:
        >>> truth, results = {"q1": [["a", "b"], ["c"]]}, {"q1": ["a", "x", "b"]}
        >>> evaluate(truth, results, metrics="recall").scores["recall"]
        0.5
    """
    kind = Both if results is None and retriever is None else OnePass
    evaluator = kind(
        ground_truth, metrics=metrics, profile=profile, k=k, missing=missing, extra=extra,
        empty_results=empty_results, unanswerable=unanswerable, flat=flat, ids=ids, ties=ties,
        characters_per_token=characters_per_token, matching=matching, corpus=corpus,
        gates=gates, baseline=baseline, allow_other_data=allow_other_data, vectors=vectors,
        curve=curve, by=by, explain=explain, confidence=confidence, ceilings=ceilings,
        bands=bands, per_query=per_query, provenance=provenance or save_baseline is not None,
        progress=progress, jobs=jobs,
    )  # fmt: skip
    if retriever is not None and results is not None:
        raise InputError([Problem("both results and a retriever; give one of them")])
    inputs = [Refused.of(ground_truth, evaluator.role), Refused.of(results, "run")]
    with explain_refusals(inputs, flat):
        if retriever is None:
            report = evaluator.evaluate(results)
        else:
            report = evaluator.evaluate_retriever(retriever, workers, timeout)
    if save_baseline is not None and report.passed:
        report.save_baseline(save_baseline)
    return report


def _is_fixture(value: Any) -> bool:
    """Whether this is a model; a path or plain data is decided without loading one."""
    if isinstance(value, str | os.PathLike | Mapping | list | tuple):
        return False
    from groupwise.schemas import Fixture  # noqa: PLC0415  (loads pydantic)

    return isinstance(value, Fixture)


class OnePass(Evaluator):
    """An evaluator of one run: ground truth and results are read side by side."""

    @property
    def role(self) -> Role | None:
        """What the ground truth is read as; None: it holds results as well."""
        return self._role

    def _prepare(self) -> None:
        """Leave the ground truth to be read with the results."""

    def explain(self, request: "Request", corpus: "Chunks | None" = None) -> None:
        """Add an explanation to the report."""
        self._plan = self._plan._replace(explain=request, corpus=corpus)

    def _evaluate(self, run: Settled, plan: Plan) -> "Report":
        if run.value is None:
            return self._evaluate_both(plan)
        if (report := self._evaluate_plain(run, plan)) is not None:
            return report
        self._refuse_other_length(run.value)
        truths, results = self._open_truth(plan), self._open_run(run, plan)
        names = name_input(self._truth.value), name_input(run.value)
        try:
            return evaluate_pair(plan, truths, results, names)
        except InputError as error:
            raise explain_swapped(error, truths, results) from None

    def _evaluate_plain(self, run: Settled, plan: Plan) -> "Report | None":
        """Return the report if ground truth and run are plain and nothing else is asked for."""
        asks_more = plan.gates or plan.by or plan.corpus or plan.fingerprints or plan.progress
        reads_more = self._truth.options.fields or run.options.fields
        if asks_more or reads_more:
            return None
        pairs = pair_plain(self._truth.value, run.value)
        with suppress(InputError):  # the careful way says more about it
            return None if pairs is None else evaluate_plain(plan, pairs)
        return None

    def _evaluate_both(self, plan: Plan) -> "Report":
        """Return the report on a fixture, or on records that hold both."""
        plan.check_names()
        given = self._truth.value
        head = given if _is_fixture(given) else NO_HEAD
        return evaluate_both(plan, self._open_truth(plan), head, name_input(given))

    def evaluate_retriever(self, retriever: Any, workers: int, timeout: float | None) -> "Report":
        """Return the report on what a retriever returns for each query."""
        from groupwise.evaluator.evaluation.evaluate_retriever import evaluate_retriever  # noqa: PLC0415  (brings asyncio)
        from groupwise.evaluator.evaluation.retriever import CallOptions  # noqa: PLC0415

        options = CallOptions(workers, timeout, self._plan.policies.get("ids"))
        truths, name = self._open_truth(self._plan), name_input(self._truth.value)
        return evaluate_retriever(self._plan, truths, retriever, options, name)


class Both(OnePass):
    """An evaluator of a file, or of records, that hold ground truth and results."""

    _role = None
