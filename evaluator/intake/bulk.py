"""Bulk acceptance: a few checks at C speed for records that are plain and alike."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from groupwise.evaluator.intake.rows import Check, Walked
from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.reading.packed_ids import NumberLists, TextLists, lengths_of
from groupwise.evaluator.reading.records import split_columns
from groupwise.schemas import (
    FIELD_NAMES,
    Id,
    Kind,
    plain_kind,
    plain_rankings,
    plain_truths,
)
from groupwise.schemas.expectation import is_bound
from groupwise.schemas.ids import text_of
from groupwise.schemas.parts import Model, part_of
from groupwise.schemas.values import are_shallow

if TYPE_CHECKING:
    from groupwise.schemas import Query, RunQuery

NONE = type(None)
BOTH = ("ground_truth", "results")
RESULT_NAMES = frozenset(FIELD_NAMES["results"])
Keys: TypeAlias = list[str] | None
"""The query ids, if they are outside the records."""


@cache
def known_names(model: Model) -> Mapping[str, str]:
    """Return the names that the fields of records have in files, each with its field."""
    return {
        name: field for field in part_of(model).fields for name in FIELD_NAMES.get(field, (field,))
    }


@dataclass(frozen=True, slots=True)
class PlainBatch:
    """Valid records in columns: query ids, fields by name, and the kinds of the document ids.

    ``unwanted_kind`` is that of the documents judged not relevant, ``walked`` what a check of
    ground truths with their results has found.
    """

    ids: list[str]
    columns: dict[str, list[Any]]
    truth_kind: Kind | None
    result_kind: Kind | None
    unwanted_kind: Kind | None = NONE
    walked: Walked | None = None


class BulkCheck:
    """Accepts records of a model in bulk, if they are plain."""

    def __init__(self, model: Model) -> None:
        self.part = part_of(model)
        self.names = known_names(self.part)
        self._has_truth = self.part.has_truth
        self._has_results = self.part.has_results
        self.main = "ground_truth" if self._has_truth else "results"
        self._required = {"id", self.main, *(["results"] if self._has_results else [])}

    @property
    def model(self) -> "type[Query | RunQuery]":
        """The model of the records that are not plain."""
        return self.part.model

    def name_columns(self, columns: Mapping[str, Any], keys: Keys) -> dict[str, Any] | None:
        """Return the content of each field; None if one is unknown, missing or given twice."""
        fields = self._name_fields(tuple(columns), keys)
        return None if fields is None else dict(zip(fields, columns.values(), strict=True))

    def accept_fields(
        self, columns: dict[str, Any], keys: Keys, check: Check | None = None
    ) -> PlainBatch | None:
        """Return records that were split into fields, if they are plain; else None."""
        ids = accept_query_ids(columns.pop("id", keys))
        walked = None
        if check is not None and _are_both_plain(columns):
            walked = check(columns["ground_truth"], columns["results"])
        truths, rankings = (walked.kind, walked.kind) if walked else self._find_kinds(columns)
        if ids is None or truths is None or rankings is None:
            return None
        if not are_plain_extras(columns):
            return None
        unwanted = kind_of_unwanted(columns)
        if {truths, unwanted} == {str, int}:
            return None
        return PlainBatch(ids, columns, truths, rankings, unwanted, walked)

    def _find_kinds(self, columns: dict[str, Any]) -> tuple[Kind | None, Kind | None]:
        """Return the kinds of ids of ground truths and of results; None: a closer look."""
        truths, rankings = (columns.get(name, []) for name in BOTH)
        kind = kind_of_truths(truths) if self._has_truth else NONE
        if kind is None:
            return None, None
        return kind, kind_of_rankings(rankings) if self._has_results else NONE

    def split_fields(self, values: list[Any], keys: Keys) -> dict[str, list[Any]] | None:
        """Return the content of each field, if all records have the same fields; else None."""
        if keys is not None and set(map(type, values)) == {list}:
            return {self.main: values} if self._required == {"id", self.main} else None
        columns = split_columns(values)
        return None if columns is None else self.name_columns(columns, keys)

    def _name_fields(self, names: tuple[str, ...], keys: Keys) -> dict[str, str] | None:
        """Return the name of each field; None if a field is unknown, missing or given twice."""
        fields = {self.names.get(name, ""): name for name in names}
        needed = self._required if keys is None else self._required - {"id"}
        whole = len(fields) == len(names) and "" not in fields and needed <= fields.keys()
        return fields if whole and (keys is None or "id" not in fields) else None


def _are_both_plain(columns: Mapping[str, Any]) -> bool:
    """Whether there are ground truths and results in lists, and no scores that give an order."""
    return all(type(columns.get(name)) is list for name in BOTH) and "scores" not in columns


def kind_of_truths(values: list[Any]) -> Kind | None:
    """Return the kind of the ids of plain ground truths; None if they need a closer look."""
    return walk.kind_of_truths(values) or plain_truths(values)


def kind_of_rankings(values: Any) -> Kind | None:
    """Return the kind of the ids of plain rankings; None if they need a closer look."""
    if isinstance(values, TextLists):
        return str if values.lengths.any() else NONE
    if isinstance(values, NumberLists):
        return int
    return walk.kind_of_rankings(values) or plain_rankings(values)


def kind_of_unwanted(columns: Mapping[str, Any]) -> Kind | None:
    """Return the kind of the documents judged not relevant; None if they need a closer look."""
    return kind_of_rankings(columns["not_relevant"]) if "not_relevant" in columns else NONE


def are_plain_extras(columns: dict[str, list[Any]]) -> bool:
    """Whether all fields but ids, ground truth and results have valid content."""
    if "scores" in columns and not are_scores(columns["scores"], columns.get("results", [])):
        return False
    return all(PLAIN[name](columns[name]) for name in columns if name not in CHECKED_APART)


def accept_query_ids(ids: list[Any] | None) -> list[str] | None:
    """Return the ids of queries as text; None if they need a closer look."""
    kind = plain_kind(ids or [])
    if kind is str and {*map(type, ids or [])} != {str}:
        return list(map(text_of, ids or []))
    return list(map(str, ids or [])) if kind is int else ids if kind is str else None


def are_scores(contents: list[Any], results: list[list[Id]]) -> bool:
    """Whether all contents are lists of finite numbers, one for each result."""
    if set(map(type, contents)) != {list} or lengths_of(contents) != lengths_of(results):
        return False
    scores = list(chain.from_iterable(contents))
    return set(map(type, scores)) <= {float, int} and _is_finite(scores)


def _is_finite(scores: list[Any]) -> bool:
    try:
        return math.isfinite(sum(scores))
    except OverflowError:
        return False


def _are_metadata(contents: list[Any]) -> bool:
    if walk.are_flat(contents):
        return True
    return set(map(type, contents)) == {dict} and are_shallow(contents)


def _are_texts(contents: list[Any]) -> bool:
    return set(map(type, contents)) <= {str, NONE}


def _are_ids(contents: list[Any]) -> bool:
    return kind_of_rankings(contents) is not None


def _are_mappings_to(kinds: set[type], contents: list[Any]) -> bool:
    """Whether all contents are mappings to values of these types."""
    if set(map(type, contents)) != {dict}:
        return False
    return set(map(type, chain.from_iterable(content.values() for content in contents))) <= kinds


def _are_expectations(contents: list[Any]) -> bool:
    """Whether all contents are mappings to numbers or bounds; few bounds differ."""
    if _are_mappings_to({float, int, NONE}, contents):
        return True
    if not _are_mappings_to({float, int, NONE, str}, contents):
        return False
    values = chain.from_iterable(content.values() for content in contents)
    return all(map(is_bound, {value for value in values if type(value) is str}))


CHECKED_APART = {"ground_truth", "results", "scores"}
PLAIN: dict[str, Callable[[list[Any]], bool]] = {
    "query": _are_texts,
    "expected": _are_expectations,
    "metadata": _are_metadata,
    "generation_gt": are_shallow,
    "not_relevant": _are_ids,
    "hashes": partial(_are_mappings_to, {str}),
    "corpus": _are_texts,
    "answerable": lambda _contents: False,
}
