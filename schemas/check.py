"""The outcome of comparing a fixture with its expected scores."""

from typing import Annotated

from pydantic import Field

from groupwise.schemas.binding import find_bound
from groupwise.schemas.shape import Shape


class Difference(Shape):
    """A score that differs from the expected one; without a query, it is a mean."""

    query: str | None
    metric: str
    expected: float | None
    found: float | None

    def __str__(self) -> str:
        where = "mean" if self.query is None else f"query {self.query!r}"
        return f"{where}, {self.metric}: expected {self.expected}, found {self.found}"


class FixtureCheck(Shape):
    """The outcome for one fixture: how many scores were compared, and which differ."""

    fixture: str
    checked: int
    differences: Annotated[tuple[Difference, ...], Field(strict=False)] = ()

    @property
    def ok(self) -> bool:
        """Whether every expectation is met."""
        return not self.differences

    def __str__(self) -> str:
        checked = find_bound("plural")(self.checked, "expectation")
        if self.ok:
            return f"{self.fixture}: {checked} met"
        failed = f"{len(self.differences):,} of {checked} not met"
        lines = [f"{self.fixture}: {failed}"]
        return "\n".join([*lines, *(f"  {difference}" for difference in self.differences)])
