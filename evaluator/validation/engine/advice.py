"""Notes of a validation on how files are read, and how those of unknown shape can be."""

import os
from collections.abc import Iterator, Sequence
from typing import Any

from groupwise.evaluator.inspection.refusals import Refused, find_hints, is_path
from groupwise.evaluator.inspection.settling import MAPPED, Settled
from groupwise.evaluator.reading.file import path_of
from groupwise.schemas import ValidationReport

ABOUT_SHAPE = {"IO001", "IO008"}
"""The rules that a file breaks if its fields are not known."""


def is_hint(note: str) -> bool:
    """Whether a note says how a file can be read, as the library takes it."""
    return "read it as File(" in note or note.endswith("shows its fields")


def is_choice(note: str) -> bool:
    """Whether a note says how a file was read with ``map="auto"``."""
    return MAPPED in note


def list_refused(report: ValidationReport) -> set[str]:
    """Return the files whose shape is at fault."""
    return {found.file for found in report.findings if found.file and found.code in ABOUT_SHAPE}


def add_advice(
    report: ValidationReport,
    data: Sequence[Any],
    settled: Sequence[Settled],
    flat: str | None,
) -> ValidationReport:
    """Return a report with notes on the maps that were chosen, and on those that would fit."""
    chosen = [each.note for each in settled if each.note]
    refused = list_refused(report)
    hints = list(_list_hints(data, refused, settled, flat)) if refused else []
    if not (chosen or hints):
        return report
    return report.model_copy(update={"notes": (*report.notes, *chosen, *hints)})


def _list_hints(
    data: Sequence[Any],
    refused: set[str],
    settled: Sequence[Settled],
    flat: str | None,
) -> Iterator[str]:
    for value, each in zip(map(path_of, data), settled, strict=False):
        if is_path(value) and os.fspath(value) in refused:
            how = each.options
            yield from map(str, find_hints(Refused(value, how.role, how.fields), flat))
