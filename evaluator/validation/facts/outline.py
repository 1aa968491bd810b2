"""The sound parts of an unsound record, without places: enough to screen and to count it."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, cast

from groupwise.evaluator.intake.bulk import PlainBatch
from groupwise.evaluator.intake.defect import JSON, NO_NUMBERS
from groupwise.evaluator.intake.object_defects import NO_GRADES
from groupwise.evaluator.intake.query_ids import query_of
from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.validation.facts.case import NAMES, get_field
from groupwise.evaluator.validation.facts.plain import PlainRecords
from groupwise.schemas import FIELD_NAMES, Id, Kind
from groupwise.schemas.pairs import are_pairs

NONE = type(None)
SIMPLE = frozenset({str, int, float, bool, NONE})
NUMBERS = frozenset({int, float})
OTHER_NAMES = {field: frozenset(names) for field, names in FIELD_NAMES.items()}
SPLIT_IDS = 5
"""From this many values on, a list may be an id that was split into its characters."""


class Outline(NamedTuple):
    """What the rules see of a record that JSON can hold, with ids but without grades.

    Flat ground truth has no groups here: there is no policy for it.

    Attributes:
        query: The query id.
        text: The text of the query.
        groups: The ids of each group that has any.
        results: The ids of the ranking.
        scores: The scores, if there is a list of numbers.
        hashes: The content hashes that the record has.
        corpus: The fingerprint that the record has.
    """

    query: str | None
    text: str | None
    groups: list[list[Id]]
    results: list[Id]
    scores: list[float]
    hashes: Any = None
    corpus: Any = None

    @property
    def are_texts(self) -> bool:
        """Whether there are groups and results, and all their ids are texts."""
        truths, rankings = [self.groups], [self.results]
        return walk.kind_of_truths(truths) is str and walk.kind_of_rankings(rankings) is str

    @property
    def kinds(self) -> tuple[set[Kind], set[Kind]]:
        """The kinds of the ids of all groups, and those of the results."""
        return {*map(type, chain.from_iterable(self.groups))}, {*map(type, self.results)}


def outline(record: Any, key: str | None = None, main: str = "ground_truth") -> Outline | None:
    """Return the sound parts of a record; None if it takes a whole case to find them.

    Args:
        record: The record, or what a map has under a query id.
        key: The query id where it stands outside.
        main: The field that a bare value stands for.
    """
    if type(record) is not dict:
        if key is None:
            is_json = type(record) in SIMPLE or type(record) is list
            return Outline(None, None, [], [], []) if is_json else None
        return _outline_fields({main: record}, key)
    if key is not None and NAMES.isdisjoint(record):
        return None
    if not NAMES.issuperset(record):
        unknown = record.keys() - NAMES
        if any(_may_be_split(record[name]) for name in unknown):
            return None
    return _outline_fields(record, _get_query(record) if key is None else key)


def outline_all(columns: Mapping[str, list[Any]]) -> list[Outline | None]:
    """Return the same for records that have none but these fields: id, ground truth and results."""
    count = len(next(iter(columns.values())))
    nothing: list[Any] = [None] * count
    truths, results = columns.get("ground_truth"), columns.get("results")
    groups = (
        [[]] * count if truths is None else _read_all(truths, walk.kind_of_truths, _read_groups)
    )
    ids = [[]] * count if results is None else _read_all(results, walk.kind_of_rankings, _read_ids)
    queries = columns.get("id", nothing)
    if {*map(type, queries)} != {str}:
        queries = [query_of({"id": query}) for query in queries]
    scores = [[]] * count if ids is results else [*map(_read_scores_within, results or ids)]
    rows = zip(queries, groups, ids, scores, strict=True)
    return [
        None if listed is None or ranked is None else Outline(query, None, listed, ranked, scored)
        for query, listed, ranked, scored in rows
    ]


def _read_all(
    contents: list[Any], kind_of: Callable[[Any], Any], read: Callable[[Any], Any]
) -> list[Any]:
    """Return the ids in each content of a field; those of sound texts are read as they are."""
    if kind_of(contents) is str and all(contents):
        return contents
    return [*map(read, contents)]


def _get_query(record: Mapping[str, Any]) -> str | None:
    """Return the query id of a record; most have a text under its usual name."""
    query = record.get("id")
    return query if type(query) is str else query_of(record)


def _outline_fields(record: Mapping[str, Any], query: str | None) -> Outline | None:
    groups = _read_groups(_get_value(record, "ground_truth"))
    results = _read_ids(_get_value(record, "results"))
    if groups is None or results is None:
        return None
    text = record.get("query")
    return Outline(
        query,
        text if type(text) is str else None,
        groups,
        results,
        _read_scores(record),
        record.get("hashes"),
        record.get("corpus"),
    )


def _get_value(record: Mapping[str, Any], field: str) -> Any:
    if field in record:
        return record[field]
    return None if OTHER_NAMES[field].isdisjoint(record) else get_field(record, field)[1]


def _read_groups(truth: Any) -> list[list[Id]] | None:
    """Return the ids of each group that has any; None if there may be more than ids, or none.

    Grades by id are no groups unless a policy says which, and other objects are none.
    """
    if type(truth) in SIMPLE:
        return []
    if type(truth) is dict:
        is_json = JSON.issuperset(map(type, truth.values()))
        return [] if is_json and truth.keys() != {"groups"} else None
    if type(truth) is not list or not truth or _may_be_split(truth):
        return None
    found: list[Any] = truth.copy()
    for number in walk.find_odd_rankings(truth) or ():
        found[number] = _read_group(truth[number])
    return None if None in found else [ids for ids in found if ids]


def _read_group(group: Any) -> list[Id] | None:
    """Return the ids of a group; an object that has no grades and no alternatives has none."""
    if type(group) is not dict:
        return _read_ids(group)
    is_group = "alternatives" in group or NO_GRADES.isdisjoint(map(type, group.values()))
    return None if is_group else []


def _read_ids(values: Any) -> list[Id] | None:
    """Return the ids among the values of a list; None if they are pairs with scores, or by id."""
    kind = type(values)
    if kind is not list:
        return [] if kind in SIMPLE or (kind is dict and _are_no_scores(values)) else None
    if walk.kind_of_rankings([values]) is str:
        return cast("list[Id]", values)
    kinds = {*map(type, values)}
    if not kinds <= JSON or (kinds == {list} and are_pairs(values)):
        return None
    return _drop_others(_take_ids(values) if dict in kinds else values)


def _drop_others(values: list[Any]) -> list[Id]:
    """Return the values that are texts with content, or whole numbers."""
    found = [*values]
    for number in reversed(walk.find_odd_ids(values) or ()):
        value = values[number]
        if not ((type(value) is str and value.strip()) or type(value) is int):
            del found[number]
    return found


def _are_no_scores(values: dict[str, Any]) -> bool:
    """Whether an object has anything but numbers: then it is no ranking."""
    return not NO_NUMBERS.isdisjoint(map(type, values.values()))


def _take_ids(values: list[Any]) -> list[Any]:
    """Return what stands for the id of each value, if it is not judged not relevant."""
    return [
        value.get("id") if type(value) is dict else value
        for value in values
        if type(value) is not dict or value.get("grade", 1) != 0
    ]


def _read_scores(record: Mapping[str, Any]) -> list[float]:
    """Return the scores of a record, or those of its results, if all are numbers."""
    scores = _get_value(record, "scores")
    if scores is None:
        return _read_scores_within(_get_value(record, "results"))
    return scores if type(scores) is list and {*map(type, scores)} <= NUMBERS else []


def _read_scores_within(results: Any) -> list[float]:
    """Return the scores of results that are objects, if all are numbers."""
    if type(results) is not list or {*map(type, results)} != {dict}:
        return []
    scores = [result.get("score") for result in results]
    return scores if {*map(type, scores)} <= NUMBERS else []


def _may_be_split(value: Any) -> bool:
    """Whether a value may be an id that was split."""
    if type(value) is not list or len(value) < SPLIT_IDS:
        return False
    return type(value[0]) is str and len(value[0]) == 1


class OutlinedRecords(PlainRecords):
    """Outlines in columns, for the screens of rules; numbers among ids are written as text."""

    def __init__(self, outlines: Iterable[Outline]) -> None:
        rows = list(outlines)
        truths, rankings = [row.groups for row in rows], [row.results for row in rows]
        if walk.kind_of_truths(truths) is None:
            truths = [list(map(_spell, row)) for row in truths]
        if walk.kind_of_rankings(rankings) is None:
            rankings = [*map(_spell, rankings)]
        columns: dict[str, list[Any]] = {
            "ground_truth": truths,
            "results": rankings,
            "scores": [row.scores for row in rows],
        }
        super().__init__(PlainBatch([row.query or "" for row in rows], columns, str, str))

    @cached_property
    def empty(self) -> list[int]:
        """No record: one that has no sound group does not therefore have none."""
        return []


def _spell(ids: list[Id]) -> list[Id]:
    return ids if {*map(type, ids)} <= {str} else list(map(str, ids))
