"""Ground truth where results are expected, and results where ground truth is."""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.mapping.long_form import LongRecords
from groupwise.evaluator.reading.detection import detect_roles
from groupwise.evaluator.reading.options import ROLE_NAMES, Role
from groupwise.evaluator.reading.records import Reading, Records

Held: TypeAlias = Literal["ground_truth", "run", "both", "ids"] | None
"""What records hold: ``"ids"`` may be results, or ground truth without groups."""
HELD: Mapping[frozenset[Role], Held] = {
    frozenset({"ground_truth"}): "ground_truth",
    frozenset({"run"}): "run",
    frozenset({"ground_truth", "run"}): "both",
}
FIXTURE = (
    "expected ground truth, got a fixture, which holds results as well; "
    "evaluate it alone, or give its ground truth without the results"
)


def explain_swapped(
    error: InputError, truths: Records | None, results: Records | None = None
) -> InputError:
    """Return the error, or a better one if a source holds what the other one should.

    Args:
        error: What is wrong with the sources.
        truths: Where ground truth is expected; None if it is valid.
        results: Where results are expected; None if they have not been read.
    """
    message = describe_swapped(truths, results)
    return InputError([Problem(message)]) if message else error


def describe_swapped(truths: Records | None, results: Records | None) -> str | None:
    """Return a message if a source holds what the other one should; None if neither does."""
    first = None if truths is None else _detect_held(truths)
    if truths is not None and first == "both":
        return f"{truths.name}: {FIXTURE}"
    second = None if results is None else _detect_held(results)
    found = []
    if truths is not None and (first == "run" or (first == "ids" and second == "ground_truth")):
        found.append(_describe(truths, "ground_truth", "run"))
    if results is not None and second == "ground_truth":
        found.append(_describe(results, "run", "ground_truth"))
    return "; ".join([*found, "are ground truth and run swapped?"]) if found else None


def _describe(records: Records, expected: Role, got: Role) -> str:
    return f"{records.name}: expected {ROLE_NAMES[expected]}, got {ROLE_NAMES[got]}"


def _detect_held(records: Records) -> Held:
    """Return what the first record holds; None if it cannot be told.

    The long forms have formats of their own for each role, and were read as what they are.
    """
    if isinstance(records, LongRecords):
        return None
    try:
        batch = next(iter(records.batches(Reading())), None)
    except InputError:
        return None
    if batch is None or not batch.values:
        return None
    value = batch.values[0]
    if roles := detect_roles(value):
        return HELD.get(roles)
    return None if batch.keys is None or isinstance(value, Mapping) else _detect_in_list(value)


def _detect_in_list(value: Any) -> Held:
    """Return what a list under a query id holds: groups, ids, or results in full."""
    items = list(value) if isinstance(value, list | tuple) else []
    if items and all(isinstance(item, list | tuple) for item in items):
        kinds = {type(part) for item in items for part in item}
        return "ground_truth" if kinds in ({str}, {int}) else None
    return "ids" if items and {*map(type, items)} in ({str}, {int}) else None
