"""What a fixture expects of its scores, as a field of models."""

from typing import Annotated, Any, TypeAlias

from pydantic import PlainValidator, WithJsonSchema

from groupwise.schemas.expectation import BOUND, NO_WORSE, check_expectation

SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "number"},
        {"type": "null"},
        {"const": NO_WORSE},
        {"type": "string", "pattern": BOUND},
        {
            "type": "object",
            "properties": {
                "value": {"type": "number"},
                "tolerance": {"type": "number", "minimum": 0},
            },
            "required": ["value", "tolerance"],
            "additionalProperties": False,
        },
    ]
}  # fmt: skip

Expected: TypeAlias = dict[
    str, Annotated[Any, PlainValidator(check_expectation), WithJsonSchema(SCHEMA)]
]
"""What is expected, by metric."""
