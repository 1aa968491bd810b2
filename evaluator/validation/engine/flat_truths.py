"""Ground truths without groups, grouped as the policy for flat lists says, for the sweep.

A file of judgements (TREC, BEIR) has no groups at all: each of its records has grades by id.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from groupwise.evaluator.intake.graded import are_grades, build_truth
from groupwise.evaluator.validation.facts.tally import CleanRecords
from groupwise.schemas import RichTruth

SWEPT = frozenset({"id", "query", "ground_truth", "results", "metadata"})
"""Beside other fields, records without groups are left to the models."""


class GroupedFields(NamedTuple):
    """Fields of records, with groups wherever a policy tells which.

    Attributes:
        fields: The content of each field.
        graded: By row, ground truths with other grades than 1.
    """

    fields: Mapping[str, Any]
    graded: dict[int, RichTruth]

    def add_grades(self, clean: CleanRecords, others: list[int]) -> CleanRecords:
        """Return clean records with the grades that they have; ``others`` are the other rows."""
        if not self.graded:
            return clean
        odd = {*others}
        rows = [row for row in range(len(self.fields["ground_truth"])) if row not in odd]
        pairs = zip(rows, clean.shapes, strict=True)
        return replace(
            clean,
            shapes=[shape for row, shape in pairs if row not in self.graded],
            graded=[self.graded[row] for row in rows if row in self.graded],
        )


def group_flat(fields: Mapping[str, Any], flat: str | None) -> GroupedFields:
    """Return fields with groups for ids and grades without any; the same if there are none."""
    truths = fields.get("ground_truth")
    if flat is None or type(truths) is not list or not SWEPT.issuperset(fields):
        return GroupedFields(fields, {})
    graded: dict[int, RichTruth] = {}
    grouped = [*truths]
    for row, truth in enumerate(truths):
        if _is_flat(truth):
            grouped[row] = groups = [[*truth]] if flat == "any" else [[id_] for id_ in truth]
            grades = [*map(float, truth.values())] if type(truth) is dict else []
            if isinstance(found := build_truth(groups, grades), RichTruth):
                graded[row] = found
    return GroupedFields({**fields, "ground_truth": grouped}, graded)


def _is_flat(truth: Any) -> bool:
    """Whether a ground truth is texts, or grades above 0 by id, for certain."""
    if type(truth) is dict:
        return are_grades(truth) and "groups" not in truth
    return type(truth) is list and {*map(type, truth)} == {str}
