"""What the evaluators without groups are given: grades by document and scores by document."""

from benchmarks.differences.model import CannotSayError, Case, Graded, Id, Query

Run = dict[str, dict[Id, float]]


def qrels(case: Case) -> dict[str, Graded]:
    """The judgements of each query that has any."""
    return {name: one.judgements for name, one in case.queries.items() if one.judgements}


def run(case: Case) -> Run:
    """The scores of each query that has results, an empty one included."""
    given = {name: one for name, one in case.queries.items() if one.results is not None}
    return {name: scores(one) for name, one in given.items()}


def scores(query: Query) -> dict[Id, float]:
    """Scores by id, which have no place for a repeat."""
    if len(set(query.ranking)) < len(query.ranking):
        raise CannotSayError("a dict holds an id once")
    return dict(zip(query.ranking, query.scores, strict=True))


def table(query: Query) -> tuple[list[float], list[float]]:
    """Grades and scores of every document; a judged one that was not retrieved comes last.

    Its score is 0 where all others are above 1, and below all others in any case.
    """
    found, judged = scores(query), query.judgements
    last = min([0.0, *(score - 1 for score in found.values())])
    documents = [*found, *(one for one in judged if one not in found)]
    return (
        [judged.get(one, 0) for one in documents],
        [found.get(one, last) for one in documents],
    )


def named(names: dict[str, str], measure: str) -> str:
    """The name that an evaluator has for a measure."""
    if measure not in names:
        raise CannotSayError(measure)
    return names[measure]
