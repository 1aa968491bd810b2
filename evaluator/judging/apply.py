"""Verdicts merged into a ground truth, whose text is edited in place: all else stays as it is."""

import os
from dataclasses import dataclass
from typing import Any

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.formats.opening import Editable, FilePath, open_editable
from groupwise.evaluator.inspection.refusals import Refused, explain_refusals
from groupwise.evaluator.judging.ground_truth import open_truth
from groupwise.evaluator.judging.merging import QueryChanges, plan_changes
from groupwise.evaluator.judging.record_edits import edit_records
from groupwise.evaluator.judging.sheet_reader import FilledSheet, read_sheet
from groupwise.evaluator.reading.editing import apply_edits
from groupwise.evaluator.reading.file import path_of, takes_files
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.reading.source import MemorySource, Source
from groupwise.evaluator.reading.text_file import MARK, TextFile, encode_text
from groupwise.evaluator.reading.writing import write_data
from groupwise.schemas import Policies, Query
from groupwise.schemas.judging import Sheet

NO_JSON = (
    "verdicts are merged into JSON and JSON Lines only; "
    "convert the ground truth first: groupwise convert {name} OUT.jsonl"
)


@dataclass(frozen=True)
class AppliedSheet:
    """A ground truth with the verdicts of a sheet.

    Attributes:
        old: The text before.
        new: The text after.
        queries: How many queries changed.
        alternatives: How many alternatives were added.
        not_relevant: How many documents were added to ``not_relevant``.
        judgements: How many verdicts were recorded in the metadata.
        known: How many verdicts had been merged before.
        blank: How many rows of the sheet have no verdict.
        warnings: What a reader should know about the sheet.
    """

    old: str
    new: str
    queries: int = 0
    alternatives: int = 0
    not_relevant: int = 0
    judgements: int = 0
    known: int = 0
    blank: int = 0
    warnings: tuple[str, ...] = ()

    @property
    def has_changed(self) -> bool:
        """Whether the text is not what it was."""
        return self.old != self.new


@takes_files
def apply_sheet(
    ground_truth: FilePath,
    sheet: str | os.PathLike[str] | Sheet,
    output: str | os.PathLike[str],
) -> AppliedSheet:
    """Merge the verdicts of a judging sheet into a ground truth.

    ``yes`` adds the candidate to its group, ``no`` lists it as ``not_relevant``, unless another
    group has it: then the ``no`` is about the group alone. Each verdict is kept in the metadata of
    its query, under ``judgements``. A sheet that is applied again changes nothing.

    Args:
        ground_truth: The file, in JSON or JSON Lines.
        sheet: The sheet that ``suggest`` wrote, filled in.
        output: The file to write, whole or not at all; it may be the ground truth itself.

    Returns:
        The text before and after, and what was added.

    Raises:
        InputError: The sheet or the ground truth is invalid, or a verdict contradicts another one
            or the ground truth; all problems are listed with their places, nothing is written.
        OutputError: The file could not be written; what was there before is untouched.
    """
    editable = _open(ground_truth)
    filled = read_sheet(sheet)
    with explain_refusals([Refused.of(ground_truth, "ground_truth")]):
        queries = _read_queries(editable.file.source)
    problems = Problems()
    changes = plan_changes(filled, queries, problems)
    problems.raise_if_any()
    applied = _merge(editable, changes, filled)
    _write(editable.file, applied, output)
    return applied


def _open(path: FilePath) -> Editable:
    editable = open_editable(path, Options(role="ground_truth"))
    if editable is None:
        name = os.fspath(path_of(path))
        raise InputError([Problem(NO_JSON.format(name=name), name)])
    return editable


def _read_queries(source: Source) -> dict[str, Query]:
    """Return the queries of a sound ground truth; flat lists are looked at later."""
    checked = open_truth(source, Options(role="ground_truth"), Policies(flat="any"))
    models: Any = checked.models()
    return {model.id: model for model in models}


def _merge(
    editable: Editable, changes: dict[str, QueryChanges], sheet: FilledSheet
) -> AppliedSheet:
    """Return the text with all changes, after reading it once more."""
    text = editable.file.text
    mark = MARK if text.startswith(MARK) else ""
    body = text.removeprefix(mark)
    wanted = {query: change for query, change in changes.items() if change}
    new = mark + apply_edits(body, edit_records(body, editable.form, wanted, editable.file.path))
    if wanted:
        _read_queries(MemorySource(editable.file.path, encode_text(new)))
    found = changes.values()
    return AppliedSheet(
        text,
        new,
        queries=len(wanted),
        alternatives=sum(len(added) for each in found for added in each.alternatives.values()),
        not_relevant=sum(len(each.not_relevant) for each in found),
        judgements=sum(len(each.judgements) for each in found),
        known=sum(each.known for each in found),
        blank=len(sheet.rows) - len(sheet.judged),
        warnings=sheet.warnings,
    )


def _write(file: TextFile, applied: AppliedSheet, output: str | os.PathLike[str]) -> None:
    if os.path.realpath(output) != os.path.realpath(file.path):
        write_data(output, [encode_text(applied.new)])
    elif applied.has_changed:
        file.write(applied.new)
