"""Which column of a table holds which field of a record.

Columns that belong to no field are ignored: tables have columns for many purposes.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading import arrow
from groupwise.evaluator.reading.options import Role
from groupwise.schemas import FIELD_NAMES
from groupwise.schemas.corpus import DOCUMENT_NAMES, SPAN
from groupwise.schemas.shape import find_nearest

IDS = "strings or whole numbers"


@dataclass(frozen=True)
class Column:
    """A field of a record as a table has it: its names there, and the types it may have."""

    field: str
    names: tuple[str, ...]
    accepts: Callable[[Any], bool]
    described: str


def _is_ids(kind: Any) -> bool:
    return arrow.is_list_of(kind, arrow.is_id)


def _is_results(kind: Any) -> bool:
    return arrow.is_list_of(kind, arrow.is_id, arrow.is_struct)


def _is_ground_truth(kind: Any) -> bool:
    return arrow.is_list_of(kind, _is_results, arrow.is_id, arrow.is_struct)


def _is_scores(kind: Any) -> bool:
    return arrow.is_list_of(kind, arrow.is_number)


def _is_texts(kind: Any) -> bool:
    return arrow.is_list_of(kind, arrow.is_text)


def _is_gold_texts(kind: Any) -> bool:
    return arrow.is_list_of(kind, _is_texts)


def _is_metadata(kind: Any) -> bool:
    return arrow.is_struct(kind) or arrow.is_text(kind) or arrow.is_list_of(kind)


def _is_span(kind: Any) -> bool:
    return arrow.is_list_of(kind, arrow.is_number)


def _is_text_or_nothing(kind: Any) -> bool:
    return arrow.is_text(kind) or bool(arrow.arrow("pyarrow.types").is_null(kind))


def _is_flag(kind: Any) -> bool:
    return bool(arrow.arrow("pyarrow.types").is_boolean(kind))


def _is_anything(_kind: Any) -> bool:
    return True


def _column(field: str, accepts: Callable[[Any], bool], described: str, *names: str) -> Column:
    return Column(field, names or FIELD_NAMES.get(field, (field,)), accepts, described)


ID = _column("id", arrow.is_id, IDS)
TRUTH = _column("ground_truth", _is_ground_truth, f"lists of groups, each a list of {IDS}")
RESULTS = _column("results", _is_results, f"lists of {IDS}, best first")
SCORES = _column("scores", _is_scores, "lists of numbers")
TEXTS = (
    _column("texts", _is_texts, "lists of strings", "retrieved_contents"),
    _column("gold_texts", _is_gold_texts, "lists of lists of strings", "retrieval_gt_contents"),
)
OF_QUERY = (
    _column("query", arrow.is_text, "strings"),
    _column("not_relevant", _is_ids, f"lists of {IDS}"),
    _column("answerable", _is_flag, "booleans"),
    _column("metadata", _is_metadata, "structs, or JSON objects as text"),
    _column("generation_gt", _is_anything, "anything"),
    _column("hashes", _is_metadata, "structs, or JSON objects as text"),
    _column("corpus", arrow.is_text, "strings"),
)
OF_DOCUMENT = (
    _column("id", arrow.is_id, IDS, *DOCUMENT_NAMES["id"]),
    _column("text", _is_text_or_nothing, "strings", *DOCUMENT_NAMES["text"]),
    _column("metadata", _is_metadata, "structs, or JSON objects as text"),
    _column("document", arrow.is_id, IDS, *DOCUMENT_NAMES["document"]),
    _column("start", arrow.is_number, "whole numbers"),
    _column("end", arrow.is_number, "whole numbers"),
    _column("span", _is_span, "lists of two whole numbers", SPAN),
)
COLUMNS: Mapping[Role | None, tuple[Column, ...]] = {
    "ground_truth": (ID, TRUTH, *OF_QUERY),
    "run": (ID, RESULTS, SCORES),
    "corpus": OF_DOCUMENT,
    None: (ID, TRUTH, RESULTS, SCORES, *OF_QUERY),
}
NEEDED: Mapping[Role | None, frozenset[str]] = {
    "ground_truth": frozenset({"id", "ground_truth"}),
    "run": frozenset({"results"}),
    "corpus": frozenset({"id"}),
    None: frozenset(),
}


@dataclass(frozen=True)
class Layout:
    """The column that each field is read from, and whether rows have no id of their own."""

    columns: Mapping[str, str]
    positional: bool = False


def layout_of(
    names: Iterable[str],
    source: str,
    role: Role | None = None,
    chosen: Mapping[str, str] | None = None,
    *,
    texts: bool = False,
) -> Layout:
    """Which column holds which field of the records that a table has in this role.

    Args:
        names: The columns there are.
        source: What to call the table.
        role: What the table is read as; None means both ground truth and results, if there.
        chosen: The column of a field, where its name does not say it.
        texts: Whether to take also what evaluation does not need.

    Raises:
        InputError: A column is missing, or one of two for the same field.
    """
    there, chosen = list(names), chosen or {}
    found = {
        column.field: _chosen(column, there, chosen, source, first_counts=role == "corpus")
        for column in _wanted(role, texts=texts)
    }
    columns = {field: column for field, column in found.items() if column is not None}
    _refuse_missing(columns, role, there, source)
    for field, of in (("texts", "results"), ("gold_texts", "ground_truth")):
        if of not in columns:
            columns.pop(field, None)
    return Layout(columns, positional="id" not in columns)


def _wanted(role: Role | None, *, texts: bool) -> tuple[Column, ...]:
    if role == "corpus":
        return OF_DOCUMENT if texts else OF_DOCUMENT[:2]
    return (*COLUMNS[role], *TEXTS) if texts else COLUMNS[role]


def _chosen(
    one: Column, names: list[str], chosen: Mapping[str, str], source: str, *, first_counts: bool
) -> str | None:
    if one.field in chosen:
        column = chosen[one.field]
        if column not in names:
            raise _problem(f"no column {column!r}{_nearest([column], names)}", source)
        return column
    there = [column for column in one.names if column in names]
    if len(there) > 1 and not first_counts:
        shown = " and ".join(map(repr, there))
        message = f"the columns {shown} both hold the {one.field}; leave one out, or say which"
        raise _problem(message, source)
    return there[0] if there else None


def _refuse_missing(
    columns: Mapping[str, str], role: Role | None, there: list[str], source: str
) -> None:
    """Results may go without an id and are told by their place; ground truth may not."""
    needed = NEEDED[role]
    if role is None and "results" not in columns:
        needed = NEEDED["ground_truth"]
    for field in sorted(needed - columns.keys()):
        names = next(one.names for one in COLUMNS[role] if one.field == field)
        raise _problem(f"no column {_either(names)}{_nearest(names, there)}", source)


def _either(names: Iterable[str]) -> str:
    return " or ".join(map(repr, names))


def _nearest(names: Iterable[str], there: Iterable[str]) -> str:
    there = list(there)
    near = next(filter(None, (find_nearest(name, there) for name in names)), None)
    if near:
        return f"; did you mean {near!r}?"
    shown = ", ".join(map(repr, there[:8])) + (", …" if len(there) > 8 else "")
    return f"; there are {shown}" if there else "; there are no columns"


def check_types(layout: Layout, schema: Any, source: str) -> None:
    """Raise an InputError for each column whose type is none that its field may have."""
    every = {one.field: one for one in (*COLUMNS[None], *TEXTS)}
    if "span" in layout.columns or "text" in layout.columns:
        every |= {one.field: one for one in OF_DOCUMENT}
    kinds = {one.name: one.type for one in schema}
    problems = [
        Problem(
            f"the column {column!r} is of type {kinds[column]}; "
            f"it should hold {every[field].described}",
            source,
            code="IO008",
        )
        for field, column in layout.columns.items()
        if not every[field].accepts(kinds[column])
    ]
    if problems:
        raise InputError(problems)


def _problem(message: str, source: str) -> InputError:
    return InputError([Problem(message, source, code="IO008")])
