"""What an evaluation was asked for; a fixture answers what was left open."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.evaluation.partial import Evaluation, Progress
from groupwise.evaluator.intake.checking import Intake
from groupwise.evaluator.intake.join import Join
from groupwise.evaluator.intake.kinds import Kinds
from groupwise.evaluator.intake.positional import in_order_of
from groupwise.evaluator.intake.problems import read_head
from groupwise.evaluator.intake.vectors import vector_table
from groupwise.evaluator.metrics.names import Measure, curve_measures, measures
from groupwise.evaluator.native.collector import uncollected
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
        """The policies asked for, over those of the fixture.

        Where groups are dissolved anyway, a flat list raises no question.
        """
        asked = dict(self.asked)
        if {one.profile for one in chosen} == {"trec"} and head.policies.flat is None:
            asked.setdefault("flat", "any")
        return check_policies(head.policies, tuple(asked.items()))

    def start(self, head: FixtureHead) -> "Evaluation":
        """An evaluation with nothing in it yet."""
        profile = self.profile or head.profile
        chosen = measures(
            head.metrics if self.metrics is None else self.metrics, profile, self.cutoffs
        )
        if self.curve is not None:
            chosen = (*chosen, *curve_measures(profile, self.curve))
        return Evaluation(
            chosen, profile, self.policies(head, chosen),
            per_query=self.per_query, progress=self.progress, vectors=self.vectors,
        )  # fmt: skip

    def queries(self, truths: Records) -> tuple[Query, ...]:
        """The ground truth as models, or an InputError with all its problems."""
        evaluation = self.start(NO_HEAD)
        problems = evaluation.problems
        intake = Intake(truths, Query, evaluation.policies, problems, Kinds(problems))
        queries = tuple(one for one in intake.models() if isinstance(one, Query))
        problems.raise_if_any()
        return queries

    def evaluate_pair(self, truths: Records, results: Records) -> Report:
        """A report on ground truth and results that come apart."""
        evaluation = self.start(NO_HEAD)
        results = in_order_of(truths, results)
        problems, policies = evaluation.problems, evaluation.policies
        kinds = Kinds(problems)
        intakes = [
            Intake(truths, Query, policies, problems, kinds),
            Intake(results, RunQuery, policies, problems, kinds),
        ]
        join = Join(*(intake.rows() for intake in intakes))
        with uncollected():
            for rows in join.rows():
                evaluation.add(rows)
        evaluation.add_missing(join.missing)
        evaluation.note_extra(join.extra)
        return evaluation.report(read_warnings(*intakes))

    def evaluate_both(self, records: Records, head: FixtureHead) -> Report:
        """A report on records that hold both; a head that comes late means to begin anew."""
        if head is NO_HEAD:
            head = _first_head(records)
        evaluation = self.start(head)
        problems = evaluation.problems
        intake = Intake(records, FixtureQuery, evaluation.policies, problems, Kinds(problems))
        with uncollected():
            for rows in intake.rows():
                evaluation.add(rows)
        known = read_head(intake.reading, records.name) if intake.reading.head else head
        if _decisive(known) != _decisive(head):
            return self.evaluate_both(records, known)
        return evaluation.report(read_warnings(intake))


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
