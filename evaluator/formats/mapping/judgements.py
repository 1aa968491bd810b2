"""Records as writers need them: every alternative of every group in full."""

from collections.abc import Iterator, Mapping
from itertools import chain, repeat
from typing import Any, NamedTuple

from groupwise.evaluator.reading.options import Record
from groupwise.schemas import Id

BARE = frozenset({str, int})


class Judgement(NamedTuple):
    """An alternative of a group; groups are numbered from 1."""

    group: int
    id: Id
    grade: float
    weight: float
    label: str | None
    text: str | None


def alternatives_of(group: Any) -> list[dict[str, Any]]:
    """Return the alternatives of a group in full, however it is written.

    >>> alternatives_of(["a", {"id": "b", "grade": 2}]), alternatives_of({"c": 3})
    ([{'id': 'a'}, {'id': 'b', 'grade': 2}], [{'id': 'c', 'grade': 3.0}])
    """
    if isinstance(group, Mapping) and "alternatives" not in group:
        return [{"id": key, "grade": float(grade)} for key, grade in group.items()]
    listed = group["alternatives"] if isinstance(group, Mapping) else group
    return [in_full(alternative) for alternative in listed]


def in_full(document: Any) -> dict[str, Any]:
    """Return an alternative or a result in full: a bare id has no other fields."""
    return dict(document) if isinstance(document, Mapping) else {"id": document}


def judgements(record: Record) -> Iterator[Judgement]:
    """Yield every alternative of every group of a record, in order."""
    for number, group in enumerate(record.get("ground_truth", ()), 1):
        if type(group) is list and BARE.issuperset(map(type, group)):
            yield from [Judgement(number, document, 1.0, 1.0, None, None) for document in group]
            continue
        given = group if isinstance(group, Mapping) else {}
        weight, label = given.get("weight", 1.0), given.get("label")
        for fields in alternatives_of(group):
            grade, text = fields.get("grade", 1.0), fields.get("text")
            yield Judgement(number, fields["id"], grade, weight, label, text)


def not_relevant(record: Record) -> list[Id]:
    """Return what is judged not relevant, wherever the record says so, each id once."""
    given = record.get("not_relevant", ())
    zero = (
        () if has_bare_ids(record) else (each.id for each in judgements(record) if not each.grade)
    )
    return list(dict.fromkeys([*given, *zero]))


def has_bare_ids(record: Record) -> bool:
    """Whether all groups are lists of ids, which have no grades."""
    groups = record.get("ground_truth", ())
    if type(groups) is not list or not {list}.issuperset(map(type, groups)):
        return False
    return BARE.issuperset(map(type, chain.from_iterable(groups)))


def best_grades(record: Record) -> dict[Id, float]:
    """Return the best grade of each document in any group; 0 if it is not relevant."""
    grades: dict[Id, float] = {}
    for judgement in judgements(record):
        grades[judgement.id] = max(judgement.grade, grades.get(judgement.id, 0))
    return grades | {document: 0 for document in not_relevant(record) if document not in grades}


def scored_results(record: Record) -> Iterator[tuple[Id, float | None]]:
    """Yield each result with its score, best first."""
    results, scores = record.get("results", ()), record.get("scores")
    if {*map(type, results)} <= {str, int}:
        return zip(results, scores or repeat(None), strict=False)
    return map(_with_score, results, scores or repeat(None))


def _with_score(result: Any, given: float | None) -> tuple[Id, float | None]:
    if isinstance(result, Mapping):
        return result["id"], result.get("score") if given is None else given
    return result, given


def number_text(value: float) -> str:
    """Return a number as short as it can be written without losing anything.

    >>> number_text(2.0), number_text(0.1)
    ('2', '0.1')
    """
    if value == 1:
        return "1"
    return str(int(value)) if float(value).is_integer() else repr(float(value))
