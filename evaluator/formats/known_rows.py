"""Frames with other columns than ours: those of a published data set, or in long form."""

from groupwise.evaluator.formats.mapping.long_table import read_long_table
from groupwise.evaluator.formats.opening import check_role, recognise_rows
from groupwise.evaluator.reading.detection import Sample
from groupwise.evaluator.reading.layout import lacks_columns
from groupwise.evaluator.reading.options import Options, Record
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.reading.tables import ROWS_PER_BATCH, ReadColumns, RowRecords


def may_be_known(names: list[str], options: Options) -> bool:
    """Whether columns are not ours, so that rows may be those of another format."""
    is_named = bool(options.fields) or options.role == "corpus"
    return not is_named and lacks_columns(names, options.role)


def read_known_rows(
    names: list[str], read: ReadColumns, name: str, options: Options
) -> Records | None:
    """Return the records of a frame whose rows are those of a known format; None for others.

    Raises:
        InputError: The rows are of another role, or the id of a document is in two columns.
    """
    if not may_be_known(names, options):
        return None
    sample = Sample(name, b"", row=_read_first(names, read))
    found = recognise_rows(sample)
    if found is None:
        return None
    if found.convert_rows is None:
        return read_long_table(name, names, read, options.role)
    check_role(found, sample, options.role)
    return found.convert_rows(RowRecords(name, read(names)), options)


def _read_first(names: list[str], read: ReadColumns) -> Record:
    return next((rows[0] for rows in read(names)(ROWS_PER_BATCH) if rows), {})
