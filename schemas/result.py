"""The results of a query, best first, and the run: the results of all queries."""

import os
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from math import ceil, inf
from numbers import Real
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NoReturn, Self, TypeAlias

from pydantic import Discriminator, Tag, WrapValidator, field_validator, model_validator
from pydantic_core import PydanticCustomError

from groupwise.schemas.binding import find_bound
from groupwise.schemas.ground_truth import is_graded
from groupwise.schemas.ids import (
    DocumentId,
    DocumentName,
    Id,
    Offset,
    QueryId,
    as_plain,
    refuse_mixed_kinds,
    text_of,
)
from groupwise.schemas.origins import FromDocuments
from groupwise.schemas.reference import Reference, reference_of
from groupwise.schemas.shape import LISTING, Held, Record, SparseShape
from groupwise.schemas.values import (
    Excerpt,
    as_list,
    as_number,
    describe,
    is_number,
    quote_id,
)


def _as_double(value: Any, as_float: Callable[[Any], float]) -> float:
    """Return a score as a float, as every format has it, and trec_eval."""
    return as_float(as_plain(value))


Score = Annotated[float, WrapValidator(_as_double)]


class Result(SparseShape):
    """A retrieved document with its score, text and other details."""

    described_as: ClassVar[str] = "an id or a result"

    id: DocumentId
    score: Score | None = None
    text: str | None = None
    document: DocumentName | None = None
    start: Offset | None = None
    end: Offset | None = None
    tokens: Offset | None = None
    vector: Annotated[tuple[float, ...], LISTING] | None = None


def _id_or_result(value: Any) -> str:
    return "<result>" if isinstance(value, Mapping | Result) else "<id>"


IdOrResult = Annotated[
    Annotated[DocumentId, Tag("<id>")] | Annotated[Result, Tag("<result>")],
    Discriminator(_id_or_result),
]
Ranked: TypeAlias = tuple[Id | Result, ...]


class RankedResults(Record):
    """A record with results, best first, and optionally their scores."""

    has_results: ClassVar[bool] = True

    results: Annotated[tuple[IdOrResult, ...], LISTING]
    scores: Annotated[tuple[Score, ...], LISTING] | None = None

    @model_validator(mode="before")
    @classmethod
    def _refuse_two_scores(cls, value: Any) -> Any:
        given = value if isinstance(value, Mapping) else {}
        results = given.get("results") if given.get("scores") is not None else None
        if isinstance(results, Mapping) or split_pairs(as_list(results)):
            raise PydanticCustomError(
                "scored_twice",
                "'results' has scores, and there is 'scores' as well; remove one of them",
            )
        return value

    @field_validator("results", mode="before")
    @classmethod
    def _order(cls, value: Any) -> Any:
        """Return the results as a list, scores by id in order of score, pairs in their own order.

        Values without an order are refused.
        """
        if is_graded(value):
            return sort_by_score(value)
        _refuse_set(value, "results are a list, best first")
        if isinstance(value, str | Mapping | Real) or value is None:
            raise PydanticCustomError(
                "results", "expected a list of results, best first, got {found}",
                {"found": describe(value)},
            )  # fmt: skip
        value = as_list(value)
        if not _are_pairs(value):
            return value
        ids, scores = split_pairs(value) or _refuse_whole_numbers(value[0])
        return [{"id": id_, "score": score} for id_, score in zip(ids, scores, strict=True)]

    @field_validator("results", mode="after")
    @classmethod
    def _refuse_mixed_ids(cls, value: Ranked) -> Ranked:
        ids = _list_ids(value)
        if len({*map(type, ids)}) > 1:
            refuse_mixed_kinds(ids)
        return value

    @field_validator("scores", mode="before")
    @classmethod
    def _convert_scores(cls, value: Any) -> Any:
        _refuse_set(value, "scores are a list, one for each result")
        return as_list(value)

    @model_validator(mode="after")
    def _check_scores(self) -> Self:
        if self.scores is not None:
            if len(self.scores) != len(self.results):
                raise PydanticCustomError(
                    "scores_length", "expected one score per result, got {scores} for {results}",
                    {"scores": len(self.scores), "results": len(self.results)},
                )  # fmt: skip
            return self
        scores = _list_scores(self.results)
        if None in scores and (scored := len(scores) - scores.count(None)):
            raise PydanticCustomError(
                "scores_missing", "expected a score for each result or for none, got {scores} for "
                "{results}; result {first} has none",
                {"scores": scored, "results": len(scores), "first": scores.index(None) + 1},
            )  # fmt: skip
        return self

    def ids(self) -> list[Id]:
        """Return the ids of the results, best first."""
        return _list_ids(self.results)

    def references(self) -> list[Reference]:
        """What the results refer to, best first."""
        return [reference_of(result) for result in self.results]

    def given_scores(self) -> list[float] | None:
        """Return the scores, from their own list or from each result; None unless all have one."""
        if self.scores is not None:
            return list(self.scores)
        scores = _list_scores(self.results)
        return scores if scores and None not in scores else None  # type: ignore[return-value]


def _list_ids(results: Ranked) -> list[Id]:
    kinds = {*map(type, results)}
    if kinds == {Result}:
        return [*map(attrgetter("id"), results)]
    if kinds <= {str, int}:
        return list(results)  # type: ignore[arg-type]
    return [result if isinstance(result, str | int) else result.id for result in results]


