"""Candidates from runs: results that rank high and that nobody has judged."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from groupwise.evaluator.evaluation.partial import Setup
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.judging.influence import (
    Hypothesis,
    Influence,
    InfluenceFinder,
    complete_rows,
    list_references,
)
from groupwise.evaluator.judging.rankings import NamedRun
from groupwise.evaluator.matching.lookup import Lookup
from groupwise.evaluator.text import printable
from groupwise.schemas import Id, Query, Reference

NOTHING = Reference("")[1:]
"""What a bare id refers to."""
NO_INFLUENCE = Influence(0.0, 0)
DIGITS = 12
"""Changes that differ by less are equal: they differ by rounding."""


@dataclass
class PooledCandidate:
    """A result that nobody has judged: its rank in each run that has it near the top."""

    query: int
    reference: Reference
    ranks: dict[int, int] = field(default_factory=dict)
    influence: Influence = NO_INFLUENCE

    @property
    def id(self) -> Id:
        """The id of the document."""
        return self.reference.id


def pool_candidates(
    queries: Sequence[Query],
    runs: Sequence[NamedRun],
    setup: Setup,
    depth: int,
    min_runs: int,
    lookup: Lookup | None = None,
) -> list[PooledCandidate]:
    """Return the unjudged results of runs, those first whose verdict could change most.

    Args:
        queries: The queries, each with groups.
        runs: The runs.
        setup: The metric, and how results meet groups.
        depth: How many results of each ranking are looked at.
        min_runs: In how many runs a candidate must be among them.
        lookup: What completes ids from a corpus, if there is one.
    """
    pooled = [
        candidate
        for candidate in _collect(queries, runs, setup, depth, lookup).values()
        if len(candidate.ranks) >= min_runs
    ]
    finder = InfluenceFinder(setup, queries, runs, lookup)
    found = finder.find([Hypothesis(each.query, each.reference) for each in pooled])
    for candidate, influence in zip(pooled, found, strict=True):
        candidate.influence = influence
    return sorted(pooled, key=lambda each: _order(each, queries[each.query].id))


def _order(candidate: PooledCandidate, query: str) -> tuple[float, int, int, int, str, str]:
    """Return what candidates are sorted by: influence, then agreement of the runs, then rank."""
    ranks = candidate.ranks.values()
    change = round(abs(candidate.influence.change), DIGITS)
    return -change, -len(ranks), min(ranks), sum(ranks), query, str(candidate.id)


Pool = dict[tuple[int, Id], PooledCandidate]


def _collect(
    queries: Sequence[Query],
    runs: Sequence[NamedRun],
    setup: Setup,
    depth: int,
    lookup: Lookup | None,
) -> Pool:
    pool: Pool = {}
    for number, run in enumerate(runs):
        for query, rank, reference in _find_unjudged(queries, run, setup, depth, lookup):
            key = query, reference.id
            known = pool.setdefault(key, PooledCandidate(query, reference))
            known.ranks.setdefault(number, rank)
            if known.reference.text is None and reference.text is not None:
                known.reference = reference
    return pool


def _find_unjudged(
    queries: Sequence[Query], run: NamedRun, setup: Setup, depth: int, lookup: Lookup | None
) -> Iterator[tuple[int, int, Reference]]:
    """Yield query, rank and reference of the first results that meet no group and are unjudged.

    A result of which a corpus knows nothing that the matcher compares can meet no group, ever.
    """
    built = _build_rows(queries, run, references=setup.needs_references)
    rows = complete_rows(built, run.name, setup, lookup)
    matcher = setup.matching.open(depth)
    matcher.add(rows)
    hits = matcher.batch().results
    met = {*zip(hits.query.tolist(), hits.rank.tolist(), strict=True)}
    for number, query in enumerate(queries):
        ranking, judged = run.rank(query.id), {*query.judged_ids()}
        filled = rows.result_references[number] if rows.result_references else None
        for place, document in enumerate(ranking.ids[:depth]):
            if (number, place + 1) not in met and document not in judged:
                reference = filled[place] if filled else ranking.find_reference(place)
                if lookup is None or reference[1:] != NOTHING:
                    yield number, place + 1, reference


def _build_rows(queries: Sequence[Query], run: NamedRun, *, references: bool) -> Rows:
    rankings = [run.rank(query.id) for query in queries]
    rows = Rows(
        [query.id for query in queries],
        [query.ground_truth.truth() for query in queries],
        [ranking.ids for ranking in rankings],
    )
    if references:
        rows.truth_references = [query.ground_truth.references() for query in queries]
        rows.result_references = [list_references(ranking) for ranking in rankings]
    return rows


def describe_candidate(
    candidate: PooledCandidate, runs: Sequence[NamedRun], metric: str, depth: int
) -> str:
    """Return why a candidate is worth judging: its ranks, and what its verdict could change."""
    names = [printable(run.name) for run in runs]
    found = [f"{rank} in {names[number]}" for number, rank in sorted(candidate.ranks.items())]
    absent = [name for number, name in enumerate(names) if number not in candidate.ranks]
    ranks = f"unjudged at rank {', '.join(found)}"
    lacking = f", not in the first {depth} of {', '.join(absent)}" if absent else ""
    return f"{ranks}{lacking}; {_describe_influence(candidate.influence, names, metric)}"


def _describe_influence(influence: Influence, names: Sequence[str], metric: str) -> str:
    change, loser = influence.change, influence.loser
    if not round(change, DIGITS):
        return f"a yes would not change {'the comparison' if loser is not None else metric}"
    subject = names[influence.gainer] + ("" if loser is None else f" - {names[loser]}")
    number = influence.group + 1
    return f"a yes in group {number} would change {metric} of {subject} by {change:+.4g}"
