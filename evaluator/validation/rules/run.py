"""RN: rules of results, and of results beside ground truth."""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from groupwise.evaluator.text import cut, plural, quote
from groupwise.evaluator.validation.facts.draft import Draft, Place
from groupwise.evaluator.validation.rules.edits import remove_listed
from groupwise.evaluator.validation.rules.io import SCORES
from groupwise.evaluator.validation.rules.rule import Fix, Locator, Rule

if TYPE_CHECKING:
    from groupwise.evaluator.validation.facts.case import Case
    from groupwise.evaluator.validation.facts.draft import SchemaError
    from groupwise.evaluator.validation.facts.request import Request
    from groupwise.evaluator.validation.facts.session import Session, SourceFacts
    from groupwise.schemas import Id

UNEQUAL_DEPTH = 10
"""Rankings this many times shorter or longer than the median are reported."""


# RN001 repeated-result


def check_repeats(case: "Case", _request: "Request") -> Iterator[Draft]:
    """Report results that a ranking has twice."""
    ranking = case.results.ids
    if len({*ranking}) == len(ranking):
        return
    first: dict[Id, int] = {}
    for place, document in enumerate(ranking):
        before = first.setdefault(document, place)
        if before != place:
            message = (
                f"the result {quote(document)} at rank {place + 1} is repeated "
                f"(first at rank {before + 1})"
            )
            pointer = case.results.point(place)
            yield Draft("RN001", message, pointer, None, document, document)


# RN002 missing-query, RN003 query-without-ground-truth


def suspect_unmatched_queries(source: "SourceFacts", session: "Session") -> Locator | None:
    """Return a locator for the queries that only one side has."""
    from groupwise.evaluator.validation.facts.hashes import subtract, unite  # noqa: PLC0415

    if session.run is None:
        return None
    others = session.data if source is session.run else [session.run]
    known = unite(other.tally.query_ids.distinct for other in others)
    unmatched = subtract(source.tally.query_ids.distinct, known)
    if not unmatched:
        return None
    return partial(locate_extra if source is session.run else locate_missing, unmatched)


def locate_missing(unmatched: set[int], case: "Case", _place: Place) -> Iterator[Draft]:
    """Report a query that is not in the run; one that nothing answers is not scored anyway."""
    if case.query is not None and hash(case.query) in unmatched and case.groups:
        message = "this query is not in the run; it scores 0"
        yield Draft("RN002", message, case.pointer_to("id"), value=case.query)


def locate_extra(unmatched: set[int], case: "Case", _place: Place) -> Iterator[Draft]:
    """Report a query of the run that has no ground truth."""
    if case.query is not None and hash(case.query) in unmatched:
        message = "this query has no ground truth; it is ignored"
        yield Draft("RN003", message, case.pointer_to("id"), value=case.query)


# RN004 no-id-in-common


def check_ids_in_common(session: "Session") -> Iterator[tuple[Draft, Place]]:
    """Report results none of which is an id of the ground truth."""
    for source in session.sources:
        data = session.data if source is session.run else [source]
        if _share_no_id(source, data):
            message = "no result is an id of the ground truth: do the two use different ids?"
            yield Draft("RN004", message, value="none"), Place(source.name)


def _share_no_id(source: "SourceFacts", data: "list[SourceFacts]") -> bool:
    """Whether results and ground truth were read whole, hold ids, and none in common."""
    is_sound = source.is_sound and all(each.is_sound for each in data)
    if source.rankings.are_empty or not is_sound or source.has_hit:
        return False
    return any(len(each.tally.ids.distinct) for each in data)


# RN005 score-order


def is_score_out_of_range(error: "SchemaError") -> bool:
    """Whether a score is not finite."""
    return error.type == "finite_number" and error.field in SCORES


def check_score_order(case: "Case", _request: "Request") -> Iterator[Draft]:
    """Report the first score that is higher than the one before it."""
    for rank, (before, after) in enumerate(pairwise(case.scores), 2):
        if after > before:
            message = (
                f"the score at rank {rank} ({_show_score(after)}) is higher than the one before it "
                f"({_show_score(before)}); list results best first"
            )
            yield Draft("RN005", message, _point_to_score(case, rank), value=[before, after])
            return


