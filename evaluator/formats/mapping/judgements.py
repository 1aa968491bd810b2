"""Records of ours as writers take them: groups of alternatives, each in full."""

from collections.abc import Iterator, Mapping
from itertools import repeat
from typing import Any, NamedTuple

from groupwise.evaluator.reading.options import Record
from groupwise.schemas import Id


class Judged(NamedTuple):
    """An alternative of a group: its number (from 1), and what is said of both."""

    group: int
    id: Id
    grade: float
    weight: float
    label: str | None
    text: str | None


def judgements(record: Record) -> Iterator[Judged]:
    """Every alternative of every group of a record, in order."""
    for number, group in enumerate(record.get("ground_truth", ()), 1):
        full = group if isinstance(group, Mapping) else {"alternatives": group}
        weight, label = full.get("weight", 1.0), full.get("label")
        for one in full["alternatives"]:
            fields: Mapping[str, Any] = one if isinstance(one, Mapping) else {"id": one}
            grade, text = fields.get("grade", 1.0), fields.get("text")
            yield Judged(number, fields["id"], grade, weight, label, text)


def not_relevant(record: Record) -> list[Id]:
    """What is judged not relevant, wherever the record says so, each once."""
    zero = [one.id for one in judgements(record) if one.grade == 0]
    return list(dict.fromkeys([*record.get("not_relevant", ()), *zero]))


def best_grades(record: Record) -> dict[Id, float]:
    """The best grade of each document, whichever its group; 0 where it is not relevant."""
    grades: dict[Id, float] = {}
    for one in judgements(record):
        grades[one.id] = max(one.grade, grades.get(one.id, 0))
    return grades | {one: 0 for one in not_relevant(record) if one not in grades}


def ranked(record: Record) -> Iterator[tuple[Id, float | None]]:
    """Each result with its score, best first."""
    results, scores = record.get("results", ()), record.get("scores")
    if {*map(type, results)} <= {str, int}:
        return zip(results, scores or repeat(None), strict=False)
    return map(_with_score, results, scores or repeat(None))


def _with_score(result: Any, given: float | None) -> tuple[Id, float | None]:
    if isinstance(result, Mapping):
        return result["id"], result.get("score") if given is None else given
    return result, given


def number_text(value: float) -> str:
    """A number as short as it can be written without losing anything."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))
