"""A self-contained evaluation: queries, results and expected scores."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, TypeAlias

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from groupwise.schemas.dataset import Query
from groupwise.schemas.expectation import Expected
from groupwise.schemas.policies import Policies
from groupwise.schemas.result import RankedResults, RunQuery
from groupwise.schemas.shape import LISTING, Held, Shape
from groupwise.schemas.values import Excerpt


class FixtureQuery(RankedResults, Query):
    """A query with its ground truth, its results and their expected scores."""

    described_as: ClassVar[str] = "a record with id, ground_truth and results"
    holds: ClassVar[frozenset[Held]] = frozenset({"ground_truth", "run"})

    expected: Expected = Field(default_factory=dict)

    def facts(self) -> dict[str, Any]:
        """Return the id, the beginning of the query, the first groups and results."""
        return {**super().facts(), "results": Excerpt(self.ids())}


RecordModel: TypeAlias = type[Query] | type[RunQuery]
"""The model of a kind of records; a record of a fixture is a query as well."""

RECORDS: Mapping[frozenset[Held], RecordModel] = {
    model.holds: model for model in (Query, RunQuery, FixtureQuery)
}
"""The kinds of records by what they hold."""


class FixtureHead(Shape):
    """A fixture without its queries."""

    described_as: ClassVar[str] = "a fixture"

    name: str | None = None
    description: str | None = None
    profile: str = "autorag"
    metrics: Annotated[tuple[str, ...], LISTING] | None = None
    policies: Policies = Policies.model_construct()
    expected: Expected = Field(default_factory=dict)
    tolerance: Annotated[float, Field(ge=0)] = 1e-9
    matching: str | dict[str, Any] | None = Field(
        default=None,
        description="How results meet groups: the name of a matcher, or its type and options.",
    )
    corpus: str | None = Field(
        default=None, description="Fingerprint of the corpus that the queries were judged on."
    )
    schema_: str | None = Field(None, alias="$schema")

    @model_serializer(mode="wrap")
    def _without_default_matching(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = handler(self)
        return fields if self.matching else {k: v for k, v in fields.items() if k != "matching"}


class Fixture(FixtureHead):
    """A self-contained evaluation; one with ``expected`` scores is a test."""

    queries: Annotated[tuple[FixtureQuery, ...], Field(min_length=1), LISTING]

    def facts(self) -> dict[str, Any]:
        """Return the name, and how many queries there are."""
        name = {} if self.name is None else {"name": Excerpt(self.name)}
        return {**name, "queries": len(self.queries)}
