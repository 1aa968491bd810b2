"""A report from its parts: each field once, in the order in which it is written."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from groupwise.schemas import Counts, PerQuery, Report, Scores

if TYPE_CHECKING:
    from groupwise.evaluator.evaluation.partial import Setup
    from groupwise.schemas import Input


def build_report(
    setup: "Setup",
    counts: dict[str, int],
    scores: dict[str, float | None],
    per_query: PerQuery,
    warnings: tuple[str, ...],
    inputs: "Sequence[Input]",
    found: dict[str, Any],
) -> "Report":
    """Return a report; ``found`` has fields that are empty in most reports."""
    fields: dict[str, Any] = {
        "schema_": "groupwise.report/1",
        "profile": setup.profile,
        "counts": Counts.assemble(counts),
        "scores": Scores.under(setup.spellings, scores),
        "confidence": None,
        "intervals": {},
        "ceilings": {},
        "bands": {},
        "ranks": {},
        "ties": None,
        "curve": None,
        "slices": {},
        "gates": (),
        "matching": {},
        "per_query": per_query,
        "failures": {},
        "explanation": None,
        "warnings": warnings,
        "provenance": setup.describe(inputs),
    }
    return Report.assemble({**fields, **found})