def _list_scores(results: Ranked) -> list[float | None]:
    """Return the score that each result has itself; an empty list if all are bare ids."""
    kinds = {*map(type, results)}
    if kinds == {Result}:
        return [*map(attrgetter("score"), results)]
    if kinds <= {str, int}:
        return []
    return [None if isinstance(result, str | int) else result.score for result in results]


def _refuse_set(value: Any, expected: str) -> None:
    if isinstance(value, AbstractSet):
        raise PydanticCustomError(
            "no_order", "a set has no order; {expected}", {"expected": expected}
        )


def _refuse_whole_numbers(pair: Any) -> NoReturn:
    """Raise an error for results that are pairs of an id and a whole number."""
    id_, number = as_plain(pair[0]), as_plain(pair[1])
    shown = f"[{quote_id(id_) if isinstance(id_, str | int) else '…'}, {number}]"
    raise PydanticCustomError(
        "pairs",
        "results are pairs such as {shown}; if the number is a score, write it with a fraction "
        "({number}.0), or all of them in 'scores'; if it is a part of the id, join the two, as in "
        "{joined}, in a file with --map results=PATH.*.0+1",
        {"shown": shown, "number": number, "joined": quote_id(f"{id_}#{number}")},
    )


def split_pairs(results: Any) -> tuple[list[Any], list[Any]] | None:
    """Return ids and scores of results that are pairs of them; None if they are something else.

    Every result is a pair, and any score has a fraction: ``["a", 0.9]``, but not ``["a", 3]``
    alone, which may be an id in two parts.

    >>> split_pairs([("a", 0.9), ("b", 0)]), split_pairs([("a", 3)]), split_pairs(["a"])
    ((['a', 'b'], [0.9, 0]), None, None)
    """
    if not _are_pairs(results):
        return None
    ids, scores = map(list, zip(*results, strict=True))
    return (ids, scores) if any(isinstance(as_plain(score), float) for score in scores) else None


def _are_pairs(results: Any) -> bool:
    """Whether this is a list of pairs of anything and a number."""
    if not isinstance(results, list) or not results or not isinstance(results[0], list | tuple):
        return False
    return all(
        isinstance(result, list | tuple) and len(result) == 2 and is_number(result[1])
        for result in results
    )


def sort_by_score(scores: Mapping[Any, Any]) -> list[dict[str, Any]]:
    """Return scores by id as results: by score, then id, both descending, as in trec_eval."""
    order = sorted(scores, key=lambda id_: (_measure(scores[id_]), text_of(id_)), reverse=True)
    return [{"id": id_, "score": as_number(scores[id_])} for id_ in order]


def _measure(score: Any) -> float:
    """Return a score as a float; one that is too large, which is refused later, as infinite."""
    try:
        return float(score)
    except OverflowError:
        return inf if score > 0 else -inf


def tokens_of(results: Ranked, characters_per_token: float | None) -> list[int] | None:
    """Return the tokens of each result, given or estimated; None unless all are known."""
    found = []
    for result in results:
        count = result.tokens if isinstance(result, Result) else None
        text = result.text if isinstance(result, Result) else None
        if count is None and text is not None and characters_per_token is not None:
            count = estimate_tokens(text, characters_per_token)
        if count is None:
            return None
        found.append(count)
    return found


def estimate_tokens(text: str, characters_per_token: float) -> int:
    """Return the number of tokens of a text, by its length."""
    return ceil(len(text) / characters_per_token)


def vectors_of(results: Ranked) -> dict[str, tuple[float, ...]] | None:
    """Return the vectors of the results, by id as text; None if there are none."""
    given = [r for r in results if isinstance(r, Result) and r.vector is not None]
    return {text_of(result.id): result.vector or () for result in given} or None


class RunQuery(RankedResults):
    """The results of one query of a run."""

    described_as: ClassVar[str] = "a record with id and results"
    holds: ClassVar[frozenset[Held]] = frozenset({"run"})

    id: QueryId

    def facts(self) -> dict[str, Any]:
        """Return the id and the first results."""
        return {"id": Excerpt(self.id), "results": Excerpt(self.ids())}


class Run(FromDocuments):
    """The results of all queries, in any shape that files and programs use."""

    described_as: ClassVar[str] = "a run"
    role: ClassVar[Literal["ground_truth", "run"]] = "run"

    queries: Annotated[tuple[RunQuery, ...], LISTING]

    def save(
        self, path: str | os.PathLike[str], to: str | None = None, *, lossy: bool = False
    ) -> None:
        """Write the run to a file, whole or not at all.

        Args:
            path: The file, such as ``run.jsonl``, ``run.parquet`` or ``run.trec``.
            to: The name of the format; None chooses it by the name of the file.
            lossy: Write even if the format cannot carry everything.

        Raises:
            InputError: No format that holds a run has this name.
            LossyConversion: The format cannot carry everything; nothing is written.
            OutputError: The file cannot be written; what was there before is untouched.
        """
        find_bound("save_run")(self, path, to, lossy=lossy)

    def facts(self) -> dict[str, Any]:
        """Return how many queries and results there are."""
        results = sum(len(query.results) for query in self.queries)
        return {"queries": len(self.queries), "results": results}

    if TYPE_CHECKING:

        def __getitem__(self, query_id: str) -> RunQuery: ...
        def __iter__(self) -> Iterator[RunQuery]: ...  # type: ignore[override]
