"""Expected scores in the text of a fixture; every other character stays as it is."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
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
from groupwise.evaluator.reading.text_file import MARK
from groupwise.schemas import Outcome

EXPECTED = "expected"
ScoresByName: TypeAlias = Mapping[str, float | None]


def correct_expected(text: str, outcomes: Iterable[Outcome], form: JsonForm) -> str:
    """Return the text with the scores found in place of the numbers expected; bounds stay.

    Raises:
        LookupError: The text has no place for a number.
    """
    found: dict[str | None, dict[str, float | None]] = {}
    for outcome in outcomes:
        if not isinstance(outcome.expected, str):
            found.setdefault(outcome.query, {})[outcome.metric] = outcome.found
    edits = [
        edit
        for record in find_records(text, form)
        for edit in _correct_record(text, record, found.get(record.query, {}))
    ]
    if len(edits) < sum(map(len, found.values())):
        raise LookupError(f"no place for all of {found}")
    return apply_edits(text, edits)


def _correct_record(text: str, record: RecordPlace, scores: ScoresByName) -> Iterator[Edit]:
    for key, _, value in members(text, record.start) if scores else ():
        if key == EXPECTED and text[value] == "{":
            yield from _correct_scores(text, value, scores)


def _correct_scores(text: str, start: int, scores: ScoresByName) -> Iterator[Edit]:
    """Yield the edits of an object of expectations; a tolerance stays beside its value."""
    for name, _, place in members(text, start):
        if name not in scores:
            continue
        if text[place] == "{" and scores[name] is not None:
            yield from replace_members(text, place, {"value": scores[name]})
        else:
            yield from replace_members(text, start, {name: scores[name]})


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


def locate_expected(
    text: str, outcomes: Iterable[Outcome], form: JsonForm
) -> dict[tuple[str | None, str], int]:
    """Return the line of each expectation in the text, by query and metric."""
    wanted: dict[str | None, set[str]] = {}
    for outcome in outcomes:
        wanted.setdefault(outcome.query, set()).add(outcome.metric)
    plain = text.removeprefix(MARK)
    ends = [match.start() for match in re.finditer("\n", plain)]
    return {
        (record.query, name): bisect_left(ends, place) + 1
        for record in find_records(plain, form)
        for name, place in _find_scores(plain, record.start if record.query in wanted else None)
        if name in wanted[record.query]
    }


def _find_scores(text: str, start: int | None) -> Iterator[tuple[str, int]]:
    """Yield the metrics that the record at ``start`` expects, and their places."""
    for key, _, value in members(text, start) if start is not None else ():
        if key == EXPECTED and text[value] == "{":
            yield from ((name, place) for name, place, _ in members(text, value))
