"""A baseline: the scores of a run, for later runs to be compared with."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field

from groupwise.schemas.provenance import Provenance
from groupwise.schemas.report import Counts
from groupwise.schemas.scores import PerQuery, Scores
from groupwise.schemas.shape import Shape
from groupwise.schemas.values import Excerpt

BASELINE_SCHEMA = "groupwise.scores/1"

Values = dict[str, float | None]


class BaselineFile(Shape):
    """The file: what it says, before it is checked against itself."""

    described_as: ClassVar[str] = "a baseline of scores"

    schema_: Literal["groupwise.scores/1"] = Field(alias="schema")
    profile: str
    counts: Counts
    scores: Values
    provenance: Provenance
    per_query: dict[str, Values]


class Baseline(Shape):
    """The scores of a run: means, values of each query, and what they were computed from.

    ``name`` is the base name of the file.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    name: str | None = None
    profile: str
    counts: Counts
    scores: Scores
    provenance: Provenance
    per_query: Annotated[PerQuery, Field(repr=False)]

    def facts(self) -> dict[str, Any]:
        """Return the name, how many queries there are, and the first scores."""
        name = None if self.name is None else Excerpt(self.name)
        return {"name": name, "queries": self.counts.queries, "scores": Excerpt(self.scores)}
