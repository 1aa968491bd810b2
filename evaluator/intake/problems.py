"""Errors of the schemas as problems with their locations."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.intake.query_ids import query_of
from groupwise.evaluator.reading.records import Batch, Reading
from groupwise.evaluator.reading.scan import Pointer
from groupwise.evaluator.text import json_pointer
from groupwise.schemas import FIELD_NAMES

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

    from groupwise.schemas import FixtureHead

WITH_EXAMPLE = frozenset({"flat", "pairs"})
"""Errors of the schemas whose messages show how to write the record at hand."""


class Place(NamedTuple):
    """Where a record comes from.

    Attributes:
        source: The name of the source.
        batch: The batch that it belongs to.
        number: Its number there.
        value: What the source holds, which may be without the query id.
    """

    source: str
    batch: Batch
    number: int
    value: Any


def problems_of(
    error: "ValidationError", record: Any, at: Place, flat_hint: str = ""
) -> Iterator[Problem]:
    """Yield the problems of a record, each located when it is asked for.

    ``record`` is what was validated. ``flat_hint`` says what else may be done about ground truth
    without groups.
    """
    query = query_of(record)
    for detail in error.errors(include_url=False, include_input=False):
        location = (*detail["loc"], *unknown_field(detail))
        pointer = actual_pointer(at.value, location)
        line, column = at.batch.place(at.number, pointer)
        shown = json_pointer(at.batch.trace(at.number, pointer))
        where = at.source, line or None, column or None, query, shown
        kind = detail["type"]
        message = message_of(detail) + flat_hint * (kind == "flat")
        yield Problem(message, *where, alike=kind if kind in WITH_EXAMPLE else "")


def actual_pointer(value: Any, location: tuple[int | str, ...]) -> Pointer:
    """Return the path to a place in the input, without steps that only the schema knows."""
    pointer: list[int | str] = []
    for step in location:
        name = _name_in(value, step)
        if name is not None:
            pointer.append(name)
            value = value[name]
    return pointer


def _name_in(value: Any, step: int | str) -> int | str | None:
    if isinstance(value, Mapping):
        spellings = FIELD_NAMES.get(str(step), (step,))
        return next((name for name in spellings if name in value), None)
    if isinstance(value, list | tuple) and isinstance(step, int) and step < len(value):
        return step
    return None


def unknown_field(detail: "ErrorDetails") -> tuple[str, ...]:
    """Return the last step of the path to a field that the schema does not know."""
    return (detail["ctx"]["key"],) if detail["type"] == "unknown_field" else ()


def message_of(detail: "ErrorDetails") -> str:
    """Return the message of a problem, with the name of the field where the schema omits it."""
    field = next((step for step in reversed(detail["loc"]) if isinstance(step, str)), "")
    if detail["type"] == "missing":
        return f"no {field}"
    message = detail["msg"]
    if message.startswith("Input should be"):
        expected = message.removeprefix("Input should be").replace("a valid tuple", "a list")
        return f"{field} should be{expected}"
    return message


def read_head(reading: Reading, name: str) -> "FixtureHead":
    """Return the head of a fixture.

    Raises:
        InputError: It is invalid.
    """
    from pydantic_core import ValidationError  # noqa: PLC0415  (loads pydantic)

    from groupwise.schemas import FixtureHead  # noqa: PLC0415  (loads pydantic)

    _refuse_pattern(reading, name)
    try:
        return FixtureHead.model_validate(reading.head)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
        raise InputError([_head_problem(detail, reading, name) for detail in details]) from None


def _refuse_pattern(reading: Reading, name: str) -> None:
    """Refuse a regular expression: matching it may take forever, and a file is only data."""
    matching = reading.head.get("matching")
    given = matching if isinstance(matching, dict) and matching.get("type") == "normalised" else {}
    for option in ("pattern", "replacement"):
        if given.get(option):
            line, column = reading.places.get("matching", (None, None))
            message = (
                f"a file cannot set {option}; use until, or give the pattern on the command line "
                "(--match-option pattern=…) or in Python (matching=…)"
            )
            pointer = f"/matching/{option}"
            raise InputError([Problem(message, name, line, column, pointer=pointer, code="IO008")])


def _head_problem(detail: "ErrorDetails", reading: Reading, name: str) -> Problem:
    pointer = actual_pointer(reading.head, (*detail["loc"], *unknown_field(detail)))
    line, column = reading.places.get(str(pointer[0]), (None, None)) if pointer else (None, None)
    return Problem(
        message_of(detail), name, line, column, pointer=json_pointer(pointer), code="IO008"
    )
