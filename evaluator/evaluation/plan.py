"""What an evaluation was asked for; a fixture answers what was left open."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.evaluation.partial import Partial, Progress, Setup
from groupwise.evaluator.intake.checking import Intake
from groupwise.evaluator.intake.join import Join
from groupwise.evaluator.intake.positional import in_order_of
from groupwise.evaluator.intake.problems import read_head
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.intake.vectors import vector_table
from groupwise.evaluator.metrics.names import Measure, curve_measures, measures
from groupwise.evaluator.native.collector import paused_collector
from groupwise.evaluator.reading.records import Reading, Records
from groupwise.schemas import FixtureHead, FixtureQuery, Policies, Query, Report, RunQuery

NO_HEAD = FixtureHead.model_construct()


class Plan:
    """What was asked for; a fixture answers what was left open."""

    def __init__(
        self,
        metrics: str | Iterable[str] | None,
        profile: str | None,
        cutoffs: tuple[int, ...],
        asked: Mapping[str, Any],
        *,
        per_query: bool = True,
        progress: Progress | None = None,
        vectors: Any = None,
        curve: int | None = None,
    ) -> None:
        self.metrics = metrics if metrics is None or isinstance(metrics, str) else list(metrics)
        self.profile = profile
        self.cutoffs = cutoffs
        self.asked = {name: value for name, value in asked.items() if value is not None}
        self.per_query = per_query
        self.progress = progress
        self.curve = curve
        self.vectors = None if vectors is None else vector_table(vectors)

    def policies(self, head: FixtureHead, chosen: Sequence[Measure]) -> Policies:
        """Return the policies asked for, over those of the fixture.

        Where groups are dissolved anyway, a flat list is not ambiguous.
        """
        asked = dict(self.asked)
        if {measure.profile for measure in chosen} == {"trec"} and head.policies.flat is None:
            asked.setdefault("flat", "any")
        return check_policies(head.policies, tuple(asked.items()))

    def start(self, head: FixtureHead = NO_HEAD) -> Partial:
        """Return a partial that holds no queries yet."""
        profile = self.profile or head.profile
        chosen = measures(
            head.metrics if self.metrics is None else self.metrics, profile, self.cutoffs
        )
        if self.curve is not None:
            chosen = (*chosen, *curve_measures(profile, self.curve))
        setup = Setup(chosen, profile, self.policies(head, chosen), self.per_query)
        return Partial(setup, self.vectors, self.progress)

    def queries(self, truths: Records) -> tuple[Query, ...]:
        """Return the ground truth as models, or raise an InputError with all its problems."""
        partial = self.start()
        models = open_intake(partial, truths, Query).models()
        queries = tuple(model for model in models if isinstance(model, Query))
        partial.problems.raise_if_any()
        return queries

    def evaluate_pair(self, truths: Records, results: Records) -> Report:
        """Return a report on ground truth and results from different sources."""
        partial = self.start()
        return partial.report(add_pair(partial, truths, results))

    def evaluate_both(self, records: Records, head: FixtureHead) -> Report:
        """Return a report on records that hold both; a head that comes late starts it anew."""
        if head is NO_HEAD:
            head = _first_head(records)
        partial = self.start(head)
        intake = open_intake(partial, records, FixtureQuery)
        with paused_collector():
            for rows in intake.rows():
                partial.add(rows)
        known = read_head(intake.reading, records.name) if intake.reading.head else head
        if _decisive(known) != _decisive(head):
            return self.evaluate_both(records, known)
        return partial.report(read_warnings(intake))


def add_pair(partial: Partial, truths: Records, results: Records) -> list[str]:
    """Add all queries of two sources to a partial; return what reading them gave cause to say."""
    intakes = [
        open_intake(partial, truths, Query),
        open_intake(partial, in_order_of(truths, results), RunQuery),
    ]
    join = Join(*(intake.rows() for intake in intakes))
    with paused_collector():
        for rows in join.rows():
            partial.add(rows)
    partial.add_missing(concatenate(join.missing.values()))
    partial.add_extra(join.extra)
    return read_warnings(*intakes)


def open_intake(partial: Partial, records: Records, model: type[Query] | type[RunQuery]) -> Intake:
    """Return an intake whose problems and kinds of ids belong to the partial."""
    setup = partial.setup
    return Intake(
        records, model, setup.policies, partial.problems, partial.kinds,
        references=setup.matching.needs_references,
    )  # fmt: skip


def concatenate(parts: Iterable[Rows]) -> Rows:
    """Return all rows of several parts."""
    rows = Rows()
    for part in parts:
        rows.extend(part)
    return rows


def _first_head(records: Records) -> FixtureHead:
    """What a fixture says before its queries."""
    reading = Reading()
    for _ in records.batches(reading):
        break
    return read_head(reading, records.name) if reading.head else NO_HEAD


def _decisive(head: FixtureHead) -> tuple[Any, ...]:
    """The part of a head that an evaluation depends on."""
    return head.metrics, head.profile, head.policies


def marked(*sources: Records) -> list[str]:
    """A warning for each source that begins with a byte order mark."""
    names = [s.name for s in sources if s.has_byte_order_mark]
    return [f"{name} begins with a byte order mark; it was ignored" for name in names]


def read_warnings(*intakes: Intake) -> list[str]:
    """What reading the sources gave cause to say, besides records and problems."""
    said = [warning for intake in intakes for warning in intake.reading.warnings]
    return [*marked(*(intake.records for intake in intakes)), *said]


@lru_cache(maxsize=64)
def check_policies(base: Policies, asked: tuple[tuple[str, Any], ...]) -> Policies:
    """The base with what was asked for, or an InputError that says what a policy may be."""
    if not asked:
        return base
    try:
        return Policies(**{**dict(base), **dict(asked)})
    except ValidationError as error:
        raise InputError(
            [
                Problem(f"{detail['loc'][0]}={detail['input']!r}: it {_may_be(detail['msg'])}")
                for detail in error.errors(include_url=False)
            ]
        ) from None


def _may_be(message: str) -> str:
    return message.replace("Input should be", "may be")
