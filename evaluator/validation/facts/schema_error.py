"""An error that the models report for a record, as rules see it."""

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from groupwise.evaluator.reading.scan import Pointer
    from groupwise.evaluator.validation.facts.request import Request


class SchemaError(NamedTuple):
    """What is wrong with the shape of a record.

    Attributes:
        type: The type of the error, such as ``"empty_group"``.
        field: The field that it is about.
        location: The steps to it in the model.
        pointer: The steps to it in the record as it was given.
        message: What is wrong, for a person.
        value: What the pointer leads to.
        record: The whole record.
        request: What the validation was asked for.
    """

    type: str
    field: str
    location: tuple[int | str, ...]
    pointer: "Pointer"
    message: str
    value: Any
    record: Any
    request: "Request"
