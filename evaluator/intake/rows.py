"""Rows: checked ground truths and results of some queries, as matching takes them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from groupwise.evaluator.reading.packed_ids import TextLists
from groupwise.schemas import Id, Kind, Reference, Truth
from groupwise.schemas.expectation import Expectation

if TYPE_CHECKING:
    from groupwise.evaluator.native.fallback import Matched

Expected = Mapping[str, Expectation]
Rankings: TypeAlias = "list[list[Id]] | TextLists"


class Walked(NamedTuple):
    """What a walk over plain ids has found: their kind, and the hits if it was looking for them.

    ``truths`` and ``rankings`` are the lists that were walked, which are not changed afterwards;
    hits were looked for among the first ``depth`` results.
    """

    kind: Kind
    truths: list[Any]
    rankings: list[Any]
    depth: int = 0
    matched: "Matched | None" = None

    @property
    def has_hits(self) -> bool:
        """Whether a hit is known."""
        return self.matched is not None and len(self.matched[3]) > 0

    def find_matched(self, truths: Any, rankings: Any, depth: int) -> "Matched | None":
        """Return the hits, if they are those of these lists at this depth; else None."""
        if truths is self.truths and rankings is self.rankings and depth == self.depth:
            return self.matched
        return None


Check: TypeAlias = Callable[[list[Any], list[Any]], Walked | None]
"""Checks ground truths and rankings; None if they are not plain."""


@dataclass(slots=True)
class Rows:
    """Queries by id, and in columns what is known about them; columns without data are empty.

    References are present only if the matcher needs them and the input has more than ids; they
    have the shape of the groups and of the ranking. Metadata is present only if slices are asked
    for; an evaluation puts the slices of each query in its place. ``queries`` has the texts of the
    queries, if explanations are asked for. ``walked`` is what the check of the ids has found.
    """

    ids: list[str] = field(default_factory=list)
    truths: list[Truth] = field(default_factory=list)
    results: Rankings = field(default_factory=list)
    expected: list[Expected] = field(default_factory=list)
    scores: list[list[float] | None] = field(default_factory=list)
    not_relevant: list[list[Id]] = field(default_factory=list)
    tokens: list[list[int] | None] = field(default_factory=list)
    vectors: list[Mapping[str, Sequence[float]] | None] = field(default_factory=list)
    truth_references: list[list[list[Reference]] | None] = field(default_factory=list)
    result_references: list[list[Reference] | None] = field(default_factory=list)
    metadata: list[Any] = field(default_factory=list)
    queries: list[str | None] = field(default_factory=list)
    walked: Walked | None = field(default=None, kw_only=True)

    def __len__(self) -> int:
        return len(self.ids)

    def extend(self, others: "Rows") -> None:
        """Append other rows; where only one side has a column, the other gets blanks."""
        self.walked = None
        for column, blank in _BLANKS.items():
            own, new = getattr(self, column), getattr(others, column)
            if own or new:
                own.extend([blank] * (len(self) - len(own)))
                own.extend(new or [blank] * len(others))
        self.ids.extend(others.ids)

    def only(self, numbers: list[int]) -> "Rows":
        """Return the rows with these numbers."""
        return Rows(
            [self.ids[number] for number in numbers],
            *(
                [column[number] for number in numbers] if column else []
                for column in self._columns()
            ),
        )

    def part(self, start: int, end: int) -> "Rows":
        """Return the rows from ``start`` to ``end``."""
        if start == 0 and end == len(self):
            return self
        return Rows(self.ids[start:end], *(column[start:end] for column in self._columns()))

    def _columns(self) -> list[Any]:
        return [getattr(self, column) for column in _BLANKS]

    def with_results(self, others: "Rows") -> "Rows":
        """Return these ground truths with the results of other rows, row by row."""
        return Rows(
            self.ids,
            self.truths,
            others.results,
            scores=others.scores,
            not_relevant=self.not_relevant,
            tokens=others.tokens,
            vectors=others.vectors,
            truth_references=self.truth_references,
            result_references=others.result_references,
            metadata=self.metadata,
            queries=self.queries,
        )


_BLANKS: dict[str, Any] = {
    "truths": [],
    "results": [],
    "expected": {},
    "scores": None,
    "not_relevant": [],
    "tokens": None,
    "vectors": None,
    "truth_references": None,
    "result_references": None,
    "metadata": None,
    "queries": None,
}
