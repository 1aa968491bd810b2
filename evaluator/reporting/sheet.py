"""A judging sheet in its forms: CSV for spreadsheets, and a JSON object per line."""

import csv
import io
import os
from collections.abc import Iterator
from typing import Any

from groupwise.evaluator.reading.csv import encode_cell
from groupwise.evaluator.reading.writing import dump_line
from groupwise.evaluator.reporting.forms import Form, Forms
from groupwise.evaluator.reporting.sanitise import spreadsheet_safe
from groupwise.evaluator.text import cut
from groupwise.schemas.ids import text_of
from groupwise.schemas.judging import COLUMNS, Sheet, Suggestion

LONGEST_TEXT = 30_000
"""A cell of a spreadsheet holds 32,767 characters."""


def render_csv(sheet: Sheet, **_layout: Any) -> str:
    """Return a row per candidate; groups are counted from 1, as people count."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(map(list_cells, sheet.rows))
    return text.getvalue()


def list_cells(row: Suggestion) -> list[str | int]:
    """Return the cells of a row: ids can be read back, other text is safe to look at."""
    return [
        encode_cell(row.query), encode_cell(text_of(row.candidate)),
        "" if row.group is None else row.group + 1,
        _show(row.why), _show(row.text or ""),
        encode_cell(row.judge) if row.judge else "", row.verdict or "",
    ]  # fmt: skip


def _show(text: str) -> str:
    """Return text on one line, as long as a cell may be."""
    return spreadsheet_safe(cut(" ".join(text.split()), LONGEST_TEXT))


def render_jsonl(sheet: Sheet) -> str:
    """Return a JSON object per candidate; groups are counted from 0."""
    return "".join(f"{line}\n" for line in _dump_rows(sheet))


def _dump_rows(sheet: Sheet) -> Iterator[str]:
    for row in sheet.rows:
        yield dump_line({name: getattr(row, name) for name in COLUMNS})


SHEET_FORMS: Forms[Sheet] = Forms(
    Form("csv", render_csv, (".csv",)),
    Form("jsonl", render_jsonl, (".jsonl", ".ndjson")),
)


def render_sheet(sheet: Sheet, name: str) -> str:
    """Return a sheet as text in the form of that name.

    Raises:
        ValueError: There is no such form.
    """
    return SHEET_FORMS.render_text(sheet, name)


def write_sheet(sheet: Sheet, path: str | os.PathLike[str]) -> None:
    """Write a sheet to a file, whole or not at all, in the form of its ending.

    Raises:
        ValueError: No form has that ending.
        InputError: The file is a sheet with verdicts, which would be lost.
        OutputError: The file could not be written; what was there before is untouched.
    """
    from groupwise.evaluator.judging.sheet_reader import refuse_filled_sheet  # noqa: PLC0415  (rarely needed)
    from groupwise.evaluator.reading.writing import write_data  # noqa: PLC0415

    form = SHEET_FORMS.choose(None, os.fspath(path))
    refuse_filled_sheet(path)
    write_data(path, [render_sheet(sheet, form.name).encode()])
