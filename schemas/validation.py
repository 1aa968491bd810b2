"""The report of a validation: findings, counts, and a summary of the data."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import Field

from groupwise.schemas.ids import Id
from groupwise.schemas.rendering import Framed
from groupwise.schemas.shape import Shape
from groupwise.schemas.values import Excerpt

Severity: TypeAlias = Literal["error", "warning", "info"]
Fix: TypeAlias = Literal["safe", "unsafe"]
Histogram: TypeAlias = dict[int, int]
FINDINGS_SCHEMA = "groupwise.findings/1"


class Finding(Shape):
    """A problem in the data: the rule it breaks, a message, and its place."""

    code: str
    name: str
    severity: Severity
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    pointer: str | None = None
    query: str | None = None
    group: int | None = Field(default=None, description="The number of the group, from 0.")
    id: Id | None = None
    fix: Fix | None = None
    fingerprint: str = Field(
        default="",
        description="Identifies the finding by code, query id and value, wherever it moves.",
    )

    @property
    def place(self) -> str:
        """File, line and column, as far as they are known."""
        return ":".join(
            str(part) for part in (self.file, self.line, self.column) if part is not None
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as plain data, without unknown fields."""
        return {name: value for name, value in self.model_dump().items() if value is not None}


class SeverityCounts(Shape):
    """The number of findings by severity, including those not shown."""

    error: int = 0
    warning: int = 0
    info: int = 0


class Summary(Shape):
    """Statistics of the data. Histograms map a size to how often it occurs."""

    queries: int = 0
    unanswerable: int = 0
    groups: int = 0
    groups_per_query: Histogram = Field(default_factory=dict)
    alternatives_per_group: Histogram = Field(default_factory=dict)
    distinct_ids: int = 0
    ids_in_several_queries: int = 0
    queries_with_shared_ids: int = Field(
        default=0, description="Queries with an id in more than one of their groups."
    )
    multi_group_share: float | None = None
    profile: str = "autorag"
    ceilings: dict[str, float | None] = Field(
        default_factory=dict, description="Mean score of an ideal ranking, by metric."
    )


class StaleEntry(Shape):
    """An entry of a baseline that matches no finding, and its count."""

    code: str
    query: str | None = None
    fingerprint: str
    count: int = 1


class ValidationReport(Framed):
    """All findings of a validation; only the first of each code are kept, but all are counted."""

    kind: ClassVar[str] = "findings"

    counts: SeverityCounts = SeverityCounts.model_construct()
    by_code: dict[str, int] = Field(default_factory=dict)
    findings: Annotated[tuple[Finding, ...], Field(strict=False)] = ()
    statistics: Summary = Summary.model_construct()
    files: Annotated[tuple[str, ...], Field(strict=False)] = ()
    baselined: int = Field(default=0, description="Findings that are in the baseline.")
    stale: Annotated[tuple[StaleEntry, ...], Field(strict=False)] = ()
    notes: Annotated[tuple[str, ...], Field(strict=False)] = Field(
        default=(), description="What was not checked, to keep memory and time within bounds."
    )

    def facts(self) -> dict[str, Any]:
        """Return how many findings there are by severity, and the first codes."""
        return {**dict(self.counts), "codes": Excerpt(self.codes)}

    @property
    def ok(self) -> bool:
        """Whether there are no errors and no warnings."""
        return not (self.counts.error or self.counts.warning)

    @property
    def codes(self) -> list[str]:
        """The codes of all findings, sorted, without duplicates."""
        return sorted(self.by_code)

    def fails(self, on: Literal["error", "warning"] = "warning") -> bool:
        """Whether there are findings of at least this severity."""
        return bool(self.counts.error or (on == "warning" and self.counts.warning))

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data, as ``validate --format json`` prints it."""
        more: Mapping[str, Any] = {
            "baselined": self.baselined,
            "stale": [entry.model_dump() for entry in self.stale],
            "notes": list(self.notes),
        }
        return {
            "schema": FINDINGS_SCHEMA,
            "counts": self.counts.model_dump(),
            "by_code": dict(sorted(self.by_code.items())),
            "findings": [finding.to_dict() for finding in self.findings],
            "statistics": self.statistics.model_dump(),
            **{name: value for name, value in more.items() if value},
        }

    def __str__(self) -> str:
        lines = [_format(finding) for finding in self.findings]
        hidden = sum(self.by_code.values()) - len(lines)
        more = [f"… and {hidden:,} more"] if hidden else []
        return "\n".join([*lines, *more]) or "no findings"


def _format(finding: Finding) -> str:
    place = f"{finding.place}: " if finding.place else ""
    query = f"query {finding.query!r}: " if finding.query is not None else ""
    return f"{place}{finding.code} {query}{finding.message}"
