"""A self-contained evaluation: queries, results, and the scores that are expected of them."""

from typing import Annotated, Any, ClassVar

from pydantic import Field, field_validator, model_validator

from groupwise.schemas.dataset import Query
from groupwise.schemas.ground_truth import refuse_mixed_kinds
from groupwise.schemas.ids import Id
from groupwise.schemas.policies import Policies
from groupwise.schemas.result import Ranked, Results, Scores, check_scores, id_of, ranked, scores_of
from groupwise.schemas.shape import Shape, as_list

Expected = dict[str, float | None]


class FixtureQuery(Query):
    """A query with its ground truth, its results and what they should score."""

    described_as: ClassVar[str] = "a record with id, ground_truth and results"

    results: Results
    scores: Scores = None
    expected: Expected = Field(default_factory=dict)

    @field_validator("results", mode="before")
    @classmethod
    def _in_order(cls, value: Any) -> Any:
        return ranked(value)

    @field_validator("results", mode="after")
    @classmethod
    def _of_one_kind(cls, value: Ranked) -> Ranked:
        refuse_mixed_kinds([id_of(result) for result in value])
        return value

    @field_validator("scores", mode="before")
    @classmethod
    def _as_list(cls, value: Any) -> Any:
        return as_list(value)

    @model_validator(mode="after")
    def _consistent(self) -> "FixtureQuery":
        check_scores(self.results, self.scores)
        return self

    def ids(self) -> list[Id]:
        """The ids of the results, best first."""
        return [id_of(result) for result in self.results]

    def given_scores(self) -> list[float] | None:
        """The scores of the results; None if they have none."""
        return scores_of(self.results, self.scores)


class FixtureHead(Shape):
    """All of a fixture but its queries."""

    described_as: ClassVar[str] = "a fixture"

    name: str | None = None
    description: str | None = None
    profile: str = "autorag"
    metrics: Annotated[tuple[str, ...], Field(strict=False)] | None = None
    policies: Policies = Policies()
    expected: Expected = Field(default_factory=dict)
    tolerance: Annotated[float, Field(ge=0)] = 1e-9
    schema_: str | None = Field(None, alias="$schema")


class Fixture(FixtureHead):
    """A self-contained evaluation; with ``expected`` it is a test."""

    queries: Annotated[tuple[FixtureQuery, ...], Field(strict=False, min_length=1)]
