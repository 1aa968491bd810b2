"""Ground truth and results to a report, under stated policies."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Literal

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.evaluation.partial import Progress
from groupwise.evaluator.evaluation.plan import NO_HEAD, Plan
from groupwise.evaluator.intake.objects import as_records, is_positional
from groupwise.evaluator.reading.options import Options, Role
from groupwise.schemas import Fixture, FixtureHead, Report


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
    unanswerable: Literal["skip", "error"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    characters_per_token: float | None = None,
    vectors: Any = None,
    curve: int | None = None,
    per_query: bool = True,
    progress: Progress | None = None,
    retriever: Any = None,
    workers: int = 4,
    timeout: float | None = 60.0,
) -> Report:
    """Evaluate results against grouped ground truth.

    Args:
        ground_truth: Groups by query id, a list of ground truths, records, a Dataset, or a path;
            without ``results`` a Fixture, records that hold both, or a path to such a file.
        results: Results by query id, a list in the same order, records, a Run, or a path.
        metrics: Names such as ``"ndcg@10"``; None means the six of the profile.
        profile: The meaning of the names; None means what a fixture says, else ``"autorag"``.
        k: Cutoffs for the metrics that name none.
        missing: For a query without results: ``"zero"`` (default), ``"skip"`` or ``"error"``.
        extra: For a query without ground truth: ``"ignore"`` (default) or ``"error"``.
        empty_results: For an empty result: ``"zero"`` (default) or ``"skip"``, as AutoRAG does.
        unanswerable: For a query without groups: ``"skip"`` (default) or ``"error"``.
        flat: For a flat list of ids: ``"any"`` makes it one group, ``"all"`` one group per id.
        ids: ``"text"`` compares all ids as strings.
        ties: How the trec profile orders results with scores (the others keep the given order):
            ``"score"`` (default), ``"input"``, or ``"report"`` for worst and best values as well.
        characters_per_token: Tokens of results that carry only their text, for budgets.
        vectors: A vector per document, for diversity: by id, or the path of a ``.npy`` file with
            its ids beside it (``NAME.ids.txt``), or of JSON Lines with ``id`` and ``vector``.
        curve: Also give recall, precision and complete at every cutoff up to this one.
        per_query: Whether to keep the scores of each query.
        progress: Called now and then with the number of queries done.
        retriever: In place of ``results``: a function that is called with the text of each query,
            also an async one, and returns ids, (id, score) pairs, mappings or documents, best
            first. A call that fails counts as an empty result, its reason is in ``failures``.
        workers: How many calls of the retriever there are at a time.
        timeout: How many seconds a call of the retriever may take; None means any number.

    Returns:
        The report: ``scores``, ``per_query``, ``counts``, ``warnings``, ``failures``.

    Raises:
        InputError: The input is unsound; all problems are listed, each with its place.
        UnknownMetric: There is no such metric; the nearest name is suggested.

    Example:
        >>> truth, results = {"q1": [["a", "b"], ["c"]]}, {"q1": ["a", "x", "b"]}
        >>> evaluate(truth, results, metrics="recall").scores["recall"]
        0.5
    """
    asked = {
        "missing": missing, "extra": extra, "empty_results": empty_results,
        "unanswerable": unanswerable, "flat": flat, "ids": ids, "ties": ties,
        "characters_per_token": characters_per_token,
    }  # fmt: skip
    plan = Plan(
        metrics, profile, _cutoffs(k), asked,
        per_query=per_query, progress=progress, vectors=vectors, curve=curve,
    )  # fmt: skip
    if retriever is not None:
        from groupwise.evaluator.evaluation.live import evaluate_live  # noqa: PLC0415  (brings asyncio)

        _refuse_results(results)
        return evaluate_live(plan, ground_truth, retriever, (workers, timeout, ids))
    _refuse_unequal_lists(ground_truth, results)
    texts = characters_per_token is not None
    if results is None:
        both = as_records(ground_truth, "ground_truth", _options(None, texts=texts))
        return plan.evaluate_both(both, _head_of(ground_truth))
    return plan.evaluate_pair(
        as_records(ground_truth, "ground_truth", _options("ground_truth")),
        as_records(results, "results", _options("run", texts=texts)),
    )


@cache
def _options(role: Role | None, *, texts: bool = False) -> Options:
    return Options(role=role, texts=texts)


def _refuse_results(results: Any) -> None:
    if results is not None:
        raise InputError([Problem("both results and a retriever; give one of them")])


def _cutoffs(k: int | Sequence[int] | None) -> tuple[int, ...]:
    if k is None:
        return ()
    return tuple(k) if isinstance(k, Iterable) else (k,)


def _refuse_unequal_lists(ground_truth: Any, results: Any) -> None:
    """Lists are paired by their order, so they must be equally long."""
    lists = [value for value in (ground_truth, results) if is_positional(value)]
    if len(lists) == 2 and len(lists[0]) != len(lists[1]):
        found = f"{len(ground_truth)} ground truths and {len(results)} results"
        raise InputError([Problem(f"{found}; lists are paired by their order")])


def _head_of(value: Any) -> FixtureHead:
    return value if isinstance(value, Fixture) else NO_HEAD
