"""Validation of a source in several processes: each checks some parts, which are merged here.

Whatever the parts cannot tell as one process would discards their results, and the source is read
in one process: there is one order of findings, and one place where it comes from.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from groupwise.evaluator.evaluation.engines.processes import (
    NeedsWhole,
    Note,
    Parts,
    attempt,
    share_parts,
)
from groupwise.evaluator.native.collector import paused_collector
from groupwise.evaluator.processes.jobs import choose_jobs
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.validation.engine.checklist import are_built_in
from groupwise.evaluator.validation.engine.findings import Findings, Shared
from groupwise.evaluator.validation.engine.mixed_kinds import MixedKinds
from groupwise.evaluator.validation.engine.record_count import RecordCount
from groupwise.evaluator.validation.engine.source_check import Model, SourceCheck
from groupwise.evaluator.validation.facts.hashes import Hashes
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.facts.session import SourceFacts

SAMPLE = "groupwise"
"""A text whose hash tells whether another process hashes texts as this one does."""


class PartFound(NamedTuple):
    """What a process found in a part, besides facts."""

    findings: Shared
    kinds: MixedKinds
    lines: int


class ShareFound(NamedTuple):
    """What a process found in its parts, by their numbers."""

    facts: SourceFacts
    parts: dict[int, PartFound]
    sample: int


@dataclass(frozen=True)
class PartWork:
    """Checks parts of a source whose first records are known."""

    name: str
    request: Request
    model: Model
    kinds: MixedKinds
    gold: Hashes | None
    wants: Callable[[str, str | None], bool]
    limit: int
    keeps_keys: bool
    is_watched: bool

    def __call__(self, parts: Parts, note: Note) -> ShareFound:
        """Return what is found in some parts."""
        facts, found = SourceFacts(self.name, self.request), {}
        count = RecordCount(note if self.is_watched else None)
        for number, part in parts:
            found[number] = self._check(part, facts, count)
        facts.tally.settle()
        return ShareFound(facts, found, hash(SAMPLE))

    def _check(self, part: Records, facts: SourceFacts, count: RecordCount) -> PartFound:
        """Return what is found in a part; its facts are added to the others."""
        records, kinds = part.count_from_here(), self.kinds.copy()
        findings = Findings(self.wants, None, self.limit, Counter() if self.keeps_keys else None)
        check = SourceCheck(records, self.request, findings, kinds, self.gold, count, facts)
        check.expect(self.model)
        with paused_collector():
            check.read_records()
        return PartFound(findings.share(), kinds, records.line_count)


@dataclass(frozen=True)
class PartedCheck:
    """The check of a source that is read in several processes, if that pays.

    Attributes:
        check: The check of the whole, which reads nothing by itself.
        findings: Where the findings go.
        kinds: The kinds of ids of all sources.
        gold: The ids of the ground truth that the source belongs to.
        count: Counts the records.
        is_alone: Whether there is no other source that the hashes of this one are compared with.
        is_suspect: Whether the facts of the source ask for a second reading.
    """

    check: SourceCheck
    findings: Findings
    kinds: MixedKinds
    gold: Hashes | None
    count: RecordCount
    is_alone: bool
    is_suspect: Callable[[SourceFacts], Any]

    def run(self, jobs: int) -> bool:
        """Check all parts; return whether it was done. If not, all is as before."""
        return bool(attempt(lambda: self._run(jobs))) if self._pays(jobs) else False

    def _pays(self, jobs: int) -> bool:
        """Whether to start processes.

        Rules of your own may remember records, and a known finding is used up by the first one like
        it: both depend on the order of all records.
        """
        records, rules = self.check.records, self.findings.active_rules(self.check.records.name)
        can_merge = not records.positional and self.findings.baseline is None
        return can_merge and are_built_in(rules) and choose_jobs(jobs, records.size) > 1

    def _run(self, jobs: int) -> bool:
        work = self._prepare()
        findings = Findings(work.wants, None, work.limit, Counter() if work.keeps_keys else None)
        kinds, lines = self.kinds.copy(), 0
        parts: dict[int, PartFound] = {}
        shares = share_parts(work, self.check.records, jobs, self.count.follow())
        for share in shares:
            self._refuse_foreign(share)
            parts |= share.parts
        facts = _merge_facts([share.facts for share in shares])
        for number in sorted(parts):
            findings.merge(parts[number].findings, lines)
            lines += parts[number].lines
            kinds.merge(parts[number].kinds)
        if any(map(self._has_foreign_hashes, shares)) and self.is_suspect(facts):
            raise NeedsWhole
        self._take(work, facts, findings, kinds)
        return True

    def _prepare(self) -> PartWork:
        """Return the work on any part, with what the first records tell.

        Raises:
            NeedsWhole: They do not tell what they are, or of which kind ids are.
        """
        kinds, findings, request = self.kinds.copy(), self.findings, self.check.facts.request
        scratch = Findings(findings.wants, None, findings.limit)
        first = SourceCheck(self.check.records, request, scratch, kinds, self.gold)
        model = first.peek()
        if model is None or first.reading.head or not kinds.is_settled:
            raise NeedsWhole
        kinds.forget_second()
        keeps_keys, is_watched = findings.keys is not None, self.count.is_watched
        given = kinds, self.gold, findings.wants, findings.limit, keeps_keys, is_watched
        return PartWork(self.check.records.name, request, model, *given)

    def _refuse_foreign(self, share: ShareFound) -> None:
        """Raise NeedsWhole for parts that cannot be taken as they are."""
        for part in share.parts.values():
            kinds = [*part.kinds.first.values()]
            if len(kinds) > 1 and kinds[0].source != self.check.records.name:
                raise NeedsWhole  # the second kind is reported once
        if self._has_foreign_hashes(share) and not self.is_alone:
            raise NeedsWhole

    def _has_foreign_hashes(self, share: ShareFound) -> bool:
        return share.sample != hash(SAMPLE)

    def _take(
        self, work: PartWork, facts: SourceFacts, findings: Findings, kinds: MixedKinds
    ) -> None:
        """Let the check and the findings have all that the parts found."""
        whole = self.check.facts
        self.check.expect(work.model)
        whole.tally, whole.rankings = facts.tally, facts.rankings
        whole.has_hit, whole.is_sound = facts.has_hit, facts.is_sound
        whole.has_byte_order_mark = self.check.records.has_byte_order_mark
        self.findings.merge(findings.share())
        self.kinds.merge(kinds)


def _merge_facts(parts: list[SourceFacts]) -> SourceFacts:
    """Return the facts of all parts, in the first of them.

    Raises:
        NeedsWhole: They are not as if one process had found them.
    """
    whole = parts[0]
    if not all(whole.merge(part) for part in parts[1:]):
        raise NeedsWhole
    return whole
