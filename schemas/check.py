"""The outcome of comparing a fixture with its expected scores."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from groupwise.schemas.binding import find_bound
from groupwise.schemas.expectation import NO_WORSE
from groupwise.schemas.shape import Shape
from groupwise.schemas.values import Excerpt

LONGEST = 100
"""How much of a query id is shown."""
SHOWN = 20
"""How many expectations that are not met a text lists."""


class Outcome(Shape):
    """The outcome of an expectation; without a query, that of a mean.

    Attributes:
        query: The query; None: the mean.
        metric: The name of the metric, as the fixture spells it.
        expected: A number, None, a bound, ``"no_worse"``, or a value with a tolerance.
        found: The score; None where there is none.
        before: For ``"no_worse"``, the score of the fixture's own results.
        passed: Whether the expectation is met; None: there is no value to compare.
    """

    query: str | None
    metric: str
    expected: Any
    found: float | None
    before: float | None = None
    passed: bool | None

    @property
    def subject(self) -> str:
        """The query and the metric, for people."""
        where = "mean" if self.query is None else f"query {_cut(self.query)!r}"
        return f"{where}, {_cut(self.metric)}"

    @property
    def comparison(self) -> str:
        """What was expected, and what was found."""
        expected = describe_expectation(self.expected, self.before)
        if self.passed is None:
            whose = "the fixture's own results have" if self.found is not None else "there is"
            return f"expected {expected}, but {whose} no value"
        return f"expected {expected}, found {describe_expectation(self.found)}"

    def __str__(self) -> str:
        return f"{self.subject}: {self.comparison}"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def describe_expectation(expected: Any, before: float | None = None) -> str:
    """Return what is expected, for people.

    >>> describe_expectation({"value": 0.5, "tolerance": 0.02}), describe_expectation("no_worse", 1)
    ('0.5 ± 0.02', 'no worse than 1')
    """
    if expected == NO_WORSE:
        return "no worse than before" if before is None else f"no worse than {before}"
    if isinstance(expected, Mapping):
        return f"{expected['value']} ± {expected['tolerance']}"
    return "null" if expected is None else str(expected)


class FixtureCheck(Shape):
    """The outcome for one fixture.

    Attributes:
        fixture: The file.
        outcomes: The outcome of each expectation: means first, then queries in order of their ids.
        worst: For each metric whose mean falls short, the queries with the lowest scores.
        warnings: What was odd about the run.
        run: The run that was scored; None: the fixture's own results.
        is_of_bounds: Whether only bounds that are not met are left, after an update.
    """

    fixture: str
    outcomes: Annotated[tuple[Outcome, ...], Field(strict=False)] = ()
    worst: dict[str, dict[str, float | None]] = Field(default_factory=dict)
    warnings: Annotated[tuple[str, ...], Field(strict=False)] = ()
    run: str | None = None
    is_of_bounds: bool = False

    def facts(self) -> dict[str, Any]:
        """Return the fixture, and how many expectations there are and are not met."""
        counts = {"checked": self.checked, "differences": len(self.differences)}
        return {"fixture": Excerpt(self.fixture), **counts}

    @property
    def checked(self) -> int:
        """How many scores were compared."""
        return len(self.outcomes)

    @property
    def differences(self) -> tuple[Outcome, ...]:
        """The expectations that are not met, or could not be compared."""
        return tuple(outcome for outcome in self.outcomes if not outcome.passed)

    @property
    def ok(self) -> bool:
        """Whether every expectation is met."""
        return all(outcome.passed for outcome in self.outcomes)

    @property
    def is_complete(self) -> bool:
        """Whether there was a value for every bound."""
        return all(outcome.passed is not None for outcome in self.outcomes)

    def only_bounds(self) -> "FixtureCheck":
        """Return the check with only the bounds that are not met, which no update changes."""
        bounds = [each for each in self.differences if isinstance(each.expected, str)]
        return self.model_copy(update={"outcomes": tuple(bounds), "is_of_bounds": True})

    @property
    def summary(self) -> str:
        """How many expectations are met."""
        plural = find_bound("plural")
        if self.is_of_bounds:
            return f"{plural(self.checked, 'bound')} not met, which an update does not change"
        checked = plural(self.checked, "expectation")
        if self.ok:
            return f"{checked} met{self._describe_idle()}"
        return f"{len(self.differences):,} of {checked} not met"

    def _describe_idle(self) -> str:
        """Say how many expectations need a fresh run to tell anything."""
        idle = sum(outcome.expected == NO_WORSE for outcome in self.outcomes)
        if self.run is not None or not idle:
            return ""
        verb = "is" if idle == 1 else "are"
        return f"; {idle:,} {verb} no_worse, which only a fresh run (--run) can fail"

    def __str__(self) -> str:
        found = self.differences
        lines = [f"{self.fixture}: {self.summary}", *(f"  {each}" for each in found[:SHOWN])]
        if len(found) > SHOWN:
            lines.append(f"  … and {len(found) - SHOWN:,} more")
        return "\n".join(lines)
