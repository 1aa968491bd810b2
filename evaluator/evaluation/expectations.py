"""Expected scores in the text of a fixture; every other character stays as it is."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from groupwise.evaluator.reading.editing import (
    Edit,
    RecordPlace,
    apply_edits,
    find_records,
    replace_members,
    set_members,
)
from groupwise.evaluator.reading.records import JsonForm
from groupwise.evaluator.reading.scan import members
from groupwise.schemas import Difference

EXPECTED = "expected"
ScoresByName: TypeAlias = Mapping[str, float | None]


def correct_expected(text: str, differences: Iterable[Difference], form: JsonForm) -> str:
    """Return the text with the scores found in place of those expected.

    Raises:
        LookupError: The text has no place for a difference.
    """
    found: dict[str | None, dict[str, float | None]] = {}
    for difference in differences:
        found.setdefault(difference.query, {})[difference.metric] = difference.found
    edits = [
        edit
        for record in find_records(text, form)
        for edit in _correct_record(text, record, found.get(record.query, {}))
    ]
    if len(edits) < sum(map(len, found.values())):
        raise LookupError(f"no place for all of {found}")
    return apply_edits(text, edits)


def _correct_record(text: str, record: RecordPlace, scores: ScoresByName) -> Iterable[Edit]:
    for key, _, value in members(text, record.start) if scores else ():
        if key == EXPECTED and text[value] == "{":
            yield from replace_members(text, value, scores)


def add_expected(
    text: str, means: ScoresByName, per_query: Mapping[str, ScoresByName], form: JsonForm
) -> str:
    """Return the text with ``expected`` in the fixture or, if it has no head, in each record."""
    first, *others = find_records(text, form)
    if first.query is None:
        return apply_edits(text, set_members(text, first.start, {EXPECTED: means}))
    edits = [
        edit
        for record in (first, *others)
        if record.query
        for edit in set_members(text, record.start, {EXPECTED: per_query[record.query]})
    ]
    return apply_edits(text, edits)
