"""Queries with their ground truth moved to new chunks."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Any, Literal, NamedTuple, TypeAlias

from groupwise.evaluator.hits.spans import Span
from groupwise.evaluator.passages.by_span import place_of
from groupwise.evaluator.passages.landing import Landing
from groupwise.evaluator.passages.mover import ChunkMover
from groupwise.evaluator.text import quote_id
from groupwise.schemas import Alternative, Group, Id, Query
from groupwise.schemas.ids import text_of
from groupwise.schemas.reference import Reference, reference_of
from groupwise.schemas.remap import MovedAlternative, Outcome

Split: TypeAlias = Literal["span", "groups"] | None
SHOWN = 5
SPLIT_OVER = "its text is split over"
NO_SPANS = "the new chunks have no document, start and end to keep"
NOT_ALONE = "its group has other alternatives"


class Move(NamedTuple):
    """An alternative, where it lands, and its outcome.

    Attributes:
        alternative: The old alternative.
        landing: The new chunks that hold it.
        outcome: How well it is moved.
        reason: Why it is not exact.
    """

    alternative: Alternative
    landing: Landing
    outcome: Outcome
    reason: str | None

    @property
    def is_split(self) -> bool:
        """Whether several chunks share its text, and it is known what to do about it."""
        return self.landing.is_split and self.outcome in ("exact", "partial")


class QueryMoves(NamedTuple):
    """A query, and the moves of its alternatives by group, and of what is not relevant."""

    query: Query
    groups: list[list[Move]]
    not_relevant: list[Move]


class TruthMover:
    """Moves queries to new chunks."""

    def __init__(self, mover: ChunkMover, split: Split) -> None:
        self._mover = mover
        self._split = split
        self._kept: dict[Id, Id] = {}
        self._numbers = count(max((n for n in mover.numbers if isinstance(n, int)), default=0) + 1)

    def plan(self, query: Query) -> QueryMoves:
        """Return the moves of a query."""
        groups = [
            [self._settle(each, len(group.alternatives)) for each in group.alternatives]
            for group in query.ground_truth.groups
        ]
        others = [self._settle(Alternative(id=each), 0) for each in query.not_relevant]
        return QueryMoves(query, groups, others)

    def _settle(self, alternative: Alternative, size: int) -> Move:
        """Return the move of an alternative of a group of this size; 0: it is not relevant."""
        landing = self._mover.move(reference_of(alternative))
        outcome: Outcome = "exact" if landing.coverage == 1 else "partial"
        reason = landing.reason
        if not landing.is_found:
            outcome = "lost"
        elif reason is not None:
            outcome = "ambiguous"
        elif landing.is_split and (doubt := self._find_doubt(alternative, landing, size)):
            outcome, reason = "ambiguous", doubt
        elif outcome == "partial":
            reason = f"the new chunks hold {landing.coverage:.1%} of its text"
        return Move(alternative, landing, outcome, reason)

    def _find_doubt(self, alternative: Alternative, landing: Landing, size: int) -> str | None:
        """Return why a text that several chunks share cannot be moved."""
        shared = self._describe_split(landing)
        if self._split is None or not size:
            return shared
        if self._split == "groups":
            return None if size == 1 else f"{shared}; {NOT_ALONE}"
        return None if self._find_place(alternative, landing) else f"{shared}; {NO_SPANS}"

    def _find_place(self, alternative: Alternative, landing: Landing) -> Span | None:
        """Return where an alternative is in the new corpus: where it was, unless that has changed.

        If new chunks have places, but the text was found elsewhere, its own place is outdated.
        """
        own = place_of(reference_of(alternative))
        is_placed = place_of(self._mover.chunks[landing.largest]) is not None
        is_outdated = is_placed and landing.by not in ("id", "span")
        return landing.place if own is None or is_outdated else own

    def _describe_split(self, landing: Landing) -> str:
        ids = [quote_id(self._mover.chunks[number].id) for number in landing.chunks]
        more = f" and {len(ids) - SHOWN} more" if len(ids) > SHOWN else ""
        return f"{SPLIT_OVER} {', '.join(ids[:SHOWN])}{more}"

    def build(self, moves: QueryMoves, *, spans: bool) -> Query:
        """Return the moved query; with ``spans``, alternatives have their places.

        Raises:
            ValueError: The new ids are of both kinds.
        """
        query = moves.query
        pairs = zip(query.ground_truth.groups, moves.groups, strict=True)
        groups = tuple(new for old, found in pairs for new in self._build(old, found, spans=spans))
        relevant = {each.id for group in groups for each in group.alternatives if each.grade > 0}
        others = [
            self._mover.chunks[number].id
            for move in moves.not_relevant
            if move.outcome == "exact"
            for number in move.landing.chunks
        ]
        kept = tuple(each for each in dict.fromkeys(others) if each not in relevant)
        if groups == query.ground_truth.groups and kept == query.not_relevant:
            return query
        truth = query.ground_truth.model_copy(update={"groups": groups})
        return _replace(query, ground_truth=truth, not_relevant=kept)

    def _build(self, group: Group, moves: list[Move], *, spans: bool) -> Iterator[Group]:
        """Yield the groups that a group becomes; it never vanishes."""
        if self._split == "groups" and moves[0].is_split:
            numbers = moves[0].landing.chunks
            for number in numbers:
                part = self._write(moves[0], [number], spans=False)
                weight = group.weight / len(numbers)
                yield group.model_copy(update={"alternatives": (*part,), "weight": weight})
            return
        written = [each for move in moves for each in self._list_new(move, spans=spans)]
        if not any(each.grade > 0 for each in written):
            written += [self._keep(move) for move in moves if move.alternative.grade > 0]
        yield group.model_copy(update={"alternatives": _merge(written)})

    def _list_new(self, move: Move, *, spans: bool) -> Iterable[Alternative]:
        if move.outcome == "lost":
            return ()
        landing = move.landing
        numbers = [landing.largest] if move.is_split else landing.chunks
        return self._write(move, numbers, spans=spans)

    def _write(self, move: Move, numbers: Sequence[int], *, spans: bool) -> Iterator[Alternative]:
        """Yield the alternative under each new id."""
        for number in numbers:
            chunk = self._mover.chunks[number]
            own = place_of(reference_of(move.alternative))
            place = self._find_place(move.alternative, move.landing)
            update: dict[str, Any] = {}
            if place != own and (spans or own is not None):
                update = dict.fromkeys(Span._fields)
            if update and place is not None:
                update = {**place._asdict(), "document": chunk.document}
            yield move.alternative.model_copy(update={"id": chunk.id, **update})

    def _keep(self, move: Move) -> Alternative:
        """Return a lost alternative under an id that no new chunk has."""
        return move.alternative.model_copy(update={"id": self.find_kept(move.alternative.id)})

    def find_kept(self, old: Id) -> Id:
        """Return the id under which a lost alternative is kept: its own, if it is free."""
        if old not in self._kept:
            self._kept[old] = self._choose_id(old)
        return self._kept[old]

    def _choose_id(self, old: Id) -> Id:
        known = self._mover.numbers
        if isinstance(next(iter(known)), int):
            return old if isinstance(old, int) and old not in known else next(self._numbers)
        name = text_of(old)
        while name in known:
            name += " (lost)"
        return name

    def describe(
        self, query: str, group: int | None, move: Move, written: set[Id]
    ) -> MovedAlternative:
        """Return an entry of the report."""
        own = self._kept.get(move.alternative.id)
        kept = (own,) if move.outcome == "lost" and own is not None and own in written else ()
        return MovedAlternative.model_construct(
            query=query, group=group, from_=move.alternative.id,
            to=tuple(self._mover.chunks[number].id for number in move.landing.chunks),
            outcome=move.outcome, coverage=move.landing.coverage, by=move.landing.by,
            reason=move.reason, written=kept,
        )  # fmt: skip


def _merge(alternatives: Iterable[Alternative]) -> tuple[Alternative, ...]:
    """Return the alternatives without repetitions; of equal ones the highest grade counts."""
    merged: dict[Reference, Alternative] = {}
    for each in alternatives:
        key = reference_of(each)
        if key not in merged or each.grade > merged[key].grade:
            merged[key] = each
    return tuple(merged.values())


def _replace(query: Query, **update: Any) -> Query:
    """Return a query with other judgements, without hashes and fingerprint of the old corpus."""
    dropped = {"hashes", "corpus"} | (set() if update["not_relevant"] else {"not_relevant"})
    fields = {name: getattr(query, name) for name in query.model_fields_set} | update
    kept = {name: value for name, value in fields.items() if name not in dropped}
    return Query.model_validate(Query.model_construct(set(kept), **kept).model_dump())
