"""How many queries a comparison needs, and which differences a data set can show."""

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import ConfigDict, Field

from groupwise.schemas.provenance import Provenance
from groupwise.schemas.rendering import Tabular
from groupwise.schemas.report import Counts
from groupwise.schemas.shape import Shape
from groupwise.schemas.values import Excerpt

Texts: TypeAlias = Annotated[tuple[str, ...], Field(strict=False)]
OMITTED = frozenset({"planned", "provenance"})
"""The fields that are omitted where they are not known."""


class Sensitivity(Shape):
    """Which differences of a metric some queries can show, and how many queries others need."""

    n: int | None = Field(description="The number of queries; null: none are given.")
    sd: float | None = Field(
        description="The standard deviation (n - 1) of the differences between two runs; null: "
        "there are fewer than two queries."
    )
    detectable: float | None = Field(
        description="The smallest difference that n queries show; null: the values do not vary, or "
        "the queries are too few."
    )
    queries_for: dict[str, int | None] = Field(
        description="How many queries show a difference, by difference; null: the values do not "
        "vary, or nobody has so many."
    )
    observed: float | None = Field(
        default=None, description="The mean of the second run minus that of the first."
    )


class PowerAnalysis(Tabular):
    """What ``power`` finds, for people in ``conclusions``.

    ``sd_of`` says where the standard deviation comes from: the ``differences`` of two runs, one
    ``run`` (√2 times its own), or ``given``.
    """

    model_config = ConfigDict(populate_by_name=True)
    described_as: ClassVar[str] = "an analysis of power"
    kind: ClassVar[str] = "power"

    schema_: Literal["groupwise.power/1"] = Field("groupwise.power/1", alias="schema")
    profile: str | None = Field(default=None, description="The meaning of the metric names.")
    runs: Texts = Field(default=(), description="The names of the runs, sorted.")
    sd_of: Literal["differences", "run", "given"] | None = Field(
        default=None, description="What the standard deviation is of."
    )
    confidence: float = Field(description="1 minus the level of the two-sided test.")
    power: float = Field(description="How often a difference of that size is found.")
    counts: dict[str, Counts] = Field(
        default_factory=dict, description="By run: how many queries were scored, missing or empty."
    )
    metrics: dict[str, Sensitivity] = Field(default_factory=dict, description="By metric.")
    planned: Sensitivity | None = Field(
        default=None, description="For a given standard deviation, without data."
    )
    targets: dict[str, int] = Field(
        description="From how many queries on a perfect score has its interval above a target."
    )
    conclusions: Texts = Field(default=(), description="The same in words.")
    provenance: Provenance | None = Field(
        default=None, description="Version, inputs, policies and matching; not of a plan."
    )
    warnings: Texts = ()

    def facts(self) -> dict[str, Any]:
        """Return the first runs and metrics."""
        return {"runs": Excerpt(self.runs), "metrics": Excerpt(list(self.metrics))}

    def to_dict(self) -> dict[str, Any]:
        """Return the analysis as plain data, as ``power --format json`` prints it."""
        fields = self.model_dump(by_alias=True)
        unknown = {name for name in OMITTED if fields[name] is None}
        return {name: _listed(value) for name, value in fields.items() if name not in unknown}


def _listed(value: Any) -> Any:
    """Return data with lists in place of tuples."""
    if isinstance(value, dict):
        return {name: _listed(part) for name, part in value.items()}
    return [*map(_listed, value)] if isinstance(value, list | tuple) else value
