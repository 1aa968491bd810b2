"""The rows of a query in CSV become its record: ground truth or a ranking.

A blank cell says nothing. What several rows say of one thing must be the same: the text of a query,
the weight and the label of a group. Either all results of a query have a score or none, and the
same holds for ranks.
"""

from collections.abc import Mapping
from itertools import compress
from typing import Any, NamedTuple, TypeVar

from groupwise.evaluator.formats.mapping.long_form import (
    AddProblem,
    Row,
    flat_record,
    parse_number,
)
from groupwise.evaluator.reading.options import Record
from groupwise.evaluator.text import shorten

Value = TypeVar("Value", str, float)


class Line(NamedTuple):
    """The number of a line, and its cells by column: texts, but ids of a table may be numbers.

    Rows without a place have negative numbers.
    """

    number: int
    cells: Mapping[str, str]

    def cell(self, column: str) -> str:
        """Return a cell without surrounding space; empty if there is no such column."""
        return str(self.cells.get(column, "")).strip()

    @property
    def name(self) -> str:
        """The id of the document, for messages."""
        return _show(str(self.cells["id"]))


def build_truth(query: str, rows: list[Row], add_problem: AddProblem) -> Record:
    """Return the record of a query, flat without a column of groups."""
    lines = [Line(*row[1:]) for row in rows]
    given = _take_documents(lines, ("group", "grade"), add_problem)
    grades = [_read_grade(line, add_problem) for line in given]
    text = _agree("query", _texts(lines, "query"), ("query", str(query)), add_problem)
    if "group" in lines[0].cells:
        record: Record = {"id": query, **_build_groups(given, grades, add_problem)}
    else:
        pairs = zip(given, grades, strict=True)
        judged = [(line.number, line.cells["id"], grade) for line, grade in pairs]
        record = flat_record(query, judged, add_problem)
    return {**record, "query": text} if text else record


def build_ranking(query: str, rows: list[Row], add_problem: AddProblem) -> Record:
    """Return results by rank if there are ranks, else by score, else in the order of the lines."""
    lines = [Line(*row[1:]) for row in rows]
    given = _take_documents(lines, ("rank", "score"), add_problem)
    ranks = _read_column(given, "rank", add_problem)
    scores = _read_column(given, "score", add_problem)
    keys = ranks or [-float(score) for score in scores] or [0.0] * len(given)
    order = sorted(range(len(given)), key=keys.__getitem__)
    record: dict[str, Any] = {"id": query, "results": [given[at].cells["id"] for at in order]}
    return {**record, "scores": [scores[at] for at in order]} if scores else record


def _take_documents(
    lines: list[Line], columns: tuple[str, ...], add_problem: AddProblem
) -> list[Line]:
    """Return the lines that have an id.

    A query without documents has one line, with an id and these columns left blank. Any other
    line without an id is a problem.
    """
    for line in lines:
        filled = [column for column in columns if line.cell(column)]
        if not line.cell("id") and (filled or len(lines) > 1):
            what = f"no id beside the {filled[0]}" if filled else "no id"
            message = f"{what}; only the one line of a query without documents has none"
            add_problem(message, line.number)
    return [line for line in lines if line.cell("id")]


def _read_grade(line: Line, add_problem: AddProblem) -> float:
    """Return the grade in a line; 1 if there is no column of grades."""
    if "grade" in line.cells and not line.cell("grade"):
        message = f"no grade for {line.name}; 0 means not relevant, below 0 not judged"
        add_problem(message, line.number)
    return _read_number(line, "grade", add_problem) if line.cell("grade") else 1


def _read_number(line: Line, column: str, add_problem: AddProblem) -> float:
    """Return the number in a cell; 1 if it is a problem."""
    text = line.cell(column)
    value = parse_number(text)
    if value is None:
        add_problem(f"the {column} {text[:40]!r} is not a finite number", line.number)
    return 1 if value is None else value


