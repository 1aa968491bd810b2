"""Errors of the models as drafts: each has the code of the rule that claims it."""

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from groupwise.evaluator.intake.problems import actual_pointer, message_of, unknown_field
from groupwise.evaluator.reading.scan import Pointer
from groupwise.evaluator.validation.facts.draft import Draft, SchemaError
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.rules.edits import follow
from groupwise.evaluator.validation.rules.io import UNEXPECTED_SHAPE
from groupwise.evaluator.validation.rules.rule import Rule
from groupwise.schemas.values import CANONICAL

MOST_ERRORS = 20
"""At most this many errors of a record are reported."""


class SchemaRules:
    """The rules that claim errors of the models."""

    def __init__(self, rules: dict[str, Rule]) -> None:
        self._claims = [(rule.schema, rule) for rule in rules.values() if rule.schema is not None]
        self._fallback = rules[UNEXPECTED_SHAPE]

    def _find_rule(self, error: SchemaError) -> Rule:
        return next((rule for claims, rule in self._claims if claims(error)), self._fallback)

    def draft(
        self, error: ValidationError, value: Any, request: Request, key: str | None = None
    ) -> Iterator[Draft]:
        """Yield a draft for each error, with its pointer in the value as it was given.

        ``key`` is the query id, if it stands outside the value.
        """
        for detail in error.errors(include_url=False, include_input=False)[:MOST_ERRORS]:
            found = _read_error(detail, value, request)
            if key is not None and found.location == ("id",):
                found = found._replace(value=key)
            rule = self._find_rule(found)
            is_fixable = rule.fix is not None and rule.fix.fits(found)
            document = found.value if _is_id(found.value) else None
            group = _find_group(found.pointer)
            pointer, message = found.pointer, found.message
            yield Draft(rule.code, message, pointer, group, document, found.value, is_fixable)


def _read_error(detail: ErrorDetails, value: Any, request: Request) -> SchemaError:
    location = detail["loc"]
    field = next((step for step in reversed(location) if isinstance(step, str)), "")
    pointer = actual_pointer(value, (*location, *unknown_field(detail)))
    found = follow(value, pointer)
    message = message_of(detail)
    return SchemaError(detail["type"], field, location, pointer, message, found, value, request)


def _find_group(pointer: Pointer) -> int | None:
    """Return the number of the group that a pointer leads into."""
    steps = [step for step in pointer if isinstance(step, int)]
    is_in_truth = any(CANONICAL.get(str(step)) == "ground_truth" for step in pointer)
    return steps[0] if steps and (is_in_truth or len(pointer) == len(steps)) else None


def _is_id(found: Any) -> bool:
    return type(found) is int or (isinstance(found, str) and len(found) <= 200)
