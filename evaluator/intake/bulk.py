"""Bulk acceptance: a few checks at C speed for records that are plain and alike."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from operator import itemgetter
from typing import Any, TypeAlias

from groupwise.evaluator.native import Matched, match
from groupwise.schemas import (
    FIELD_NAMES,
    Id,
    Kind,
    plain_kind,
)
from groupwise.schemas.expectation import is_bound
from groupwise.schemas.fixture import RecordModel
from groupwise.schemas.ids import text_of
from groupwise.schemas.values import find_unfit

NONE = type(None)
BOTH = ("ground_truth", "results")
RESULT_NAMES = frozenset(FIELD_NAMES["results"])
Keys: TypeAlias = list[str] | None
"""The query ids, if they are outside the records."""


@cache
def known_names(model: RecordModel) -> Mapping[str, str]:
    """Return the names that the fields of records have in files, each with its field."""
    return {
        name: field for field in model.model_fields for name in FIELD_NAMES.get(field, (field,))
    }


@dataclass(frozen=True, slots=True)
class PlainBatch:
    """Valid records in columns: query ids, fields by name, and what was found of their ids.

    ``unwanted_kind`` is the kind of the ids of documents judged not relevant.
    """

    ids: list[str]
    columns: dict[str, list[Any]]
    matched: Matched
    unwanted_kind: Kind | None


class BulkCheck:
    """Accepts records of a model in bulk, if they are plain."""

    def __init__(self, model: RecordModel) -> None:
        self.model = model
        self.names = known_names(model)
        self._has_truth = model.has_truth
        self._has_results = model.has_results
        self.main = "ground_truth" if self._has_truth else "results"
        self._required = {"id", self.main, *(["results"] if self._has_results else [])}

    def accept(self, values: list[Any], keys: Keys, depth: int = 0) -> PlainBatch | None:
        """Return these records, if they are plain and alike; else None.

        Hits are looked for among the first results, where their order is known.
        """
        columns = self.split_fields(values, keys)
        return None if columns is None else self._accept(columns, keys, depth)

    def find_odd(self, values: list[Any], keys: Keys) -> set[int]:
        """Return which records have other fields than most, or are not plain by themselves."""
        layouts = [tuple(value) if type(value) is dict else type(value) for value in values]
        ((usual, _),) = Counter(layouts).most_common(1)
        rows = [row for row, layout in enumerate(layouts) if layout == usual]
        odd = {*range(len(values))}.difference(rows)
        kept = keys and [keys[row] for row in rows]
        columns = self.split_fields([values[row] for row in rows], kept)
        if columns is None:
            return {*range(len(values))}
        odd.update(rows[number] for number in self._match(columns, 0).odd)
        for name, contents in columns.items():
            for number in _find_odd_contents(name, contents, columns.get("results", [])):
                odd.add(rows[number])
        return odd

    def name_columns(self, columns: Mapping[str, Any], keys: Keys) -> dict[str, Any] | None:
        """Return the content of each field; None if one is unknown, missing or given twice."""
        fields = self._name_fields(tuple(columns), keys)
        return None if fields is None else dict(zip(fields, columns.values(), strict=True))

    def _accept(self, columns: dict[str, Any], keys: Keys, depth: int) -> PlainBatch | None:
        ids = accept_query_ids(columns.pop("id", keys))
        matched = self._match(columns, 0 if "scores" in columns else depth)
        if ids is None or matched.odd or not are_plain_extras(columns):
            return None
        unwanted = kind_of_rankings(columns.get("not_relevant", []))
        if {matched.kind, unwanted} == {str, int}:
            return None
        return PlainBatch(ids, columns, matched, unwanted)

    def _match(self, columns: Mapping[str, list[Any]], depth: int) -> Matched:
        truths, rankings = (columns.get(name) for name in BOTH)
        blank: list[Any] = [[]] * len(truths or rankings or [])
        return match(truths or blank, rankings or blank, depth)

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


def kind_of_rankings(values: list[Any]) -> Kind | None:
    """Return the kind of the ids of plain rankings; None if they are not plain."""
    matched = match([[]] * len(values), values)
    return None if matched.odd else matched.kind


def _find_odd_contents(name: str, contents: list[Any], results: list[Any]) -> Iterator[int]:
    """Yield which contents of a field are not plain by themselves."""
    columns = {name: contents, "results": results}
    if name in BOTH or (name != "id" and are_plain_extras(columns)):
        return
    for number, content in enumerate(contents):
        if name == "id":
            is_plain = plain_kind([content]) is not None
        else:
            is_plain = are_plain_extras({name: [content], "results": results[number : number + 1]})
        if not is_plain:
            yield number


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
    if {*map(type, contents), *map(type, results)} != {list}:
        return False
    if [*map(len, contents)] != [*map(len, results)]:
        return False
    scores = list(chain.from_iterable(contents))
    return set(map(type, scores)) <= {float, int} and _is_finite(scores)


def _is_finite(scores: list[Any]) -> bool:
    try:
        return math.isfinite(sum(scores))
    except OverflowError:
        return False


def _are_metadata(contents: list[Any]) -> bool:
    return set(map(type, contents)) == {dict} and not find_unfit(contents)


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
    if not _are_mappings_to({float, int, NONE, str}, contents) or find_unfit(contents):
        return False
    values = chain.from_iterable(content.values() for content in contents)
    return all(map(is_bound, {value for value in values if type(value) is str}))


CHECKED_APART = {"ground_truth", "results", "scores"}
PLAIN: dict[str, Callable[[list[Any]], bool]] = {
    "query": _are_texts,
    "expected": _are_expectations,
    "metadata": _are_metadata,
    "generation_gt": lambda contents: not find_unfit(contents),
    "not_relevant": _are_ids,
    "hashes": partial(_are_mappings_to, {str}),
    "corpus": _are_texts,
    "answerable": lambda _contents: False,
}


def split_columns(values: list[Any]) -> dict[str, Any] | None:
    """Return the values of each key, if all values are objects with the same keys; else None."""
    if {*map(type, values)} != {dict}:
        return None
    names = tuple(values[0])
    if not names or {*map(len, values)} != {len(names)}:
        return None
    try:
        rows = [*map(itemgetter(*names), values)]
    except KeyError:
        return None
    columns: Iterable[Any] = zip(*rows, strict=True) if len(names) > 1 else [rows]
    return dict(zip(names, map(list, columns), strict=True))
