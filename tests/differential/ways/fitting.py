"""What a case holds, and so which ways can express it."""

from tests.differential import data, writing
from tests.differential.data import Case, Query
from tests.differential.expected import has_scores


def says_groups_only(case: Case) -> bool:
    return not any(query.not_relevant for query in case.queries)


def has_run(case: Case) -> bool:
    """An empty object is not a run."""
    return bool(writing.run_records(case))


def is_self_contained(case: Case) -> bool:
    return not case.extra and all(query.results is not None for query in case.queries)


def is_plain(case: Case) -> bool:
    """Groups are lists of ids, and results have no tokens."""
    groups = [group for query in case.queries for group in query.groups]
    return (
        has_run(case)
        and is_one_kind(case)
        and all(group.weight == 1 and group.label is None for group in groups)
        and all(grade == 1 for group in groups for _, grade in group.alternatives)
        and not has_tokens(case)
    )


def has_tokens(case: Case) -> bool:
    rows = [query.results or () for query in (*case.queries, *case.extra)]
    return any(one.tokens is not None for row in rows for one in row)


def is_one_kind(case: Case) -> bool:
    """A column has one type."""
    return len({type(one) for one in all_ids(case)}) < 2


def has_ids_of_text(case: Case) -> bool:
    return case.as_text or all(isinstance(one, str) for one in all_ids(case))


def all_ids(case: Case) -> list[data.Id]:
    queries = (*case.queries, *case.extra)
    listed = [one for query in queries for group in query.groups for one, _ in group.alternatives]
    found = [one.id for query in queries for one in query.results or ()]
    return [*listed, *found, *(one for query in queries for one in query.not_relevant)]


def every_result_scored(case: Case) -> bool:
    rows = [query.results for query in (*case.queries, *case.extra) if query.results]
    return all(has_scores(row) for row in rows)


def is_tabular(case: Case) -> bool:
    """Text has one kind of id; an unanswerable query has nothing but its id."""
    return (
        all(isinstance(one, str) for one in all_ids(case))
        and not has_tokens(case)
        and has_run(case)
        and all(query.groups or not query.not_relevant for query in case.queries)
        and (every_result_scored(case) or not any_result_scored(case))
    )


def any_result_scored(case: Case) -> bool:
    return any(has_scores(query.results or ()) for query in (*case.queries, *case.extra))


def fits_trec(case: Case) -> bool:
    """One kind of id without blanks, scores, and every query both judged and answered."""
    queries = (*case.queries, *case.extra)
    groups = [group for query in queries for group in query.groups]
    grades = [grade for group in groups for _, grade in group.alternatives]
    return (
        is_tabular(case)
        and every_result_scored(case)
        and not any(" " in str(one) for one in all_ids(case))
        and all(query.groups for query in case.queries)
        and all(query.results != () for query in queries)
        and all(float(grade).is_integer() for grade in grades)
        and all(group.weight == 1 and group.label is None for group in groups)
        and not any(has_repeats(query) for query in queries)
    )


def has_repeats(query: Query) -> bool:
    rows = [[one.id for one in query.results or ()]]
    rows += [[one for one, _ in group.alternatives] for group in query.groups]
    return any(len(set(row)) < len(row) for row in rows)


def has_scores_by_id(case: Case) -> bool:
    return fits_scores(case) and all(isinstance(one, str) for one in all_ids(case))


def fits_scores(case: Case) -> bool:
    queries = (*case.queries, *case.extra)
    return (
        has_run(case)
        and every_result_scored(case)
        and not has_tokens(case)
        and not any(has_repeats(query) for query in queries)
    )
