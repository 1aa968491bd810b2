"""Candidates that a ground truth may lack, from a corpus and from runs, as a judging sheet."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from groupwise.evaluator.errors import InputError, OptionError, Problem, Problems
from groupwise.evaluator.evaluation.arguments import checks_arguments
from groupwise.evaluator.evaluation.evaluator import check_count
from groupwise.evaluator.evaluation.partial import Setup
from groupwise.evaluator.evaluation.plan import choose_policies
from groupwise.evaluator.inspection.refusals import explain_refusals
from groupwise.evaluator.inspection.settling import settle
from groupwise.evaluator.intake.check import Intake
from groupwise.evaluator.intake.objects import as_records
from groupwise.evaluator.judging.corpus_chunks import read_corpus
from groupwise.evaluator.judging.duplicates import Duplicate, DuplicateFinder
from groupwise.evaluator.judging.ground_truth import open_truth
from groupwise.evaluator.judging.influence import check_measure
from groupwise.evaluator.judging.pool import describe_candidate, pool_candidates
from groupwise.evaluator.judging.rankings import NamedRun, RunReader, name_given_runs
from groupwise.evaluator.matching import Matching
from groupwise.evaluator.matching.lookup import Chunks
from groupwise.evaluator.metrics.names import parse
from groupwise.evaluator.metrics.registry import BY_SCORE
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.text import plural, quote, quote_id
from groupwise.schemas import Id, Policies, Query, Reference
from groupwise.schemas.judging import Sheet, Suggestion

DEPTH = 10
"""So many results of a ranking are looked at, unless the call says otherwise."""
THRESHOLD = 0.5
"""The share of an excerpt that a chunk must hold: that of matching by span."""
NO_SOURCE = "expected a corpus, a run, or both: candidates come from there"


@checks_arguments
def suggest(  # noqa: PLR0913  (what can be said of files and candidates, all by keyword)
    ground_truth: Any,
    *,
    corpus: Any = None,
    run: Any = None,
    metric: str | None = None,
    profile: str | None = None,
    threshold: float = THRESHOLD,
    depth: int = DEPTH,
    min_runs: int = 1,
    limit: int | None = None,
    limit_per_query: int | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    matching: str | Mapping[str, Any] | None = None,
) -> Sheet:
    """Propose documents that a ground truth may lack, as a sheet for a person to judge.

    From a corpus: chunks that hold the text or cover the span that an alternative carries, or hold
    the text of its chunk. From runs: results that nobody has judged, those first whose verdict
    could change the comparison most. ``apply_sheet`` merges the verdicts.

    Args:
        ground_truth: What ``evaluate`` takes.
        corpus: The documents with their texts: a path, a Corpus, or texts by id.
        run: Runs by name, such as ``{"bm25": run}``; or the path of one, or a Run.
        threshold: The share of an alternative's text or span that a chunk must hold, from 0 to 1.
        metric: What is compared, such as ``"recall@5"``; None: ``ndcg`` at the depth.
        profile: Whose definition the metric has; in ``trec`` results are ordered by score.
        depth: How many results of each ranking are looked at.
        min_runs: In how many runs a candidate must be among them.
        limit: How many candidates the sheet has at most; None: all.
        limit_per_query: How many of one query; None: all.
        flat: A flat list of ids: ``"any"`` makes it one group, ``"all"`` one group per id.
        ids: ``"text"`` compares all ids as strings.
        matching: When a result meets a group, as in ``evaluate``; such results are no candidates.

    Returns:
        The sheet: ``rows``, and ``counts`` of what they come from.

    Raises:
        InputError: The input is invalid, or there is neither a corpus nor a run.
        UnknownMetric: There is no such metric; the nearest name is suggested.
        OptionError: An argument has a value that is not accepted.

    Example:
        >>> truth = {"q1": [["a"]], "q2": [["b"]]}
        >>> runs = {"old": {"q1": ["a"], "q2": ["b"]}, "new": {"q1": ["x", "a"], "q2": ["b"]}}
        >>> sheet = suggest(truth, run=runs, metric="mrr")
        >>> [(row.query, row.candidate, row.group) for row in sheet]
        [('q1', 'x', 0)]
        >>> sheet.rows[0].why.partition("; ")[2]
        'a yes in group 1 would change mrr of new - old by +0.5'
    """
    request = _Request(
        check_share("threshold", threshold),
        check_count("depth", depth),
        check_count("min_runs", min_runs),
        None if limit is None else check_count("limit", limit),
        None if limit_per_query is None else check_count("limit_per_query", limit_per_query),
    )
    runs = name_given_runs(run)
    if corpus is None and not runs:
        raise OptionError([Problem(NO_SOURCE)])
    setup = _build_setup(metric or f"ndcg@{depth}", profile, matching, flat, ids)
    queries = _read_truth(ground_truth, setup.policies)
    chunks = [] if corpus is None else read_corpus(corpus, queries, ids)
    named: list[NamedRun] = []
    if runs:
        reader = RunReader(queries, setup.policies, request.keeps(setup))
        by_score = setup.profile in BY_SCORE
        named = [reader.read(name, runs[name], by_score=by_score) for name in sorted(runs)]
    return _Search(queries, request).search(chunks, named, setup)


class _Request(NamedTuple):
    """What to look for, and how many candidates to return."""

    threshold: float
    depth: int
    min_runs: int
    limit: int | None
    limit_per_query: int | None

    def keeps(self, setup: Setup) -> int | None:
        """Return how many results of a ranking anybody looks at; None: all."""
        return None if setup.depth is None else max(setup.depth, self.depth)


def check_share(name: str, value: Any) -> float:
    """Return a share above 0.

    Raises:
        OptionError: It is not a number above 0 and up to 1.
    """
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 < value <= 1:
        message = f"{name}: expected a number above 0 and up to 1, got {quote(value)}"
        raise OptionError([Problem(message)])
    return float(value)


def _build_setup(metric: str, profile: str | None, matching: Any, flat: Any, ids: Any) -> Setup:
    """Return what decides scores: one metric, the policies, and when a result meets a group."""
    measure = check_measure(parse(metric, profile or "autorag"))
    given = {name: value for name, value in (("flat", flat), ("ids", ids)) if value is not None}
    policies = choose_policies(given, [measure])
    chosen = Matching.parse(matching)
    return Setup((measure,), profile or measure.profile, policies, matching=chosen)


def _read_truth(ground_truth: Any, policies: Policies) -> tuple[Query, ...]:
    """Return the queries of a ground truth or a fixture, in order of their ids."""
    settled = settle(ground_truth, policies.flat, "ground_truth", texts=True)
    policies = policies.model_copy(update={"flat": settled.flat})
    models: Any
    with explain_refusals([settled.refused], settled.flat):
        if isinstance(settled.value, str | os.PathLike | Source):
            models = open_truth(settled.value, settled.options, policies).models()
        else:
            records = as_records(settled.value, "ground_truth", settled.options)
            models = Intake(records, Query, policies, Problems()).read_all()
        queries = sorted(models, key=lambda query: str(query.id))
    if not queries:
        raise InputError([Problem("no queries", "ground_truth")])
    return tuple(queries)


class _Search:
    """Collects candidates for the queries of a ground truth."""

    def __init__(self, queries: Sequence[Query], request: _Request) -> None:
        self._queries = [query for query in queries if query.ground_truth.groups]
        self._unanswerable = len(queries) - len(self._queries)
        self._request = request
        self._rows: dict[tuple[str, Id], list[Suggestion]] = {}
        self._counts = {"corpus": 0, "runs": 0}
        self._warnings: list[str] = []

    def search(self, chunks: Sequence[Reference], runs: Sequence[NamedRun], setup: Setup) -> Sheet:
        """Return the candidates of a corpus, then those of runs."""
        if self._unanswerable:
            skipped = plural(self._unanswerable, "query", "queries")
            self._warnings.append(f"skipped {skipped} without groups to add to")
        if chunks:
            self._search_chunks(chunks)
        if runs:
            self._search_runs(runs, setup, chunks)
        rows = [row for some in self._rows.values() for row in some]
        return self._limit(rows)

    def _search_chunks(self, chunks: Sequence[Reference]) -> None:
        finder = DuplicateFinder(chunks, self._request.threshold)
        for query in self._queries:
            for found in finder.find(query):
                self._add(_suggest_duplicate(found), "corpus")
        if finder.unknown:
            count = plural(len(finder.unknown), "alternative")
            example = quote_id(min(finder.unknown, key=str))
            self._warnings.append(
                f"{count} without text or span that the corpus does not have, such as {example}"
            )

    def _search_runs(
        self, runs: Sequence[NamedRun], setup: Setup, chunks: Sequence[Reference]
    ) -> None:
        self._warn_of_missing(runs)
        request, label = self._request, setup.measures[0].label
        lookup = setup.open_lookup(Chunks([*map(_dump, chunks)])) if chunks else None
        texts = {chunk.id: chunk.text for chunk in chunks}
        found = pool_candidates(self._queries, runs, setup, request.depth, request.min_runs, lookup)
        for candidate in found:
            query = self._queries[candidate.query]
            why = describe_candidate(candidate, runs, label, request.depth)
            text = texts.get(candidate.id) or candidate.reference.text
            group = 0 if len(query.ground_truth.groups) == 1 else None
            row = _build_row(query.id, candidate.id, group, why, text)
            known = self._rows.get((query.id, candidate.id))
            if known is None:
                self._add(row, "runs")
            else:
                known[:] = [_join(each, why) for each in known]

    def _warn_of_missing(self, runs: Sequence[NamedRun]) -> None:
        for run in runs:
            count = sum(query.id not in run.rankings for query in self._queries)
            if count:
                queries = plural(count, "query", "queries")
                self._warnings.append(f"run {run.name!r}: no results for {queries}")

    def _add(self, row: Suggestion, source: str) -> None:
        self._rows.setdefault((row.query, row.candidate), []).append(row)
        self._counts[source] += 1

    def _limit(self, rows: list[Suggestion]) -> Sheet:
        """Return the first rows, as many as are asked for."""
        request = self._request
        kept = [*_take_per_query(rows, request.limit_per_query)][: request.limit]
        counts = {**self._counts, "left_out": len(rows) - len(kept)}
        return Sheet.model_construct(
            rows=tuple(kept), counts=counts, warnings=tuple(self._warnings)
        )


def _dump(chunk: Reference) -> dict[str, Any]:
    """Return a chunk as a document of a corpus."""
    return {name: value for name, value in chunk._asdict().items() if value is not None}


def _take_per_query(rows: Iterable[Suggestion], limit: int | None) -> Iterator[Suggestion]:
    taken: Counter[str] = Counter()
    for row in rows:
        taken[row.query] += 1
        if limit is None or taken[row.query] <= limit:
            yield row


def _suggest_duplicate(found: Duplicate) -> Suggestion:
    return _build_row(found.query, found.chunk.id, found.group, found.why, found.chunk.text)


def _build_row(
    query: str, candidate: Id, group: int | None, why: str, text: str | None
) -> Suggestion:
    """Return a row that nobody has judged."""
    return Suggestion.model_construct(
        query=query, candidate=candidate, group=group, why=why, text=text, judge=None, verdict=None
    )


def _join(row: Suggestion, why: str) -> Suggestion:
    return row.model_copy(update={"why": f"{row.why}; {why}"})
