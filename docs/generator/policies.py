"""The page of policies, from their schema."""

from typing import Any, get_args

from pydantic.fields import FieldInfo

from groupwise.schemas import Policies

HEAD = """\
# Policies

How to handle cases that evaluators often decide silently. A policy is a keyword of `evaluate()`, an
option of `groupwise evaluate` (with hyphens: `--empty-results skip`), and a field of `policies` in
a fixture. The caller takes precedence over the fixture. Why these defaults: [errors and
policies](../explanation/errors-and-policies.md).
"""


HEADINGS = ["| policy | the case | values | default |", "|---|---|---|---|"]


def policies_page() -> str:
    """All policies with their values and defaults."""
    rows = [_row(name, field) for name, field in Policies.model_fields.items()]
    return "\n".join([HEAD, *HEADINGS, *rows, ""])


def _row(name: str, field: FieldInfo) -> str:
    default = "none: an error" if name == "flat" else _code(field.default)
    values = ", ".join(map(_code, _values(field)))
    return f"| `{name}` | {field.description} | {values} | {default} |"


def _values(field: FieldInfo) -> list[str]:
    return [value for value in _flat(field.annotation) if isinstance(value, str)]


def _flat(annotation: Any) -> list[Any]:
    """The values of a Literal, also of one that may be None."""
    inner = get_args(annotation)
    return [value for part in inner for value in _flat(part)] if inner else [annotation]


def _code(value: object) -> str:
    return "as they are" if value is None else f"`{value}`"
