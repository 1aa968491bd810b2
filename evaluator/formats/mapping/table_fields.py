"""Fields of tables: columns as fields, and cells that hold lists or objects as text."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.mapping.field_records import FieldRecords
from groupwise.evaluator.formats.mapping.fields import (
    PART_OF_METADATA,
    choose_paths,
    plan_fields,
)
from groupwise.evaluator.formats.mapping.mapped_records import MappedRecords, Unfit
from groupwise.evaluator.formats.mapping.paths import SEPARATORS, FieldPath
from groupwise.evaluator.formats.mapping.plan import LISTED, Plan
from groupwise.evaluator.reading.layout import COLUMNS, ID, layout_of, suggest_column
from groupwise.evaluator.reading.literals import is_literal, parse_literal
from groupwise.evaluator.reading.options import Options, Record, Role
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.reading.tables import ReadColumns, RowRecords, TableRecords
from groupwise.evaluator.text import quote

SUSPICIOUS = (";", "|", "\n", "\t", ",")
"""Signs that a single id in a cell hardly has."""
FLAGS = {"true": True, "false": False}
ReadCell = Callable[[str], Any]


def map_columns(records: Records, plan: Plan, names: Iterable[str]) -> Records:
    """Return the records of a table, with each field taken from its column or from within it.

    Raises:
        InputError: There is no such column, or a path has a wrapper, which a table cannot have.
    """
    resolved = resolve_columns(plan, list(names), records.name)
    return FieldRecords(CellRecords(records, resolved), resolved)


def open_columns(
    names: list[str],
    holds_single: Callable[[str], bool] | None,
    read: ReadColumns,
    source: str,
    options: Options,
    schema: Any = None,
) -> Records:
    """Return the rows of a table with our columns, or with mapped fields.

    Args:
        names: The columns of the table.
        holds_single: As for ``map_rows``; None: the types in the schema say it.
        read: Returns what reads the rows with some columns.
        source: The name of the table, for messages.
        options: The map, and the role of the table.
        schema: The types of the columns in Arrow, to be checked; None if there are none.
    """
    if options.fields:
        mapped = map_rows(
            names, holds_single or (lambda column: ID.accepts(schema.field(column).type)),
            read, source, options,
        )  # fmt: skip
        if mapped is not None:
            return mapped
    layout = layout_of(names, source, options)
    if schema is not None:
        layout.check_types(schema, source)
    return TableRecords(source, read(layout.names), layout)


def map_rows(
    names: Sequence[str],
    holds_single: Callable[[str], bool],
    rows_of: ReadColumns,
    source: str,
    options: Options,
) -> Records | None:
    """Return the rows of a table with mapped fields; None if each is a column that is a list.

    Fields that the map does not name are read from the columns that have their names.

    Args:
        names: The columns of the table.
        holds_single: Whether a column holds a text or a number in each row, and not a list.
        rows_of: Returns what reads the rows with some columns.
        source: The name of the table, for messages.
        options: The map, and the role of the table.

    Raises:
        InputError: The map is malformed, or there is no such column.
    """
    paths = choose_paths(options)
    if all(_is_plain(field, path, names, holds_single) for field, path in paths.items()):
        return None
    plan = plan_fields({**_find_others(names, paths, options.role), **paths}, options)
    resolved = resolve_columns(plan, list(names), source)
    columns = [column for path in resolved.paths.values() for column in _list_columns(path)]
    records = RowRecords(source, rows_of(list(dict.fromkeys(columns))))
    return FieldRecords(CellRecords(records, resolved), resolved)


def _is_plain(
    field: str, path: str, names: Sequence[str], holds_single: Callable[[str], bool]
) -> bool:
    if field.startswith(PART_OF_METADATA):
        return False
    return path in names and not (field in LISTED and holds_single(path))


def _find_others(
    names: Sequence[str], paths: Mapping[str, str], role: Role | None
) -> dict[str, str]:
    """Return the columns of fields that the map does not name."""
    others = {
        column.field: [name for name in column.names if name in names]
        for column in COLUMNS[role] if column.field not in paths
    }  # fmt: skip
    return {field: found[0] for field, found in others.items() if found}


def resolve_columns(plan: Plan, names: list[str], source: str) -> Plan:
    """Return the plan with each path beginning at a column; one spelled like a column is it."""
    paths = {field: _resolve(field, path, names, source) for field, path in plan.paths.items()}
    return replace(plan, paths=paths, wrappers=())


def _resolve(field: str, path: FieldPath, names: list[str], source: str) -> FieldPath:
    if path.is_number:
        return path
    if path.whole_text in names:
        _refuse_repeated(path.whole_text, names, source)
        return replace(path, wrappers=(), steps=(path.whole_text,), parts=())
    if path.wrappers or not _list_columns(path):
        message = (
            f"{field}={path.text}: a table has a record per row; begin at a column, without []"
        )
        raise InputError([Problem(message, source, code="IO008")])
    missing = next((name for name in _list_columns(path) if name not in names), None)
    if missing is not None:
        message = f"{field}={path.text}: no column {missing!r}{suggest_column([missing], names)}"
        raise InputError([Problem(message, source, code="IO008")])
    for name in _list_columns(path):
        _refuse_repeated(name, names, source)
    return path


def _list_columns(path: FieldPath) -> list[str]:
    if path.is_number:
        return []
    return [path.steps[0]] if path.steps else [part[0] for part in path.parts]


def _refuse_repeated(name: str, names: list[str], source: str) -> None:
    if names.count(name) > 1:
        message = f"{names.count(name)} columns are named {name!r}; rename them"
        raise InputError([Problem(message, source, 1, code="IO008")])


class CellRecords(MappedRecords):
    """The rows of a table, with the cells that fields are taken from as values."""

    def __init__(self, records: Records, plan: Plan) -> None:
        super().__init__(records, self._read_row)
        self.typed_ids = records.typed_ids
        self._readers = list(_choose_readers(plan.paths))

    def _read_row(self, row: Record) -> Record:
        return {**row, **dict(self._read_cells(row))}

    def _read_cells(self, row: Record) -> Iterator[tuple[str, Any]]:
        for column, read in self._readers:
            cell = row.get(column)
            if isinstance(cell, str):
                try:
                    yield column, read(cell)
                except ValueError as error:
                    raise Unfit(f"the column {column!r}: {error}", (column,)) from None
            elif column not in row:
                yield column, None


def _choose_readers(paths: Mapping[str, FieldPath]) -> Iterator[tuple[str, ReadCell]]:
    """Yield how to read the cells of each column; those of ids last, as they take precedence."""
    for field, path in sorted(paths.items(), key=lambda item: item[0] in LISTED):
        for column in _list_columns(path):
            yield column, _choose_reader(field, path)


def _choose_reader(field: str, path: FieldPath) -> ReadCell:
    if path.parts or len(path.steps) > 1 or field.startswith("metadata"):
        return _read_value
    if field in LISTED:
        return str if path.separator else _ids_reader(field, path)
    return {"scores": _read_numbers, "answerable": _read_flag}.get(field, _read_text)


def _read_text(cell: str) -> str | None:
    return cell if cell.strip() else None


def _read_value(cell: str) -> Any:
    return _parse(cell) if is_literal(cell) else _read_text(cell)


def _ids_reader(field: str, path: FieldPath) -> ReadCell:
    def read_ids(cell: str) -> Any:
        """Return a list of ids, or the single id of a cell."""
        if is_literal(cell):
            return _parse(cell)
        found = next((sign for sign in SUSPICIOUS if sign in cell.strip()), None)
        if found is None:
            return cell
        way = f"{field}={path.text}[{SEPARATORS[found]}]"
        raise ValueError(
            f"{quote(cell)} may be several ids; name the separator with {way}, or write a list, "
            'such as ["a", "b"]'
        )

    return read_ids


def _read_numbers(cell: str) -> Any:
    if is_literal(cell):
        return _parse(cell)
    return float(cell) if cell.strip() else None


def _read_flag(cell: str) -> Any:
    return FLAGS.get(cell.strip().lower(), cell) if cell.strip() else None


def _parse(cell: str) -> Any:
    try:
        return parse_literal(cell)
    except ValueError as error:
        raise ValueError(f"expected a list or an object, got {quote(cell)}: {error}") from None
