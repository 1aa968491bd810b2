"""The ground truth that candidates are proposed for, and verdicts are merged into."""

import os

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.evaluation.checked_records import CheckedRecords, open_checked
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.reading.source import Source
from groupwise.schemas import Policies, RunQuery

SWAPPED = "expected ground truth, got results; are ground truth and run swapped?"


def open_truth(
    path: str | os.PathLike[str] | Source, options: Options, policies: Policies
) -> CheckedRecords:
    """Return the records of a ground truth or a fixture.

    Raises:
        InputError: The file cannot be read, or holds results only.
    """
    checked = open_checked(path, options, policies)  # type: ignore[arg-type]
    if checked.model is RunQuery:
        raise InputError([Problem(SWAPPED, checked.records.name)])
    return checked
