"""Edits that merge verdicts into the records of a JSON text."""

from collections.abc import Iterator, Mapping
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.judging.merging import QueryChanges
from groupwise.evaluator.reading.detection import detect_document_form
from groupwise.evaluator.reading.editing import (
    Edit,
    add_members,
    append_elements,
    find_records,
    replace_members,
    spell_json,
)
from groupwise.evaluator.reading.records import JsonForm
from groupwise.evaluator.reading.scan import (
    decode_value,
    elements,
    end_of_value,
    members,
    skip_space,
)
from groupwise.schemas import FIELD_NAMES
from groupwise.schemas.judging import JUDGEMENTS

FLAT = (
    "a flat list of ids, to which no alternative can be added; write the groups first: "
    "groupwise convert {name} OUT.jsonl --flat any|all"
)
LISTED = f"metadata.{JUDGEMENTS}: expected a list of verdicts, got something else; rename it"


def edit_records(
    text: str, form: JsonForm, changes: Mapping[str, QueryChanges], name: str
) -> Iterator[Edit]:
    """Yield the edits of all records that change.

    Raises:
        InputError: A record has no place for its changes.
    """
    if not changes:
        return
    for query, start in _find_places(text, form):
        if change := changes.get(query):
            try:
                yield from _edit_record(text, start, change)
            except ValueError as error:
                raise InputError(
                    [Problem(str(error).format(name=name), name, query=query)]
                ) from None


def _find_places(text: str, form: JsonForm) -> Iterator[tuple[str, int]]:
    """Yield each query with the place of its record, or of its bare groups in a map."""
    if form == "json" and detect_document_form(text) == "map":
        for key, _, value in members(text, skip_space(text, 0)):
            yield key, value
        return
    for place in find_records(text, form):
        if place.query is not None:
            yield place.query, place.start


def _edit_record(text: str, start: int, change: QueryChanges) -> Iterator[Edit]:
    if text[start] != "{":
        yield from _edit_groups(text, start, change)
        yield from _wrap_groups(text, start, change)
        return
    places = {key: value for key, _, value in members(text, start)}
    truth = next((places[name] for name in FIELD_NAMES["ground_truth"] if name in places), None)
    if truth is not None:
        yield from _edit_groups(text, truth, change)
    added: dict[str, Any] = {}
    yield from _edit_unwanted(text, start, places, change, added)
    yield from _edit_metadata(text, start, places, change, added)
    yield from add_members(text, start, added)


def _wrap_groups(text: str, start: int, change: QueryChanges) -> Iterator[Edit]:
    """Yield the edits that make a record of bare groups, which have no place for more."""
    fields: dict[str, Any] = {}
    yield Edit(start, start, '{"ground_truth": ')
    if change.not_relevant:
        fields["not_relevant"] = change.not_relevant
    fields["metadata"] = {JUDGEMENTS: change.judgements}
    new = "".join(f", {spell_json(name)}: {spell_json(value)}" for name, value in fields.items())
    end = end_of_value(text, start)
    yield Edit(end, end, f"{new}}}")


def _edit_groups(text: str, start: int, change: QueryChanges) -> Iterator[Edit]:
    """Yield the edits that add alternatives to the groups that begin here."""
    if not change.alternatives:
        return
    groups = list(elements(text, start)) if text[start] == "[" else []
    if not groups or any(text[place] not in "[{" for place in groups):
        raise ValueError(FLAT)
    for number, new in change.alternatives.items():
        yield from _extend_group(text, groups[number], new)


def _extend_group(text: str, start: int, new: list[Any]) -> Iterator[Edit]:
    """Yield the edit of a group, in the way in which it is written."""
    if text[start] == "[":
        yield from append_elements(text, start, new)
        return
    places = {key: value for key, _, value in members(text, start)}
    if "alternatives" in places:
        yield from append_elements(text, places["alternatives"], new)
    else:
        yield from add_members(text, start, {str(each): 1 for each in new})


def _edit_unwanted(
    text: str, start: int, places: Mapping[str, int], change: QueryChanges, added: dict[str, Any]
) -> Iterator[Edit]:
    if not change.not_relevant:
        return
    if "not_relevant" in places:
        yield from append_elements(text, places["not_relevant"], change.not_relevant)
    else:
        added["not_relevant"] = change.not_relevant


def _edit_metadata(
    text: str, start: int, places: Mapping[str, int], change: QueryChanges, added: dict[str, Any]
) -> Iterator[Edit]:
    """Yield the edit of the metadata; where there is none, it is among the added members."""
    if not change.judgements:
        return
    value = {JUDGEMENTS: change.judgements}
    if "metadata" not in places:
        added["metadata"] = value
        return
    place = places["metadata"]
    if text[place] != "{":
        yield from replace_members(text, start, {"metadata": value})
        return
    kept = {key: found for key, _, found in members(text, place)}
    if JUDGEMENTS not in kept:
        yield from add_members(text, place, value)
    elif isinstance(decode_value(text, kept[JUDGEMENTS]), list):
        yield from append_elements(text, kept[JUDGEMENTS], change.judgements)
    else:
        raise ValueError(LISTED)
