"""The report of an evaluation."""

import math
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import (
    ConfigDict,
    Field,
    PrivateAttr,
    field_validator,
)

from groupwise.schemas.binding import find_bound
from groupwise.schemas.estimates import Confidence, MeanInterval
from groupwise.schemas.origins import refuse_unknown
from groupwise.schemas.provenance import Provenance
from groupwise.schemas.recalled import Recalled
from groupwise.schemas.rendering import Published
from groupwise.schemas.scores import PerQuery, Scores, find_label
from groupwise.schemas.shape import Shape
from groupwise.schemas.values import Excerpt
from groupwise.schemas.verdict import GateVerdict

if TYPE_CHECKING:
    from groupwise.schemas.explanation import Explanation
    from groupwise.schemas.result import Run

REQUIRED = {"schema", "profile", "counts", "scores", "per_query", "warnings"}
"""The fields of every report and slice; the others are omitted where they are empty."""


def _omit_empty(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that have a value, and those that are always there."""
    return {name: value for name, value in fields.items() if name in REQUIRED or value}


class Counts(Shape):
    """How many queries there are, and how many were scored, missing or empty."""

    queries: int = 0
    scored: int = 0
    missing: int = 0
    empty_results: int = 0
    unanswerable: int = 0
    extra: int = 0


class RankSummary(Shape):
    """Ranks are not averaged: how many queries have one, the median and the worst."""

    found: int
    not_found: int
    median: float | None
    worst: int | None


class Bounds(Shape):
    """The lowest and highest mean of a metric over all tie-breaking orders."""

    worst: float | None
    best: float | None


class Ties(Shape):
    """How many queries have ties that can change a score, and the bounds of each metric."""

    queries: int
    bounds: dict[str, Bounds]


class Curve(Shape):
    """Means at every cutoff from 1 on, and how many results complete most queries.

    ``enough`` is the smallest k at which 95 % of the queries are complete; None: no such k.
    """

    recall: tuple[float | None, ...] = Field((), strict=False)
    precision: tuple[float | None, ...] = Field((), strict=False)
    complete: tuple[float | None, ...] = Field((), strict=False)
    enough: int | None = None


class Band(Shape):
    """What a published source calls a score, and where it is published."""

    word: str
    source: str


class Slice(Shape):
    """Counts and scores of the queries with the same value of a field."""

    counts: Counts
    scores: Scores
    intervals: dict[str, MeanInterval] = Field(default_factory=dict)
    ceilings: dict[str, float] = Field(default_factory=dict)
    ranks: dict[str, RankSummary] = Field(default_factory=dict)


class Report(Published):
    """Scores, counts and warnings of an evaluation.

    ``gates`` has the verdicts of the gates that were given, and ``passed`` says whether none fails.
    ``slices`` has the slices of each field by the value that their queries have of it. ``matching``
    has type, options and counts of the matcher, unless it is ``exact``. ``failures`` holds the
    reason for each query that a live retriever failed on, ``results`` what it returned, as a run.
    ``explanation`` has the worst queries, if they were asked for.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, populate_by_name=True)
    described_as: ClassVar[str] = "a report"
    kind: ClassVar[str] = "report"

    schema_: Literal["groupwise.report/1"] = Field("groupwise.report/1", alias="schema")
    profile: str
    counts: Counts
    scores: Scores
    confidence: Confidence | None = None
    intervals: dict[str, MeanInterval] = Field(default_factory=dict)
    ceilings: dict[str, float] = Field(default_factory=dict)
    bands: dict[str, Band] = Field(default_factory=dict)
    ranks: dict[str, RankSummary] = Field(default_factory=dict)
    ties: Ties | None = None
    curve: Curve | None = None
    slices: dict[str, dict[str, Slice]] = Field(default_factory=dict)
    gates: tuple[GateVerdict, ...] = Field((), strict=False)
    matching: dict[str, Any] = Field(default_factory=dict)
    per_query: PerQuery
    failures: dict[str, str] = Field(default_factory=dict)
    explanation: Any = None
    warnings: tuple[str, ...] = Field((), strict=False)
    provenance: Provenance | None = None
    _recalled: Recalled = PrivateAttr(default_factory=Recalled)

    def __getitem__(self, query_id: str) -> Scores:
        if query_id not in self:
            refuse_unknown(query_id, self.per_query, self._hint_at_score(query_id))
        return self.per_query[query_id]

    def _hint_at_score(self, name: str) -> str:
        """Say where the score of a metric is, if this is the name of one."""
        if find_label(str(name), self.scores, self.scores.spellings):
            return f"the mean of this metric is .scores[{name!r}]"
        return "" if len(self.per_query) else "the report has no scores of queries"

    def __contains__(self, query_id: object) -> bool:
        return isinstance(query_id, str) and query_id in self.per_query

    def __iter__(self) -> Iterator[str]:  # type: ignore[override]
        return iter(self.per_query)

    def __len__(self) -> int:
        return len(self.per_query)

    def __bool__(self) -> bool:
        return True

    @property
    def passed(self) -> bool:
        """Whether no gate fails; those that are unreachable in a preset do not."""
        return not any(verdict.fails for verdict in self.gates)

    def failing(self, metric: str, below: float = 1.0) -> list[str]:
        """Return the ids of the queries that score below a value, the worst first.

        Of a rank, these are the queries that have none. Queries without a score are left out.

        Args:
            metric: The metric, in any spelling, such as ``"complete@10"``.
            below: Queries with this score, or a higher one, do not fail.

        Raises:
            ValueError: The report has no scores per query.
            KeyError: It has no such metric; the nearest name is suggested.
        """
        if not len(self.per_query):
            return self._refuse_without_queries()
        column, is_rank = self.per_query.column(metric), self._is_rank(metric)
        if is_rank:
            return [query for query, rank in column if rank is None and self._is_scored(query)]
        scored = ((score, query) for query, score in column if score is not None)
        return [query for score, query in sorted(scored) if score < below]

    def _refuse_without_queries(self) -> list[str]:
        """Raise if queries have scores that the report does not hold."""
        if self.counts.scored:
            raise ValueError("this report has no scores per query; evaluate with per_query=True")
        return []

    def _is_scored(self, query: str) -> bool:
        """Whether a query is scored, as far as its scores say it: a rank may be missing anyhow."""
        values = self.per_query[query] if self.scores else {}
        return not values or any(value is not None for value in values.values())

    def _is_rank(self, name: str) -> bool:
        return find_label(name, self.ranks, self.scores.spellings) is not None

    def worst(
        self, count: int = 5, by: str | None = None, *, metric: str | None = None
    ) -> list[str]:
        """Return the ids of the queries with the lowest scores, the worst first.

        Ties are broken by query id. Of a rank, the largest is the worst, but for queries that have
        none: these come first. Queries without a score are left out; without scores per query
        there are none.

        Args:
            count: How many queries to return at most.
            by: The metric, in any spelling; None: the first of the report.
            metric: Another name for ``by``.
        """
        first = next(iter((*self.scores, *self.ranks)), None)
        name = by or metric or first
        if name is None or not len(self.per_query):
            return []
        if self._is_rank(name):
            return self._find_last(count, name)
        return self.per_query.find_lowest(count, name)

    def _find_last(self, count: int, name: str) -> list[str]:
        """Return the queries with the largest ranks, those without one first."""
        from heapq import nsmallest  # noqa: PLC0415  (rarely needed)

        column = self.per_query.column(name)
        asked = ((rank, query) for query, rank in column if rank or self._is_scored(query))
        keyed = ((-math.inf if rank is None else -rank, query) for rank, query in asked)
        return [query for _, query in nsmallest(count, keyed)]

    def facts(self) -> dict[str, Any]:
        """Return the profile, how many queries there are, and the first scores."""
        counts = {"queries": self.counts.queries, "scored": self.counts.scored}
        return {"profile": self.profile, **counts, "scores": Excerpt(self.scores)}

    @field_validator("explanation")
    @classmethod
    def _read_explanation(cls, value: Any) -> Any:
        from groupwise.schemas.explanation import Explanation  # noqa: PLC0415  (rarely needed)

        return None if value is None else Explanation.model_validate(value)

    @property
    def results(self) -> "Run | None":
        """What a live retriever returned; None for results that were given."""
        run: Run | None = self._recalled.results
        return run

    def explain(
        self, *queries: str, k: int | None = None, worst: int | None = None, corpus: Any = None
    ) -> "Explanation":
        """Return which groups were missed, where they would have been met, and why.

        The data is evaluated again, from the same objects or files.

        Args:
            queries: The ids of queries to explain; none: all of them.
            k: The number of results that count; None: the cutoff of the first metric, else 10.
            worst: In place of ids, the number of queries with the lowest scores of the first
                metric.
            corpus: The documents, as ``explain`` takes them, to tell which ids they lack.

        Raises:
            InputError: There is no such query, the data has changed since, or it is not known any
                more.
        """
        found: Explanation = find_bound("explain_report")(self, queries, k, worst, corpus)
        return found

    def remember(self, again: Any, results: Any = None) -> "Report":
        """Remember how to evaluate the same data again, and what a retriever returned."""
        self._recalled = Recalled(again, results)
        return self

    @property
    def again(self) -> Any:
        """The function that evaluates the same data again, if it is known."""
        return self._recalled.again

    def flat(self) -> dict[str, float]:
        """Return each score by a name that MLflow, Weights & Biases and others accept.

        Names consist of letters, digits and underscores: ``recall@5`` is ``recall_at_5``, the ends
        of its interval ``recall_at_5__low`` and ``recall_at_5__high``, its mean on a slice
        ``type__bridge__recall_at_5``, the median of ranks ``first_hit__median``. What has no value
        is left out. Names that would be the same end in a digest.
        """
        flat: dict[str, float] = find_bound("flatten_report")(self)
        return flat

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data, in the order of the JSON form."""
        # Pydantic 2.9 cannot write models of other modules that are not built yet.
        bare = self if self.explanation is None else self.model_copy(update={"explanation": None})
        fields = bare.model_dump(by_alias=True)
        fields["warnings"] = list(fields["warnings"])
        if self.explanation is not None:
            fields["explanation"] = self.explanation.to_dict(results=True)
        for slices in fields["slices"].values():
            slices.update({name: _omit_empty(found) for name, found in slices.items()})
        fields["gates"] = list(fields["gates"])
        if fields["provenance"]:
            fields["provenance"]["inputs"] = list(fields["provenance"]["inputs"])
        return _omit_empty(fields)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write a parquet file: a row per query, a column per metric (extra ``parquet``)."""
        self.save(path, "parquet")

    def save_baseline(self, path: str | os.PathLike[str]) -> None:
        """Write the scores as a baseline, for ``evaluate(…, baseline=path)`` and ``compare``.

        Raises:
            InputError: The report has no fingerprints (``evaluate(…, provenance=True)``), or no
                scores of queries.
            OutputError: The file could not be written; what was there before is untouched.
        """
        find_bound("save_baseline")(self, path)

    def plot(
        self,
        chart: str,
        path: str | os.PathLike[str] | None = None,
        *,
        metric: str | None = None,
        k: int | None = None,
        width: float = 640,
        ax: Any = None,
    ) -> Any:
        """Draw a chart, as SVG or on axes of matplotlib.

        ``"curve"`` shows recall, complete and precision at each cutoff, and the one at which 95 %
        of the queries are complete; ``"distribution"`` how many queries have which score of a
        metric; ``"missed"`` the groups missed by reason, label and slice. What the report does not
        have is computed from the same data, evaluated again.

        Args:
            chart: The name of the chart.
            path: A file to write it to; its name ends in ``.svg``.
            metric: For ``"distribution"``: the metric, in any spelling; None: the first.
            k: For ``"curve"``: how many cutoffs to show; for ``"missed"``: how many results count.
            width: The width in pixels; text keeps its size.
            ax: Axes of matplotlib to draw on, instead of SVG.

        Returns:
            A ``Plot``, which notebooks show, with its text as ``svg``; or ``ax``, if given.

        Raises:
            InputError: The data of the chart is not there.
            OptionError: There is no such chart, or it does not take an option.
            OutputError: The file could not be written; what was there before is untouched.
        """
        options = {"metric": metric, "k": k}
        return find_bound("plot_chart")(self, chart, path, ax, width, options)


class ReportView:
    """The methods that find queries in a report, and its verdict."""

    if TYPE_CHECKING:
        counts: Counts
        scores: Scores
        per_query: PerQuery
        ranks: Mapping[str, Any]
        gates: tuple[GateVerdict, ...]
