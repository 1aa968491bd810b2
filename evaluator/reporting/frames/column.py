"""A column of a table: its name, the type of its values, and the values."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

Type: TypeAlias = Literal["text", "float", "int", "bool"]


class Column(NamedTuple):
    """Values of one type; None stands for a missing one."""

    name: str
    type: Type
    values: Sequence[Any]


def write_texts(name: str, values: Iterable[object]) -> Column:
    """Return a column of texts; halves of surrogate pairs, which no frame can hold, as escapes."""
    return Column(name, "text", [None if value is None else _encode(value) for value in values])


def _encode(value: object) -> str:
    return str(value).encode("utf-8", "backslashreplace").decode()


def gather_columns(fields: dict[str, Type], rows: Sequence[Sequence[Any]]) -> Iterable[Column]:
    """Yield the columns of rows, each with a name and a type."""
    for number, (name, kind) in enumerate(fields.items()):
        values = [row[number] for row in rows]
        yield write_texts(name, values) if kind == "text" else Column(name, kind, values)
