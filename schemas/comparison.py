"""The comparison of several runs on one ground truth."""

import os
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import (
    ConfigDict,
    Field,
    PrivateAttr,
    SerializerFunctionWrapHandler,
    model_serializer,
)

from groupwise.schemas.binding import find_bound
from groupwise.schemas.ids import DocumentId
from groupwise.schemas.provenance import Provenance
from groupwise.schemas.recalled import Recalled
from groupwise.schemas.rendering import Published
from groupwise.schemas.shape import Shape
from groupwise.schemas.values import Excerpt

Texts: TypeAlias = Annotated[tuple[str, ...], Field(strict=False)]


class WithMargin(Shape):
    """A model that is written without the fields of non-inferiority where no margin is given."""

    of_margin: ClassVar[frozenset[str]] = frozenset()

    @model_serializer(mode="wrap")
    def _omit_margin(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields = handler(self).items()
        return {name: value for name, value in fields if not self._is_unasked(name, value)}

    def _is_unasked(self, name: str, value: Any) -> bool:
        return value is None and name in self.of_margin


class ComparedCounts(Shape):
    """How many queries the ground truth has, and how many of them are compared."""

    queries: int = Field(description="The queries of the ground truth.")
    compared: int = Field(description="Those that every run is scored on.")
    unanswerable: int = Field(default=0, description="Those without groups.")
    dropped: int = Field(
        default=0, description="Those that only some runs are scored on: left out of all runs."
    )


class RunCounts(Shape):
    """What one run lacks, or has too much of."""

    missing: int = Field(default=0, description="Queries without results.")
    empty_results: int = Field(default=0, description="Queries with an empty result.")
    extra: int = Field(default=0, description="Queries without ground truth.")


class TestSettings(WithMargin):
    """What the p-values and intervals were computed with: enough to compute them again."""

    __test__: ClassVar[bool] = False  # pytest collects classes of such names
    of_margin: ClassVar[frozenset[str]] = frozenset({"margin"})

    name: str = Field(description="The paired test.")
    permutations: int | None = Field(
        description="How many permutations or resamples were drawn; null: none, or all."
    )
    exact: bool = Field(description="Whether all p-values are exact, not estimated.")
    seed: int = Field(description="The seed of permutations and resamples.")
    correction: str = Field(description="The correction of the p-values of a family.")
    family: str = Field(description="The p-values that are corrected together.")
    confidence: float = Field(description="Of the intervals; the level of the test is the rest.")
    margin: float | None = Field(default=None, description="That of non-inferiority, if given.")
    details: str = Field(default="", description="Test and correction in words.")


class RunScore(Shape):
    """The mean of a metric over the queries compared, and its interval."""

    mean: float | None = Field(description="Over the queries compared; null: there are none.")
    low: float | None = Field(description="The lower end of the interval.")
    high: float | None = Field(description="The upper end of the interval.")
    n: int = Field(description="The number of queries compared.")
    interval: str = Field(description="wilson, bca, or none if nothing can be said.")
    best: bool = Field(default=False, description="Whether no run has a higher mean.")
    better_than: Texts = Field(
        default=(), description="The runs whose mean is significantly lower."
    )


class ComparedMetric(Shape):
    """What a metric says about the runs: on how many queries, and how many pairs it tells apart."""

    n: int = Field(description="The number of queries compared.")
    dropped: int = Field(description="Queries that only some runs are scored on.")
    pairs: int = Field(description="The number of pairs.")
    significant: int = Field(description="The number of pairs that differ significantly.")
    share: float | None = Field(description="The share of pairs that differ significantly.")
    exact: bool = Field(description="Whether its p-values are exact.")


OutcomeReason: TypeAlias = Literal["beyond_k", "not_retrieved", "not_met"]


class GroupOutcome(Shape):
    """A group in one run: the rank at which it is first met, or the reason why it is not."""

    met: bool = Field(description="Whether it is met in the results that the metric looks at.")
    rank: int | None = Field(description="Where it is first met, also beyond them.")
    reason: OutcomeReason | None = Field(
        description="Why it is not met. not_met: not in the results that the metrics look at; "
        "matchers by text or span, and your own, are not asked about deeper ones."
    )


class ChangedGroup(Shape):
    """A group that two runs meet at different ranks, or that one of them misses."""

    group: int = Field(description="The group, counted from 0.")
    label: str | None = Field(description="Its label.")
    alternatives: Annotated[tuple[DocumentId, ...], Field(strict=False)] = Field(
        description="Its alternatives."
    )
    a: GroupOutcome | None = Field(description="In the first run; null: a saved baseline.")
    b: GroupOutcome | None = Field(description="In the other run; null: a saved baseline.")

    @property
    def is_decisive(self) -> bool:
        """Whether one run meets the group and the other misses it, as far as is known."""
        return self.a is None or self.b is None or self.a.met != self.b.met


class QueryChange(Shape):
    """A query on which two runs differ, and the groups that they meet differently."""

    query: str = Field(description="The id of the query.")
    a: float = Field(description="Its value in the first run.")
    b: float = Field(description="Its value in the other run.")
    difference: float = Field(description="b less a.")
    text: str | None = Field(default=None, description="The text of the query, if there is one.")
    groups: Annotated[tuple[ChangedGroup, ...], Field(strict=False)] = Field(
        default=(),
        description="Groups that one run meets and the other misses, then those that both meet at "
        "different ranks; all of them if one of the runs is a saved baseline.",
    )


class Pair(WithMargin):
    """Run b beside run a: differences are b - a, and wins are those of b."""

    of_margin: ClassVar[frozenset[str]] = frozenset({"p_non_inferior", "non_inferior"})

    metric: str = Field(description="The label of the metric.")
    a: str = Field(description="The first run, or the baseline.")
    b: str = Field(description="The other run.")
    difference: float | None = Field(description="The mean of b less the mean of a.")
    relative: float | None = Field(description="The difference over the mean of a.")
    low: float | None = Field(
        description="The lower end of the interval of the difference (paired BCa, not corrected)."
    )
    high: float | None = Field(description="Its upper end.")
    p: float | None = Field(description="The p-value of the test, two-sided.")
    p_corrected: float | None = Field(description="Corrected for the pairs of the family.")
    significant: bool = Field(description="Whether p_corrected is at most 1 - confidence.")
    wins: int = Field(description="Queries on which b is better than a.")
    ties: int = Field(description="Queries on which both have the same value.")
    losses: int = Field(description="Queries on which b is worse than a.")
    effect: float | None = Field(description="Mean over standard deviation of the differences.")
    detectable: float | None = Field(
        description="The smallest difference that this data can show (two-sided 5 %, power 80 %)."
    )
    p_non_inferior: float | None = Field(default=None, description="One-sided; not corrected.")
    non_inferior: bool | None = Field(
        default=None, description="Whether b is worse than a by less than the margin."
    )
    verdict: str = Field(default="", description="What follows, in words.")
    largest_gains: Annotated[tuple[QueryChange, ...], Field(strict=False)] = Field(
        default=(), description="The queries on which b is ahead the most."
    )
    largest_losses: Annotated[tuple[QueryChange, ...], Field(strict=False)] = Field(
        default=(), description="The queries on which b is behind the most."
    )


class Agreement(Shape):
    """How alike two metrics order the runs."""

    a: str
    b: str
    tau: float | None = Field(description="Kendall's tau-b of the means; null: a metric ties all.")


RunScores: TypeAlias = dict[str, dict[str, RunScore]]
Pairs: TypeAlias = Annotated[tuple[Pair, ...], Field(strict=False)]


class ComparedSlice(Shape):
    """The comparison on the queries of a slice."""

    counts: ComparedCounts
    runs: RunScores
    pairs: Pairs
    metrics: dict[str, ComparedMetric]


class Comparison(Published):
    """Runs beside each other on one ground truth: means, intervals, differences and tests.

    ``runs`` and ``pairs`` are sorted by name, metrics are in the order asked for.
    """

    model_config = ConfigDict(populate_by_name=True)
    described_as: ClassVar[str] = "a comparison"
    kind: ClassVar[str] = "comparison"
    omitted: ClassVar[frozenset[str]] = frozenset({"agreement", "slices", "provenance"})

    schema_: Literal["groupwise.comparison/1"] = Field(
        default="groupwise.comparison/1", alias="schema", description="The shape and its version."
    )
    profile: str = Field(description="The meaning of the metric names.")
    baseline: str | None = Field(description="The run that others are compared with, if any.")
    counts: ComparedCounts = Field(description="How many queries are compared.")
    run_counts: dict[str, RunCounts] = Field(description="What each run lacks.")
    test: TestSettings = Field(description="Test, correction and family.")
    runs: RunScores = Field(description="Mean and interval of each run, by metric.")
    pairs: Pairs = Field(description="Differences of two runs, by metric.")
    metrics: dict[str, ComparedMetric] = Field(description="How well each metric tells runs apart.")
    agreement: Annotated[tuple[Agreement, ...], Field(strict=False)] = Field(
        default=(), description="Kendall's tau of two metrics, from four runs on."
    )
    slices: dict[str, dict[str, ComparedSlice]] = Field(
        default_factory=dict, description="The same by the value of a field, if asked for."
    )
    provenance: Provenance | None = Field(
        default=None, description="Version, inputs and policies; the runs in order of their names."
    )
    warnings: Texts = Field(default=(), description="What a reader of the numbers should know.")
    _recalled: Recalled = PrivateAttr(default_factory=Recalled)

    def facts(self) -> dict[str, Any]:
        """Return the first runs and metrics, and how many queries are compared."""
        runs, metrics = Excerpt(list(self.runs)), Excerpt(list(self.metrics))
        return {"runs": runs, "metrics": metrics, "compared": self.counts.compared}

    def remember(self, values: Any) -> "Comparison":
        """Remember the values of all queries, for charts."""
        self._recalled = Recalled(results=values)
        return self

    @property
    def values(self) -> Any:
        """The values of all queries by metric and run; None if they are not known any more."""
        return self._recalled.results

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as plain data, in the order of the JSON form."""
        fields = self.model_dump(by_alias=True, mode="json")
        return {name: value for name, value in fields.items() if value or not self._omits(name)}

    def _omits(self, name: str) -> bool:
        return name in self.omitted

    def plot(
        self,
        chart: str,
        path: str | os.PathLike[str] | None = None,
        *,
        metric: str | None = None,
        a: str | None = None,
        b: str | None = None,
        width: float = 640,
        ax: Any = None,
    ) -> Any:
        """Draw a chart, as SVG or on axes of matplotlib.

        ``"intervals"`` shows the mean of each run and its interval, per metric; ``"differences"``
        the differences of two runs, query by query, from the largest gain to the largest loss.

        Args:
            chart: The name of the chart.
            path: A file to write it to; its name ends in ``.svg``.
            metric: The metric, in any spelling; None: all metrics, of ``"differences"`` the first.
            a: For ``"differences"``: the run to compare with; None: that of the first pair.
            b: For ``"differences"``: the other run.
            width: The width in pixels; text keeps its size.
            ax: Axes of matplotlib to draw on, instead of SVG.

        Returns:
            A ``Plot``, which notebooks show, with its text as ``svg``; or ``ax``, if given.

        Raises:
            InputError: The data of the chart is not there.
            OptionError: There is no such chart, or it does not take an option.
            OutputError: The file could not be written; what was there before is untouched.
        """
        options = {"metric": metric, "a": a, "b": b}
        return find_bound("plot_chart")(self, chart, path, ax, width, options)
