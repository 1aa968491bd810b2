"""Rows: checked ground truths and results of some queries, as matching takes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from groupwise.evaluator.native import Matched
from groupwise.schemas import Id, Reference, Truth
from groupwise.schemas.expectation import Expectation

Expected = Mapping[str, Expectation]
Rankings: TypeAlias = list[list[Id]]


@dataclass(slots=True)
class Rows:
    """Queries by id, and in columns what is known about them; columns without data are empty.

    References are present only if the matcher needs them and the input has more than ids; they
    have the shape of the groups and of the ranking. Metadata is present only if slices are asked
    for; an evaluation puts the slices of each query in its place. ``queries`` has the texts of the
    queries, if explanations are asked for. ``matched`` are hits that were found when the ids of
    these truths and results were checked; copies with other rows or results are without.
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
    matched: Matched | None = field(default=None, init=False)

    def __len__(self) -> int:
        return len(self.ids)

    def extend(self, others: "Rows") -> None:
        """Append other rows; where only one side has a column, the other gets blanks."""
        self.matched = None
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
