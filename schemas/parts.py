"""What a record of a query holds: ground truth, results, or both.

Each kind has a model. Plain records are read without it, by the names of their fields alone.
"""

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from groupwise.schemas.dataset import Query
    from groupwise.schemas.result import RunQuery

Held: TypeAlias = Literal["ground_truth", "run", "corpus"]


class Part(NamedTuple):
    """A kind of record: the fields of its model, in their order, and what it holds."""

    fields: tuple[str, ...]
    holds: frozenset[Held]

    @property
    def has_truth(self) -> bool:
        """Whether its records have ground truth."""
        return "ground_truth" in self.holds

    @property
    def has_results(self) -> bool:
        """Whether its records have results."""
        return "run" in self.holds

    @property
    def required(self) -> frozenset[str]:
        """The fields that every record has; a query without an answer has no ground truth."""
        return frozenset({"id", "results"} if self.has_results else {"id"})

    @property
    def model(self) -> "type[Query | RunQuery]":
        """The model, which is loaded when it is first asked for."""
        from groupwise.schemas.dataset import Query  # noqa: PLC0415  (see above)
        from groupwise.schemas.fixture import FixtureQuery  # noqa: PLC0415
        from groupwise.schemas.result import RunQuery  # noqa: PLC0415

        if not self.has_results:
            return Query
        return FixtureQuery if self.has_truth else RunQuery


_TRUTH = (
    "id", "query", "ground_truth", "not_relevant", "answerable", "metadata", "generation_gt",
    "hashes", "corpus",
)  # fmt: skip
TRUTHS = Part(_TRUTH, frozenset({"ground_truth"}))
RESULTS = Part(("results", "scores", "id"), frozenset({"run"}))
BOTH = Part((*_TRUTH, "results", "scores", "expected"), frozenset({"ground_truth", "run"}))

PARTS = {part.holds: part for part in (TRUTHS, RESULTS, BOTH)}
"""The kinds of records by what they hold."""


Model: TypeAlias = "type[Query | RunQuery] | Part"
"""A kind of records, by itself or as the model of its records."""


def part_of(model: Model) -> Part:
    """Return the kind of records that a model is for."""
    return model if isinstance(model, Part) else model.record_part


def find_part(record: object) -> Part | None:
    """Return the kind of a record that is an instance of a model; None if it is anything else."""
    part = getattr(type(record), "record_part", None)
    return part if isinstance(part, Part) else None
