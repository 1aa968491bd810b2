"""Ground truth and results, read into partials and reports."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.errors import InputError, OptionError, Problem, UnknownMetric
from groupwise.evaluator.evaluation.conclusion import conclude
from groupwise.evaluator.evaluation.partial import Partial
from groupwise.evaluator.evaluation.plan import NO_HEAD, Plan
from groupwise.evaluator.evaluation.provenance import Origin, list_inputs, list_objects
from groupwise.evaluator.intake.check import Intake
from groupwise.evaluator.intake.join import Join, concatenate
from groupwise.evaluator.intake.plain_pairs import PlainPairs
from groupwise.evaluator.intake.positional import pair_by_position, read_ids
from groupwise.evaluator.intake.problems import read_head
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.reading.records import Reading, Records, paused_collector
from groupwise.schemas import FixtureQuery, Query, RunQuery
from groupwise.schemas.fixture import RecordModel

if TYPE_CHECKING:
    from groupwise.schemas import FixtureHead, Report

DISSOLVED = "; or say profile='trec', where groups do not matter"


def open_intake(
    partial: Partial,
    records: Records,
    model: RecordModel,
    *,
    queries: bool = False,
) -> Intake:
    """Return an intake that reports problems and kinds of ids to the partial.

    ``queries``: whether to keep the texts of queries even if nothing is to be explained.
    """
    setup = partial.setup
    return Intake(
        records, model, setup.policies, partial.problems, partial.kinds,
        references=setup.needs_references, metadata=bool(setup.by),
        queries=queries or setup.explain is not None, flat_hint=DISSOLVED,
        depth=partial.match_depth,
    )  # fmt: skip


def add_pair(partial: Partial, truths: Records, results: Records) -> list[str]:
    """Add the queries of two sources to a partial; return the warnings of reading them."""
    return read_warnings(*join_sources(partial, truths, results))


def join_sources(partial: Partial, truths: Records, results: Records) -> list[Intake]:
    """Add the queries of two sources to a partial; return the intakes that have read them.

    As long as both have the same order, no more than a batch of each is held in memory.
    """
    intakes = [
        open_intake(partial, truths, Query),
        open_intake(partial, _pair(results, truths), RunQuery),
    ]
    join = Join(*(intake.rows() for intake in intakes))
    add_rows(partial, join.rows())
    partial.add_missing(join.missing)
    partial.add_extra(join.extra)
    return intakes


def _pair(results: Records, truths: Records) -> Records:
    """Return results with query ids; without any, they have those at their positions."""
    return pair_by_position(results, truths.name, lambda: read_ids(truths))


def add_rows(partial: Partial, parts: Iterable[Rows]) -> None:
    """Add rows as they come, with the garbage collector paused."""
    with paused_collector():
        for rows in parts:
            partial.add(rows)
            del rows


def describe_origin(
    partial: Partial,
    name: str | None,
    records: Records,
    model: RecordModel,
    corpus: str | None = None,
) -> Origin:
    """Return an input of an evaluation, for the provenance of its report."""
    setup = partial.setup
    texts = setup.matching.needs_references
    return Origin(name, records, model, setup.policies, texts, corpus, partial.lookup)


def evaluate_pair(
    plan: Plan, truths: Records, results: Records, names: Sequence[str | None] = (None, None)
) -> "Report":
    """Return a report on ground truth and results from different sources, under these names."""
    partial = plan.start()
    warnings = _read_pair(plan, partial, truths, results)
    origins = [
        describe_origin(partial, names[0], truths, Query),
        describe_origin(partial, names[1], _pair(results, truths), RunQuery),
    ]
    report = partial.report(warnings, list_inputs(origins, fingerprints=plan.fingerprints))
    found = partial.values_of
    return conclude(plan, report, lambda: read_truths(plan.start(), truths, Query), found)


def _read_pair(plan: Plan, partial: Partial, truths: Records, results: Records) -> list[str]:
    """Add the queries of two sources, in processes if asked; return warnings."""
    warnings = _add_in_parts(plan, partial, truths, results)
    return add_pair(partial, truths, results) if warnings is None else warnings


def _add_in_parts(
    plan: Plan, partial: Partial, truths: Records, results: Records
) -> list[str] | None:
    """Add the queries of two sources with several processes, if these are asked for and pay."""
    if plan.jobs == 1:
        return None
    from groupwise.evaluator.evaluation import parallel  # noqa: PLC0415  (rarely needed)

    return parallel.add_pair(plan, partial, truths, results)


def evaluate_plain(plan: Plan, pairs: PlainPairs) -> "Report | None":
    """Return a report on queries in their plainest form; None if any is not plain."""
    partial = plan.start()
    kinds = {str} if partial.setup.policies.ids == "text" else {str, int}
    with paused_collector():
        for rows in pairs.rows(partial.match_depth):
            if rows is None or rows.matched is None or rows.matched.kind not in kinds:
                return None
            partial.add(rows)
    return partial.report((), list_objects())


def evaluate_both(
    plan: Plan, records: Records, head: "FixtureHead" = NO_HEAD, name: str | None = None
) -> "Report":
    """Return a report on records that hold both; a head after the queries makes it start again.

    Args:
        plan: The metrics and policies.
        records: The queries.
        head: What is known of the fixture before it is read.
        name: The base name of the file, for the provenance.
    """
    if head is NO_HEAD and (records.editable == "json" or records.has_head):
        head = _read_first_head(records)
    try:
        partial = plan.start(head)
    except (UnknownMetric, OptionError) as error:
        raise InputError([Problem(str(error), records.name)]) from None
    intake = _add_both(plan, head, partial, records)
    known = read_head(intake.reading, records.name) if intake.reading.head else head
    if _decisive_part(known) != _decisive_part(head):
        return evaluate_both(plan, records, known, name)
    origin = describe_origin(partial, name, records, FixtureQuery, known.corpus)
    inputs = list_inputs([origin], fingerprints=plan.fingerprints)
    report = partial.report(read_warnings(intake), inputs)
    return conclude(
        plan,
        report,
        lambda: read_truths(plan.start(head), records, FixtureQuery),
        partial.values_of,
    )


def _add_both(plan: Plan, head: "FixtureHead", partial: Partial, records: Records) -> Intake:
    """Add records that hold both, in as many processes as are asked for and pay."""
    if plan.jobs > 1:
        from groupwise.evaluator.evaluation import parallel  # noqa: PLC0415  (rarely needed)

        if (found := parallel.add_both(plan, head, partial, records)) is not None:
            return found
    intake = open_intake(partial, records, FixtureQuery)
    add_rows(partial, intake.rows())
    return intake


def read_truths(partial: Partial, records: Records, model: RecordModel) -> Rows:
    """Return all ground truths of a source that has been found to be valid."""
    with paused_collector():
        return concatenate(open_intake(partial, records, model).rows())


def _read_first_head(records: Records) -> "FixtureHead":
    """Return what a fixture says before its queries."""
    reading = Reading()
    next(records.batches(reading), None)
    return read_head(reading, records.name) if reading.head else NO_HEAD


def _decisive_part(head: "FixtureHead") -> tuple[Any, ...]:
    """The part of a head that an evaluation depends on."""
    return head.metrics, head.profile, head.policies, head.matching


def read_queries(plan: Plan, truths: Records) -> "tuple[tuple[Query, ...], list[str]]":
    """Return the ground truth as models, and the warnings of reading it.

    Raises:
        InputError: It is invalid; all problems are listed.
    """
    intake = open_intake(plan.start(), truths, Query)
    models: tuple[Any, ...] = intake.read_all()
    return models, read_warnings(intake)


def read_warnings(*intakes: Intake) -> list[str]:
    """Return the warnings of reading sources to their end."""
    marked = [intake.records.name for intake in intakes if intake.records.has_byte_order_mark]
    return [
        *(f"{name} begins with a byte order mark; it was ignored" for name in marked),
        *(warning for intake in intakes for warning in intake.reading.warnings),
    ]
