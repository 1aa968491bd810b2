"""Which column of a table holds which field of a record.

Columns that are no field are ignored: tables have columns for many purposes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.arrow import LISTS, is_type
from groupwise.evaluator.reading.options import AS_IT_IS, CORPUS, ROLE_NAMES, Options, Role
from groupwise.schemas import FIELD_NAMES
from groupwise.schemas.values import DOCUMENT_NAMES, SPAN, find_nearest, names_in

SHOWN_COLUMNS = 8
NUMBERED = "#"
"""In place of a column: the number of the row, which a table has anyway."""


@dataclass(frozen=True)
class Content:
    """What a column may hold: values of these Arrow types, or lists of other contents.

    A column of nulls only may stand for any content.
    """

    described: str
    types: tuple[str, ...] = ()
    items: tuple["Content", ...] = ()

    def accepts(self, kind: Any) -> bool:
        """Whether a column of this type may have the content."""
        kind = kind.value_type if is_type(kind, "dictionary") else kind
        if is_type(kind, "null", *self.types):
            return True
        return is_type(kind, *LISTS) and any(item.accepts(kind.value_type) for item in self.items)


TEXT = Content("strings", ("string", "large_string", "string_view"))
ID = Content("strings or whole numbers", (*TEXT.types, "integer"))
NUMBER = Content("numbers", ("integer", "floating"))
STRUCT = Content("structs", ("struct",))
IDS = Content(f"lists of {ID.described}", items=(ID,))
RANKING = Content(f"{IDS.described}, best first", items=(ID, STRUCT))
GROUPS = Content(f"lists of groups, each a list of {ID.described}", items=(RANKING, ID, STRUCT))
NUMBERS = Content("lists of numbers", items=(NUMBER,))
TEXTS = Content("lists of strings", items=(TEXT,))
GROUP_TEXTS = Content("lists of lists of strings", items=(TEXTS,))
METADATA = Content("structs, or JSON objects as text", (*TEXT.types, *STRUCT.types))
FLAG = Content("booleans", ("boolean",))


@dataclass(frozen=True)
class Column:
    """A field of a record in a table: its content (None: anything) and the names of its column."""

    field: str
    content: Content | None
    names: tuple[str, ...]


def _column(field: str, content: Content | None, *names: str) -> Column:
    return Column(field, content, names or FIELD_NAMES.get(field, (field,)))


QUERY_ID = _column("id", ID)
TRUTH = _column("ground_truth", GROUPS)
RESULTS = _column("results", RANKING)
SCORES = _column("scores", NUMBERS)
BESIDE = (
    _column("texts", TEXTS, "retrieved_contents"),
    _column("gold_texts", GROUP_TEXTS, "retrieval_gt_contents"),
)
TEXTS_OF = {"texts": "results", "gold_texts": "ground_truth"}
"""The fields whose texts are in a column of their own."""
OF_QUERY = (
    _column("query", TEXT),
    _column("not_relevant", IDS),
    _column("answerable", FLAG),
    _column("metadata", METADATA),
    _column("generation_gt", None),
    _column("hashes", METADATA),
    _column("corpus", TEXT),
)
OF_DOCUMENT = (
    _column("id", ID, *DOCUMENT_NAMES["id"]),
    _column("text", TEXT, *DOCUMENT_NAMES["text"]),
    _column("metadata", METADATA),
    _column("document", ID, *DOCUMENT_NAMES["document"]),
    _column("start", NUMBER),
    _column("end", NUMBER),
    _column("span", NUMBERS, SPAN),
)
COLUMNS: Mapping[Role | None, tuple[Column, ...]] = {
    "ground_truth": (QUERY_ID, TRUTH, *OF_QUERY),
    "run": (QUERY_ID, RESULTS, SCORES),
    "corpus": OF_DOCUMENT,
    None: (QUERY_ID, TRUTH, RESULTS, SCORES, *OF_QUERY),
}
NEEDED: Mapping[Role | None, frozenset[str]] = {
    "ground_truth": frozenset({"id", "ground_truth"}),
    "run": frozenset({"results"}),
    "corpus": frozenset({"id"}),
    None: frozenset(),
}


@dataclass(frozen=True)
class Layout:
    """The columns that fields are read from, each with its name in the table."""

    found: Mapping[Column, str]

    @property
    def columns(self) -> dict[str, str]:
        """The name of the column of each field."""
        return {column.field: name for column, name in self.found.items()}

    @property
    def names(self) -> list[str]:
        """The names of the columns, each once."""
        return list(dict.fromkeys(self.found.values()))

    def check_types(self, schema: Any, source: str) -> None:
        """Raise an InputError if a column has a type that its field cannot have."""
        kinds = dict(zip(schema.names, schema.types, strict=True))
        problems = [
            Problem(
                f"the column {name!r} is of type {kinds[name]}; "
                f"it should hold {column.content.described}",
                source,
                code="IO008",
            )
            for column, name in self.found.items()
            if column.content is not None and not column.content.accepts(kinds[name])
        ]
        if problems:
            raise InputError(problems)


def layout_of(names: Iterable[str], source: str, options: Options = AS_IT_IS) -> Layout:
    """Return which column holds which field of the records of a table.

    Args:
        names: The columns of the table.
        source: The name of the table, for messages.
        options: The role of the table, and the columns of fields whose columns have other names.

    Raises:
        InputError: A column is missing, or two columns hold the same field.
    """
    there, role = list(names), options.role
    found = {
        column: _find_column(column, there, options.fields, source, first_counts=role == "corpus")
        for column in _list_columns(role, texts=options.texts)
    }
    fields = {column.field for column, name in found.items() if name is not None}
    _refuse_missing(fields, role, there, source)
    return Layout({
        column: name for column, name in found.items()
        if name is not None and TEXTS_OF.get(column.field, column.field) in fields
    })  # fmt: skip


def lacks_columns(names: Iterable[str], role: Role | None) -> bool:
    """Whether a table has not the columns that its role needs, under any of their names."""
    there = {*names}
    fields = {column.field for column in COLUMNS[role] if not there.isdisjoint(column.names)}
    return not _needed_fields(fields, role) <= fields


def _needed_fields(fields: set[str], role: Role | None) -> frozenset[str]:
    """Return the fields that a table of a role needs; without results it is ground truth."""
    is_truth = role is None and "results" not in fields
    return NEEDED["ground_truth" if is_truth else role]


def _list_columns(role: Role | None, *, texts: bool) -> tuple[Column, ...]:
    if role == "corpus":
        return OF_DOCUMENT if texts else OF_DOCUMENT[:2]
    return (*COLUMNS[role], *BESIDE) if texts else COLUMNS[role]


def _find_column(
    column: Column, names: list[str], chosen: Mapping[str, str], source: str, *, first_counts: bool
) -> str | None:
    if chosen.get(column.field, NUMBERED) != NUMBERED:
        name = chosen[column.field]
        if name not in names:
            raise _problem(f"no column {name!r}{suggest_column([name], names)}", source)
        return name
    found = [name for name in column.names if name in names]
    if len(found) > 1 and not first_counts:
        shown = " and ".join(map(repr, found))
        message = f"the columns {shown} both hold the {column.field}; leave one out, or say which"
        raise _problem(message, source)
    return found[0] if found else None


def _refuse_missing(fields: set[str], role: Role | None, there: list[str], source: str) -> None:
    """Raise an InputError for a missing column; results may lack an id, ground truth may not."""
    for field in sorted(_needed_fields(fields, role) - fields):
        names = next(column.names for column in COLUMNS[role] if column.field == field)
        if role != "corpus" and {"id", "text"} <= names_in(there).keys():
            expected = ROLE_NAMES["run" if role == "run" else "ground_truth"]
            raise _problem(CORPUS.format(expected=expected), source)
        raise _problem(
            f"no column {' or '.join(map(repr, names))}{suggest_column(names, there)}", source
        )


def suggest_column(names: Iterable[str], there: list[str]) -> str:
    """Return the nearest column to any of these names as a question, or the columns there are."""
    near = next(filter(None, (find_nearest(name, there) for name in names)), None)
    if near:
        return f"; did you mean {near!r}?"
    shown = ", ".join(map(repr, there[:SHOWN_COLUMNS]))
    more = ", …" if len(there) > SHOWN_COLUMNS else ""
    return f"; there are {shown or 'no columns'}{more}"


def _problem(message: str, source: str) -> InputError:
    return InputError([Problem(message, source, code="IO008")])
