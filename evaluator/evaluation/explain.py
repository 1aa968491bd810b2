"""Which groups were missed, where they would have been met, and why."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from groupwise.evaluator.errors import InputError, OptionError, Problem
from groupwise.evaluator.evaluation.arguments import checks_arguments
from groupwise.evaluator.evaluation.evaluate import Both, OnePass
from groupwise.evaluator.evaluation.evaluator import check_count
from groupwise.evaluator.evaluation.explanations import DEFAULT_K, Request
from groupwise.evaluator.evaluation.partial import Progress
from groupwise.evaluator.inspection.refusals import Refused, explain_refusals
from groupwise.evaluator.matching.lookup import Chunks
from groupwise.evaluator.text import quote
from groupwise.schemas import Report
from groupwise.schemas.explanation import Explanation
from groupwise.schemas.ids import text_of

CHANGED = "the data has changed since this report; evaluate it again"
FORGOTTEN = (
    "this report does not know its data: it was read from a file, came from another process, or "
    "its data came from stdin or a stream; use explain(ground_truth, run)"
)


@checks_arguments
def explain(  # noqa: PLR0913  (the contract's policies, all by keyword)
    ground_truth: Any,
    run: Any = None,
    k: int = 10,
    *,
    query: str | Iterable[str] | None = None,
    worst: int | None = None,
    worst_by: str | None = None,
    corpus: Any = None,
    by: str | Iterable[str] | None = None,
    profile: str | None = None,
    missing: Literal["zero", "skip", "error"] | None = None,
    extra: Literal["ignore", "error"] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["skip", "zero", "error"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input"] | None = None,
    matching: str | Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> Explanation:
    """Say which groups of each query are met at which rank, and why the others are not.

    A group is met in the first k results, or it is ``beyond_k``, ``not_retrieved`` or, with a
    corpus, ``not_in_corpus``. Near misses are named: ids that differ only in case, white space or
    Unicode form, and other chunks of the same document.

    Args:
        ground_truth: What ``evaluate`` takes; without ``run`` a fixture, or its path.
        run: What ``evaluate`` takes as results.
        k: The number of results that count.
        query: The id of a query to explain, or several; None: all queries. The sums (reasons,
            depths, labels, slices) are about all queries in any case.
        worst: In place of ids, the number of queries with the lowest scores.
        worst_by: The metric that says which ones are the worst; None: recall at k.
        corpus: The documents: a path, a Corpus, ids, or texts by id.
        by: Also give the reasons of slices, as ``evaluate`` does with scores.
        profile: The definition of ``worst_by``, and in ``trec`` the order of results: by score.
        missing: A query without results: ``"zero"`` (default), ``"skip"`` or ``"error"``.
        extra: A query without ground truth: ``"ignore"`` (default) or ``"error"``.
        empty_results: An empty result: ``"zero"`` (default) or ``"skip"``. Queries that are not
            scored are explained, but do not count in the sums.
        unanswerable: A query without groups: ``"skip"`` (default), ``"zero"`` or ``"error"``.
        flat: A flat list of ids: ``"any"`` makes it one group, ``"all"`` one group per id.
        ids: ``"text"`` compares all ids as strings.
        ties: In the trec profile ``"score"`` (default) orders results by score, ``"input"`` keeps
            the given order.
        matching: When a result meets a group, as in ``evaluate``.
        progress: Called from time to time with the number of queries done.

    Returns:
        The explanation: ``queries``, ``reasons``, ``depth_for``, ``near``, ``labels``,
        ``missed_groups``, ``slices``.

    Raises:
        InputError: The input is invalid, or there is no such query.
        UnknownMetric: There is no such metric; the nearest name is suggested.
        OptionError: An argument has a value that is not accepted.

    Example:
        >>> truth = {"q1": [["a", "b"], ["c"]]}
        >>> found = explain(truth, {"q1": ["a", "x", "C"]}).queries["q1"].groups[1]
        >>> found.reason, found.near[0].id, found.near[0].differs_in
        ('not_retrieved', 'C', ('case',))
    """
    request = _build_request(k, query, worst, worst_by)
    kind = Both if run is None else OnePass
    evaluator = kind(
        ground_truth, metrics=worst_by or f"recall@{request.k}", profile=profile, missing=missing,
        extra=extra, empty_results=empty_results, unanswerable=unanswerable, flat=flat, ids=ids,
        ties=ties, matching=matching, by=by, progress=progress,
    )  # fmt: skip
    chunks = None if corpus is None else Chunks(corpus)
    evaluator.explain(request._replace(texts=corpus is not None), chunks)
    inputs = [Refused.of(ground_truth, evaluator.role), Refused.of(run, "run")]
    with explain_refusals(inputs, flat):
        found: Explanation = evaluator.evaluate(run).explanation
        return found


def _build_request(k: Any, query: Any, worst: Any, worst_by: Any) -> Request:
    """Return what to explain.

    Raises:
        OptionError: An argument has a value that is not accepted, or two exclude each other.
    """
    if query is not None and worst is not None:
        raise OptionError([Problem("both query and worst; give one of them")])
    if worst_by is not None and not isinstance(worst_by, str):
        message = f"worst_by: expected the name of a metric, got {quote(worst_by)}"
        raise OptionError([Problem(message)])
    queries = None if query is None else _list_queries(query)
    return Request(
        check_count("k", k), queries, None if worst is None else check_count("worst", worst)
    )


def _list_queries(query: Any) -> tuple[str, ...]:
    given = [query] if isinstance(query, str | int) or not isinstance(query, Iterable) else query
    queries = list(given)
    for each in queries:
        if isinstance(each, bool) or not isinstance(each, str | int):
            raise OptionError([Problem(f"query: expected an id, got {quote(each)}")])
    return tuple(map(text_of, queries))


def explain_report(
    report: Report, queries: Sequence[str], k: int | None, worst: int | None, corpus: Any
) -> Explanation:
    """Return the explanation of queries of a report, from its data evaluated again.

    Raises:
        InputError: There is no such query, or the data is not known or not the same any more.
    """
    request = _build_request(DEFAULT_K if k is None else k, queries or None, worst, None)
    if report.again is None:
        raise InputError([Problem(FORGOTTEN)])
    asked = request._replace(k=request.k if k is not None else None, texts=corpus is not None)
    chosen = {} if corpus is None else {"corpus": Chunks(corpus)}
    found: Report = report.again(explain=asked, per_query=True, **chosen)
    explanation: Explanation = found.explanation
    if not are_alike(found, report, explanation.queries):
        raise InputError([Problem(CHANGED)])
    shown = explanation.queries.with_failures(report.failures)
    return explanation.model_copy(update={"queries": shown, "warnings": report.warnings})


def are_alike(found: Report, report: Report, queries: Iterable[str]) -> bool:
    """Whether two reports have the same counts and means, and the same scores of these queries."""
    if found.counts != report.counts or found.scores != report.scores:
        return False
    known = len(report.per_query) > 0
    return not known or all(found.per_query[each] == report.per_query[each] for each in queries)
