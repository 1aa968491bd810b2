"""Scores by metric, and by query and metric."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from groupwise.schemas.binding import find_bound
from groupwise.schemas.values import find_nearest

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema

Spellings: TypeAlias = Mapping[str, tuple[str, ...]]
"""The names of the metric that ask for a score, in lower case, by its label."""

NO_SPELLINGS: Spellings = MappingProxyType({})
SPELLING = re.compile(r"(?P<name>[^(@]*+)(?:\((?P<parameters>[^()]*+)\))?\s*+(?:@(?P<cutoff>.*+))?")


class Parts(NamedTuple):
    """What a label consists of, written in one way."""

    name: str
    parameters: tuple[str, ...] = ()
    cutoff: str = ""


def find_label(name: str, labels: Iterable[str], spellings: Spellings) -> str | None:
    """Return the first label that this name asks for.

    >>> find_label("StRecall @5", ["ndcg@5", "recall@5"], {"recall@5": ("recall", "strecall")})
    'recall@5'
    """
    wanted = split_label(name)
    for label in labels:
        parts = split_label(label)
        names = (parts.name, *spellings.get(label, ()))
        if wanted.name in names and wanted[1:] == parts[1:]:
            return label
    return None


def split_label(label: str) -> Parts:
    """Return the parts of a label.

    >>> split_label("Coverage : nDCG( gain = linear, base=2.0 )@05")
    Parts(name='coverage:ndcg', parameters=('base=2', 'gain=linear'), cutoff='5')
    """
    match = SPELLING.fullmatch(label.strip().lower())
    if match is None:
        return Parts(label)
    pairs = (pair.partition("=") for pair in (match["parameters"] or "").split(","))
    given = (_plain(name.strip(), value.strip()) for name, sign, value in pairs if sign)
    cutoff = (match["cutoff"] or "").strip().lstrip("0")
    return Parts("".join(match["name"].split()), tuple(sorted(given)), cutoff)


def _plain(name: str, value: str) -> str:
    """Return a parameter, a number as labels have it; the label of a group is no number."""
    try:
        number = value if name == "label" else repr(float(value) + 0.0).removesuffix(".0")
    except ValueError:
        return f"{name}={value}"
    return f"{name}={number}"


class Scores(dict[str, float | None]):
    """Scores by metric, each found under every spelling that asks for it.

    A name that asks for none raises a KeyError that suggests the nearest.
    """

    spellings: Spellings = NO_SPELLINGS

    @classmethod
    def under(cls, spellings: Spellings, values: Mapping[str, float | None]) -> "Scores":
        """Return scores that answer to these spellings."""
        scores = cls(values)
        scores.spellings = spellings
        return scores

    def __missing__(self, name: str) -> float | None:
        return self[find_score(name, self, self.spellings)]

    def get(self, name: str, default: Any = None) -> Any:
        """Return the score under any spelling, or the default if there is none."""
        try:
            return self[name]
        except KeyError:
            return default

    @classmethod
    def __get_pydantic_core_schema__(
        cls, _source: Any, handler: "GetCoreSchemaHandler"
    ) -> "CoreSchema":
        from pydantic_core import core_schema  # noqa: PLC0415  (only models need it)

        return core_schema.no_info_after_validator_function(cls, handler(dict[str, float | None]))


def find_score(name: str, labels: Iterable[str], spellings: Spellings) -> str:
    """Return the label that a name asks for, or raise a KeyError that suggests the nearest."""
    label = find_label(name, labels, spellings)
    if label is None:
        nearest = find_nearest(name, labels)
        hint = f"did you mean {nearest!r}?" if nearest else f"choose from {', '.join(labels)}"
        raise KeyError(f"no score {name!r}; {hint}")
    return label


class PerQuery(Mapping[str, Scores]):
    """Scores by query and metric, in order of query id whatever the order of the input.

    They are kept in columns, where NaN means: not scored; a row is built when it is read.
    """

    def __init__(
        self,
        ids: Sequence[str],
        columns: Mapping[str, Sequence[float]],
        spellings: Spellings = NO_SPELLINGS,
    ) -> None:
        self._ids = ids
        self._columns = columns
        self._spellings = spellings

    @cached_property
    def _row_of(self) -> dict[str, int]:
        return {query_id: row for row, query_id in enumerate(self._ids)}

    @cached_property
    def _ordered(self) -> list[str]:
        return sorted(self._row_of)

    def __getitem__(self, query_id: str) -> Scores:
        return self._scores(self._row_of[query_id])

    def _scores(self, row: int) -> Scores:
        values = {name: _or_none(column[row]) for name, column in self._columns.items()}
        return Scores.under(self._spellings, values)

    def column(self, name: str) -> Iterator[tuple[str, float | None]]:
        """Return each query with its value of one metric, without building the other values."""
        column = self._columns[find_score(name, self._columns, self._spellings)]
        rows = self._row_of
        return ((query_id, _or_none(column[rows[query_id]])) for query_id in self._ordered)

    def find_lowest(self, count: int, name: str) -> list[str]:
        """Return the queries with the lowest values of one metric, then by query id."""
        from heapq import nsmallest  # noqa: PLC0415  (rarely needed)

        import numpy as np  # noqa: PLC0415  (slow to load, and there already where scores come from)

        column = self._columns[find_score(name, self._columns, self._spellings)]
        values = np.asarray(column, np.float64)
        scored = values[~np.isnan(values)]
        last = min(count, len(scored)) - 1
        if last < 0:
            return []
        rows = np.flatnonzero(values <= np.partition(scored, last)[last])  # and ties with it
        found = zip(values[rows].tolist(), map(self._ids.__getitem__, rows.tolist()), strict=True)
        return [query for _, query in nsmallest(count, found)]

    def columns(self) -> tuple[Sequence[str], Mapping[str, Sequence[float]]]:
        """Return query ids and the values of each metric, in the order of the evaluation.

        NaN means: not scored.
        """
        return self._ids, self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._ordered)

    def __len__(self) -> int:
        return len(self._ids)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and dict(self.items()) == dict(other.items())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        queries = find_bound("plural")(len(self), "query", "queries")
        return f"PerQuery({queries}: {', '.join(self._columns)})"

    def __deepcopy__(self, _memo: dict[int, Any]) -> "PerQuery":
        return self

    @classmethod
    def __get_pydantic_core_schema__(
        cls, _source: Any, handler: "GetCoreSchemaHandler"
    ) -> "CoreSchema":
        from pydantic_core import core_schema  # noqa: PLC0415  (only models need it)

        rows = handler(dict[str, dict[str, float | None]])
        return core_schema.no_info_wrap_validator_function(
            cls._read,
            rows,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda table: {query_id: dict(scores) for query_id, scores in table.items()}
            ),
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, _core: "CoreSchema", _handler: "GetJsonSchemaHandler"
    ) -> "JsonSchemaValue":
        score = {"anyOf": [{"type": "number"}, {"type": "null"}]}
        return {
            "type": "object",
            "additionalProperties": {"type": "object", "additionalProperties": score},
        }

    @classmethod
    def _read(cls, value: Any, handler: Callable[[Any], Any]) -> "PerQuery":
        return value if isinstance(value, cls) else cls._from_mapping(handler(value))

    @classmethod
    def _from_mapping(cls, value: Mapping[str, Mapping[str, float | None]]) -> "PerQuery":
        names = list(dict.fromkeys(name for scores in value.values() for name in scores))
        columns = {name: [_or_nan(scores.get(name)) for scores in value.values()] for name in names}
        return cls(list(value), columns)


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else value