def _point_to_score(case: "Case", rank: int) -> tuple[str | int, ...]:
    """Return the pointer to a score, in a list of scores or within the results."""
    for name in case.pointer_to("scores"):
        if case.record[name] is not None:
            return name, rank - 1
    pointer = case.results.point(rank - 1) if rank <= len(case.results.ids) else ()
    return (*pointer[:-1], "score")


def _show_score(score: float) -> str:
    return f"{score:g}" if isinstance(score, float) else cut(str(score), 20)


def check_ties(source: "SourceFacts") -> Iterator[Draft]:
    """Report tied scores in at least half of the rankings."""
    tied, scored = source.rankings.tied, source.rankings.scored
    if tied and 2 * tied >= scored:
        message = (
            f"{tied} of {scored} rankings have tied scores: the order of tied results is arbitrary"
        )
        yield Draft("RN005", message, value="ties")


# RN006 unequal-depth


def suspect_unequal_depth(source: "SourceFacts", _session: "Session") -> Locator | None:
    """Return a locator if any depth is far from the median."""
    median = source.rankings.median
    is_suspicious = any(is_unequal(depth, median) for depth in source.rankings.depths)
    return partial(locate_unequal_depth, median) if is_suspicious else None


def is_unequal(depth: int, median: int) -> bool:
    """Whether a depth is many times the median, or a small part of it; 0 is a failed query."""
    return 0 < depth * UNEQUAL_DEPTH <= median or 0 < median * UNEQUAL_DEPTH <= depth


def locate_unequal_depth(median: int, case: "Case", _place: Place) -> Iterator[Draft]:
    """Report a ranking that is much shorter or longer than the median."""
    depth = len(case.results.ids)
    if is_unequal(depth, median):
        message = f"a ranking of {plural(depth, 'result')}; the median is {median}"
        yield Draft("RN006", message, case.pointer_to("results"), value=depth)


RULES = (
    Rule(
        "RN001", "repeated-result", "warning",
        what="An id is repeated in a ranking.",
        why="Repeats push AutoRAG's nDCG above 1, and take ranks from other documents.",
        example='{"id": "q1", "results": ["a", "b", "a"]}',
        instead='{"id": "q1", "results": ["a", "b"]}',
        check=check_repeats,
        fix=Fix("Removes the later ones, with their scores.", "unsafe", remove_listed),
    ),
    Rule(
        "RN002", "missing-query", "warning",
        what="A query of the ground truth is not in the run.",
        why="It scores 0, unless missing='skip' skips it.",
        example="q2 in the ground truth only",
        instead='{"id": "q2", "results": []}',
        suspect=suspect_unmatched_queries,
    ),
    Rule(
        "RN003", "query-without-ground-truth", "warning",
        what="A query of the run has no ground truth.",
        why="It is ignored. Often the two files come from different exports.",
        example="q9 in the run only",
        instead="remove it from the run, or add its ground truth",
        suspect=suspect_unmatched_queries,
    ),
    Rule(
        "RN004", "no-id-in-common", "error",
        what="Ground truth and run share no document id at all.",
        why="They use different ids, such as chunk ids in one file and document ids in the other. "
            "Every score is 0 and says nothing about the retriever.",
        example='"doc-1" in the ground truth, "1" in the run',
        instead="the ids of one index in both files",
        check_session=check_ids_in_common,
    ),
    Rule(
        "RN005", "score-order", "warning",
        what="Scores rise while ranks fall, are not finite, or are tied in many rankings "
             "(reported once per file).",
        why="Ranks and scores contradict each other: results were listed worst first, or by "
            "distance. The order of tied results is arbitrary.",
        example='{"id": "q1", "results": ["a", "b"], "scores": [0.2, 0.9]}',
        instead='{"id": "q1", "results": ["b", "a"], "scores": [0.9, 0.2]}',
        check=check_score_order,
        schema=is_score_out_of_range, check_source=check_ties,
    ),
    Rule(
        "RN006", "unequal-depth", "warning",
        what=f"A ranking is {UNEQUAL_DEPTH} times shorter or longer than the median.",
        why="Precision without a cutoff, and every metric at a deep one, then compares rankings "
            "that are not comparable.",
        example="one ranking of 3 results among rankings of 100",
        instead="the same depth for all queries",
        suspect=suspect_unequal_depth,
    ),
)  # fmt: skip
