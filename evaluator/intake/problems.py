"""What the schemas say of a record, as problems with their places."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.records import Reading
from groupwise.evaluator.reading.scan import Pointer
from groupwise.evaluator.text import json_pointer
from groupwise.schemas import FIELD_NAMES, FixtureHead


def actual_pointer(value: Any, location: tuple[int | str, ...]) -> Pointer:
    """The way to a place in the input; steps that only the schema knows are left out."""
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


def unknown_field(detail: ErrorDetails) -> tuple[str, ...]:
    """The last step to a field that the schema does not know."""
    return (detail["ctx"]["key"],) if detail["type"] == "unknown_field" else ()


def message_of(detail: ErrorDetails) -> str:
    """What the schema says of a problem, in our words where its own are bare."""
    field = next((step for step in reversed(detail["loc"]) if isinstance(step, str)), "")
    if detail["type"] == "missing":
        return f"no {field}"
    message = detail["msg"]
    if message.startswith("Input should be"):
        return f"{field} should be{message.removeprefix('Input should be')}"
    return message


def read_head(reading: Reading, name: str) -> FixtureHead:
    """The head of a fixture, or an InputError with its problems."""
    try:
        return FixtureHead.model_validate(reading.head)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
        raise InputError([_head_problem(detail, reading, name) for detail in details]) from None


def _head_problem(detail: ErrorDetails, reading: Reading, name: str) -> Problem:
    pointer = actual_pointer(reading.head, (*detail["loc"], *unknown_field(detail)))
    line, column = reading.places.get(str(pointer[0]), (None, None)) if pointer else (None, None)
    return Problem(
        message_of(detail), name, line, column, pointer=json_pointer(pointer), code="IO008"
    )