def _read_column(lines: list[Line], column: str, add_problem: AddProblem) -> list[float]:
    """Return the number of each line; nothing if no line has one, or some have none."""
    filled = [bool(line.cell(column)) for line in lines]
    if not all(filled) and any(filled):
        for line in compress(lines, [not is_filled for is_filled in filled]):
            message = f"no {column} for {line.name}; either all results of a query have one or none"
            add_problem(message, line.number)
    return [_read_number(line, column, add_problem) for line in lines] if all(filled) else []


def _build_groups(given: list[Line], grades: list[float], add_problem: AddProblem) -> Record:
    """Return the groups, and what is judged not relevant; a grade below 0 means not judged."""
    judged = list(zip(given, grades, strict=True))
    relevant = {line.number: grade for line, grade in judged if grade > 0}
    groups: dict[str, list[Line]] = {}
    for line in given:
        if line.cell("group"):
            groups.setdefault(line.cell("group"), []).append(line)
        elif line.number in relevant:
            message = f"no group for {line.name}; each has one, or a grade of 0"
            add_problem(message, line.number)
    built = (_build_group(name, lines, relevant, add_problem) for name, lines in groups.items())
    truth: Record = {"ground_truth": [_shorten(group) for group in built if group["alternatives"]]}
    others = _list_others(judged)
    return {**truth, "not_relevant": others} if others else truth


def _list_others(judged: list[tuple[Line, float]]) -> list[str]:
    """Return what is not relevant; a document may be so in one group and relevant in another."""
    relevant = {line.cells["id"] for line, grade in judged if grade > 0}
    zero = [line for line, grade in judged if grade == 0]
    others = [line for line in zero if not line.cell("group") or line.cells["id"] not in relevant]
    return list(dict.fromkeys(line.cells["id"] for line in others))


def _build_group(
    name: str, lines: list[Line], relevant: Mapping[int, float], add_problem: AddProblem
) -> dict[str, Any]:
    """Return a group; its label is its name, unless that is a number or labels have a column."""
    what = ("group", name)
    weights = [
        (line, _read_number(line, "weight", add_problem)) for line in lines if line.cell("weight")
    ]
    weight = _agree("weight", weights, what, add_problem)
    label = _agree("label", _texts(lines, "label"), what, add_problem)
    if "label" not in lines[0].cells and not name.isdigit():
        label = name
    group = {
        "alternatives": [
            _alternative(line, relevant[line.number]) for line in lines if line.number in relevant
        ],
        "weight": 1 if weight is None else weight,
    }
    return {**group, "label": label} if label else group


def _shorten(group: dict[str, Any]) -> dict[str, Any] | list[str]:
    """Return a group as the list of its ids, if its weight and all grades are 1."""
    if group["weight"] != 1 or "label" in group:
        return group
    alternatives = group["alternatives"]
    if any(each["grade"] != 1 or "text" in each for each in alternatives):
        return group
    return [each["id"] for each in alternatives]


def _texts(lines: list[Line], column: str) -> list[tuple[Line, str]]:
    return [(line, line.cells[column]) for line in lines if line.cells.get(column)]


def _agree(
    column: str, values: list[tuple[Line, Value]], what: tuple[str, str], add_problem: AddProblem
) -> Value | None:
    """Return the value that all lines have, None if there is none; another value is a problem.

    ``what`` says what it is a value of: a noun, and a name from the file.
    """
    if not values:
        return None
    first, value = values[0]
    for line, other in values:
        if other != value:
            place = (f" in line {first.number}", " here") if first.number > 0 else ("", "")
            shown = f"{_show(str(value))}{place[0]} and {_show(str(other))}{place[1]}"
            message = f"{what[0]} {_show(what[1])} has the {column} {shown}; give one"
            add_problem(message, line.number)
    return value


def _alternative(line: Line, grade: float) -> dict[str, Any]:
    text = {"text": line.cells["text"]} if line.cells.get("text") else {}
    return {"id": line.cells["id"], "grade": grade, **text}


def _show(text: str) -> str:
    return repr(shorten(text, 60))
