"""What the evaluators without groups are given: grades by document and scores by document."""

from benchmarks.differences.model import CannotSayError, Case, Graded, Id, Query

Run = dict[str, dict[Id, float]]


def qrels(case: Case) -> dict[str, Graded]:
    """The judgements of each query that has any."""
    return {name: query.judgements for name, query in case.queries.items() if query.judgements}


def run(case: Case) -> Run:
    """The scores of each query that has results, empty ones included."""
    given = {name: query for name, query in case.queries.items() if query.results is not None}
    return {name: scores(query) for name, query in given.items()}


def scores(query: Query) -> dict[Id, float]:
    """Scores by id, which have no place for a repeat."""
    if len(set(query.ranking)) < len(query.ranking):
        raise CannotSayError("a dict holds an id once")
    return dict(zip(query.ranking, query.scores, strict=True))


def table(query: Query) -> tuple[list[float], list[float]]:
    """Grades and scores of every document; a judged document that was not retrieved comes last.

    Its score is 0 where all others are above 1, and below all others in any case.
    """
    found, judged = scores(query), query.judgements
    last = min([0.0, *(score - 1 for score in found.values())])
    documents = [*found, *(document for document in judged if document not in found)]
    return (
        [judged.get(document, 0) for document in documents],
        [found.get(document, last) for document in documents],
    )


def name_of(names: dict[str, str], measure: str) -> str:
    """The name that an evaluator has for a measure."""
    if measure not in names:
        raise CannotSayError(measure)
    return names[measure]
