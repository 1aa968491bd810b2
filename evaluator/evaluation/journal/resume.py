"""Evaluations that go on where they were interrupted, with the same report in the end."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from groupwise.evaluator.evaluation.journal.file import JournalFile
from groupwise.evaluator.evaluation.journal.header import agree_on_header, describe_setup
from groupwise.evaluator.evaluation.journal.identities import digest_input
from groupwise.evaluator.evaluation.journal.parts import Parts, Whole
from groupwise.evaluator.evaluation.journal.restoring import restore
from groupwise.evaluator.evaluation.journal.tracked_lines import TrackedLines
from groupwise.evaluator.evaluation.partial import Partial
from groupwise.evaluator.evaluation.sources import concatenate, open_intake, read_warnings
from groupwise.evaluator.intake.checking import Intake
from groupwise.evaluator.intake.join import Join
from groupwise.evaluator.intake.positional import pair_by_position
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.native.collector import paused_collector
from groupwise.evaluator.reading.jsonl import JsonLines
from groupwise.evaluator.reading.records import Records
from groupwise.schemas import FixtureHead, FixtureQuery, Query, RunQuery

if TYPE_CHECKING:
    from groupwise.evaluator.evaluation.plan import Plan

KIND = "an evaluation"


class Resume(NamedTuple):
    """A journal, and what else identifies an evaluation.

    Attributes:
        path: The journal.
        given: What was passed as ground truth, run, corpus and vectors, by the name of the role.
        reading: How files are read, by the name of the option.
    """

    path: str | os.PathLike[str]
    given: Mapping[str, Any]
    reading: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The journal, for messages."""
        return os.fspath(self.path)

    def track(self, records: Records) -> Records:
        """Return records that can be skipped, if they are JSON Lines as they are."""
        return TrackedLines(records, self.name) if type(records) is JsonLines else records

    def digest(self, sources: Mapping[str, Records]) -> dict[str, str]:
        """Return the digests of all inputs that are compared as a whole."""
        whole = {role: given for role, given in self.given.items() if given is not None}
        return {
            role: digest_input(role, given, sources.get(role))
            for role, given in whole.items()
            if not isinstance(sources.get(role), TrackedLines)
        }


class TrackedJoin(Join):
    """A join that knows whether both sources have been in the same order so far."""

    in_order = True

    def _pair(self, truths: Rows, rankings: Rows) -> Rows:
        self.in_order = self.in_order and truths.ids == rankings.ids
        return super()._pair(truths, rankings)


def add_pair(plan: "Plan", resume: Resume, partial: Partial, pair: Sequence[Records]) -> list[str]:
    """Add the queries of two sources that the journal has not; return the warnings of reading.

    Raises:
        InputError: The journal belongs to another evaluation, or is damaged.
        OutputError: The journal cannot be written.
    """
    truths, results = map(resume.track, pair)
    intakes = [
        open_intake(partial, truths, Query),
        open_intake(partial, pair_by_position(results, pair[0]), RunQuery),
    ]
    sources = {"ground_truth": truths, "run": results}
    whole = Whole(partial, plan._replace(progress=None).start, intakes)
    with closing(JournalFile(resume.path)) as file, paused_collector():
        _restore(file, resume, sources, whole)
        join = TrackedJoin(*_drop_first(whole))
        parts = Parts(file, whole)
        for rows in join.rows():
            parts.add(rows, in_order=join.in_order)
            del rows  # so that its memory is free for the next
        parts.close_part(in_order=join.in_order)
    partial.add_missing(concatenate(join.missing.values()))
    partial.add_extra(join.extra)
    return read_warnings(*intakes)


def add_both(
    plan: "Plan", resume: Resume, partial: Partial, records: Records, head: FixtureHead
) -> Intake:
    """Add the queries that the journal has not of records that hold both; return their intake.

    Raises:
        InputError: The journal belongs to another evaluation, or is damaged.
        OutputError: The journal cannot be written.
    """
    tracked = resume.track(records)
    intake = open_intake(partial, tracked, FixtureQuery)

    def start() -> Partial:
        return plan._replace(progress=None).start(head)

    whole = Whole(partial, start, [intake])
    with closing(JournalFile(resume.path)) as file, paused_collector():
        _restore(file, resume, {"ground_truth": tracked}, whole)
        parts = Parts(file, whole)
        for rows in next(_drop_first(whole)):
            parts.add(rows)
            del rows  # so that its memory is free for the next
        parts.close_part()
    return intake


def _restore(
    file: JournalFile, resume: Resume, sources: Mapping[str, Records], whole: Whole
) -> None:
    """Compare the header of the journal, and add what its entries hold."""
    lines = file.read()
    settings = {**describe_setup(whole.partial.setup), **resume.reading}
    header = next(lines, None)
    agree_on_header(file, header, KIND, settings, resume.digest(sources))
    restore(file, lines, whole)


def _drop_first(whole: Whole) -> Iterator[Iterator[Rows]]:
    """Yield the rows of each source, without those that the journal has."""
    for intake, count in zip(whole.intakes, whole.first_rows, strict=True):
        yield _drop(intake.rows(), count)


def _drop(parts: Iterator[Rows], count: int) -> Iterator[Rows]:
    """Yield rows without the first ones, which are all in the first part."""
    if count:
        for rows in islice(parts, 1):
            yield rows.part(count, len(rows))
    yield from parts
