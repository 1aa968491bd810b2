"""Records in columns, if they are plain and alike: a few checks at C speed accept them in bulk."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain
from operator import itemgetter
from typing import Any

from groupwise.evaluator.native.loader import walk
from groupwise.evaluator.reading.packed_ids import NumberLists, TextLists, lengths_of
from groupwise.schemas import (
    FIELD_NAMES,
    Id,
    Kind,
    Query,
    RunQuery,
    plain_kind,
    plain_rankings,
    plain_truths,
)
from groupwise.schemas.shape import are_shallow

NONE = type(None)


@cache
def names_of(model: type[Query] | type[RunQuery]) -> Mapping[str, str]:
    """The names that a model's fields go by in files, each with its field."""
    fields = list(model.model_fields)
    return {name: field for field in fields for name in FIELD_NAMES.get(field, (field,))}


@dataclass(frozen=True, slots=True)
class Plain:
    """Sound records: query ids, the content of each field, and the kinds of the document ids."""

    ids: list[str]
    columns: dict[str, list[Any]]
    truth_kind: Kind | None
    result_kind: Kind | None

    def is_text(self) -> bool:
        """Whether all ids of documents are known to be text."""
        return int not in (self.truth_kind, self.result_kind) and "not_relevant" not in self.columns

    def records(self, fields: Iterable[str]) -> Iterator[dict[str, Any]]:
        """The records with these fields, in this order; a field without a value is left out."""
        columns = {"id": self.ids, **self.columns}
        if "scores" in columns:
            columns["scores"] = [[*map(float, scores)] for scores in columns["scores"]]
        names = [name for name in fields if name in columns]
        for row in zip(*(columns[name] for name in names), strict=True):
            yield {name: value for name, value in zip(names, row, strict=True) if value is not None}


class Columns:
    """Checks records of one model in bulk."""

    def __init__(self, model: type[Query] | type[RunQuery]) -> None:
        self.model = model
        self.names = names_of(model)
        self.main = "results" if issubclass(model, RunQuery) else "ground_truth"

    def plain(self, values: list[Any], keys: list[str] | None) -> Plain | None:
        """All of these records at once, if they are plain and alike; else None."""
        columns = self.split(values, keys)
        return None if columns is None else self._checked(columns, keys)

    def plain_fields(self, fields: Mapping[str, Any], keys: list[str] | None) -> Plain | None:
        """The same for records that come in columns."""
        named = self._fields(tuple(fields), keys)
        if named is None:
            return None
        return self._checked({field: fields[name] for field, name in named.items()}, keys)

    def _checked(self, columns: dict[str, Any], keys: list[str] | None) -> Plain | None:
        ids = _plain_query_ids(columns.pop("id", keys))
        results = columns.get("results", [])
        truths = _kind_of_truths(columns.get("ground_truth", [])) if self._has_truth else NONE
        rankings = _kind_of_rankings(results) if self._has_results else NONE
        if ids is None or truths is None or rankings is None:
            return None
        if not are_plain_extras(columns):
            return None
        return Plain(ids, columns, truths, rankings)

    @property
    def _has_truth(self) -> bool:
        return issubclass(self.model, Query)

    @property
    def _has_results(self) -> bool:
        return self.model is not Query

    def split(self, values: list[Any], keys: list[str] | None) -> dict[str, list[Any]] | None:
        """The content of each field, record after record, if all records have the same fields."""
        if keys is not None and set(map(type, values)) == {list}:
            return {self.main: values}
        if set(map(type, values)) != {dict}:
            return None
        names = tuple(values[0])
        fields = self._fields(names, keys)
        if fields is None or set(map(len, values)) != {len(names)}:
            return None
        try:
            rows = list(map(itemgetter(*names), values))
        except KeyError:
            return None
        columns = zip(*rows, strict=True) if len(names) > 1 else [rows]
        return dict(zip(fields, map(list, columns), strict=True))

    def _fields(self, names: tuple[str, ...], keys: list[str] | None) -> dict[str, str] | None:
        """The field of each name, in their order, if none is unknown, missing or given twice."""
        fields = {self.names.get(name, ""): name for name in names}
        needed = {"id", self.main} if keys is None else {self.main}
        whole = len(fields) == len(names) and "" not in fields and needed <= fields.keys()
        return fields if whole and (keys is None or "id" not in fields) else None


def _kind_of_truths(values: list[Any]) -> Kind | None:
    return str if walk.are_truths(values) else plain_truths(values)


def _kind_of_rankings(values: Any) -> Kind | None:
    if isinstance(values, TextLists):
        return str if values.lengths.any() else NONE
    if isinstance(values, NumberLists):
        return int
    return str if walk.are_rankings(values) else plain_rankings(values)


def are_plain_extras(columns: dict[str, list[Any]]) -> bool:
    """Whether all fields but ids, ground truth and results hold what belongs there."""
    results = columns.get("results", [])
    return all(_PLAIN[name](content, results) for name, content in columns.items())


def _plain_query_ids(ids: list[Any] | None) -> list[str] | None:
    """The ids of queries as text; None where they need a closer look."""
    kind = plain_kind(ids or [])
    return list(map(str, ids or [])) if kind is int else ids if kind is str else None


def _plain_scores(contents: list[Any], results: list[list[Id]]) -> bool:
    if set(map(type, contents)) != {list} or lengths_of(contents) != lengths_of(results):
        return False
    scores = list(chain.from_iterable(contents))
    return set(map(type, scores)) <= {float, int} and _is_finite(scores)


def _is_finite(scores: list[Any]) -> bool:
    try:
        return math.isfinite(sum(scores))
    except OverflowError:
        return False


def _plain_expected(contents: list[Any], _results: list[list[Id]]) -> bool:
    if set(map(type, contents)) != {dict}:
        return False
    values = chain.from_iterable(content.values() for content in contents)
    return set(map(type, values)) <= {float, int, type(None)}


def _plain_metadata(contents: list[Any], _results: list[list[Id]]) -> bool:
    if walk.are_flat(contents):
        return True
    return set(map(type, contents)) == {dict} and are_shallow(contents)


def _plain_text(contents: list[Any], _results: list[list[Id]]) -> bool:
    return set(map(type, contents)) <= {str, type(None)}


def _plain_not_relevant(contents: list[Any], _results: list[list[Id]]) -> bool:
    return _kind_of_rankings(contents) is not None


def _plain_hashes(contents: list[Any], _results: list[list[Id]]) -> bool:
    if set(map(type, contents)) != {dict}:
        return False
    return set(map(type, chain.from_iterable(one.values() for one in contents))) <= {str}


def _shallow(contents: list[Any], _results: list[list[Id]]) -> bool:
    return are_shallow(contents)


def _sound_already(_contents: list[Any], _results: list[list[Id]]) -> bool:
    return True


def _needs_a_look(_contents: list[Any], _results: list[list[Id]]) -> bool:
    return False


_PLAIN: dict[str, Callable[[list[Any], list[list[Id]]], bool]] = {
    "ground_truth": _sound_already,
    "results": _sound_already,
    "query": _plain_text,
    "scores": _plain_scores,
    "expected": _plain_expected,
    "metadata": _plain_metadata,
    "generation_gt": _shallow,
    "not_relevant": _plain_not_relevant,
    "hashes": _plain_hashes,
    "corpus": _plain_text,
    "answerable": _needs_a_look,
}
