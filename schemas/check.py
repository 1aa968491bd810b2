"""What comparing a fixture with its expectations found."""

from typing import Annotated

from pydantic import Field

from groupwise.schemas.shape import Shape


class Difference(Shape):
    """A score that is not the expected one; without a query it is the mean."""

    query: str | None
    metric: str
    expected: float | None
    found: float | None

    def __str__(self) -> str:
        where = "mean" if self.query is None else f"query {self.query!r}"
        return f"{where}, {self.metric}: expected {self.expected}, found {self.found}"


class FixtureCheck(Shape):
    """A fixture and where it is not as expected."""

    fixture: str
    checked: int
    differences: Annotated[tuple[Difference, ...], Field(strict=False)] = ()

    @property
    def ok(self) -> bool:
        """Whether every expectation is met."""
        return not self.differences

    def __str__(self) -> str:
        if self.ok:
            return f"{self.fixture}: {self.checked} expectations met"
        lines = [f"{self.fixture}: {len(self.differences)} of {self.checked} expectations not met"]
        return "\n".join([*lines, *(f"  {difference}" for difference in self.differences)])
