"""A validation: data sets, a run and a corpus, checked one by one and then together."""

import math
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

from groupwise.evaluator.errors import InputError
from groupwise.evaluator.evaluation.swapped import describe_swapped
from groupwise.evaluator.intake.objects import as_records, list_sets
from groupwise.evaluator.reading.content import choose_versions
from groupwise.evaluator.reading.options import AS_IT_IS, Options
from groupwise.evaluator.validation.engine.findings import Findings
from groupwise.evaluator.validation.engine.source_check import MixedKinds, RecordCount, SourceCheck
from groupwise.evaluator.validation.engine.summary import compute_ceilings, summarise
from groupwise.evaluator.validation.facts.draft import Place
from groupwise.evaluator.validation.facts.hashes import Hashes, unite
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.facts.session import Session, SourceFacts
from groupwise.evaluator.validation.rules.corpus import UNLISTED_DUPLICATE
from groupwise.evaluator.validation.rules.registry import list_distinct
from groupwise.evaluator.validation.rules.rule import Locator
from groupwise.schemas import Finding, Fixture, Summary, ValidationReport


class Validation:
    """Checks each source as it is added, and all of them together at the end.

    ``progress`` is called with the number of records read.

    Attributes:
        findings: What was found.
        session: The facts of all sources.
        files: The names of the sources.
    """

    def __init__(
        self,
        request: Request,
        findings: Findings,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.findings = findings
        self._count = RecordCount(progress)
        self.session = Session(request)
        self._notes: list[str] = []
        self.files: list[str] = []
        self._kinds = MixedKinds(request.ids)
        self._checks: list[SourceCheck] = []

    def add(self, value: Any, options: Options = AS_IT_IS) -> None:
        """Check a data set, a fixture, or a run that stands alone."""
        number = len(self._checks) + 1
        name = "dataset" if number == 1 else f"dataset {number}"
        facts = self._check(list_sets(value), name, None, options)
        if facts is not None:
            self.session.data.append(facts)

    def add_run(self, value: Any, options: Options) -> None:
        """Check the results that belong to the data sets."""
        self.session.run = self._check(value, "run", self._unite_gold(), options)

    def _unite_gold(self) -> Hashes:
        return unite(source.tally.ids.distinct for source in self.session.data)

    def add_corpus(self, value: Any, options: Options) -> None:
        """Compare the data sets with a corpus; one that cannot be read is a finding.

        If that finding is not wanted, it is an error: the checks that are wanted need the corpus.
        """
        try:
            self._survey(value, options)
        except InputError as error:
            if not all(self.findings.wants(p.code, p.source) for p in error.problems if p.code):
                raise
            self.findings.add_error(error)

    def _survey(self, value: Any, options: Options) -> None:
        from groupwise.evaluator.intake.documents import open_corpus  # noqa: PLC0415  (as in survey)
        from groupwise.evaluator.validation.corpus.survey import survey  # noqa: PLC0415  (only with a corpus)

        session = self.session
        session.corpus = open_corpus(value, options=options)
        session.survey = survey(
            session.corpus,
            self._unite_gold(),
            self._kinds.first_kind,
            near=any(self.findings.wants(UNLISTED_DUPLICATE, name) for name in self.files),
            ids=session.request.ids,
            versions=choose_versions(_list_fingerprints(session.sources)),
        )
        self._notes += session.survey.limits
        for problem in session.survey.problems:
            self.findings.add_problem(problem if problem.code else problem._replace(code="IO008"))

    def _check(
        self, value: Any, name: str, gold: Hashes | None, options: Options
    ) -> SourceFacts | None:
        try:
            records = as_records(value, name, options)
        except InputError as error:
            self.findings.add_error(error)
            return None
        self.files.append(records.name)
        given = self.findings, self._kinds, gold, self._count
        check = SourceCheck(records, self.session.request, *given)
        if isinstance(value, Fixture):
            check.reading.head.update(value.model_dump(include={"metrics", "corpus"}))
        check.run()
        self._checks.append(check)
        return check.facts

    def finish(self, notes: Iterable[str] = ()) -> ValidationReport:
        """Locate suspicious records, check all sources together, and return the report.

        Args:
            notes: What to say about the data beside the findings.
        """
        self._count.begin_again()
        for check in self._checks:
            check.relocate(self._list_locators(check.facts))
        for source in self.session.sources:
            self._check_source(source)
        summary = self._summarise()
        self._check_session()
        counts = self.findings.count_severities()
        if counts.error and self.session.run is not None:
            self._note_swapped()
        return ValidationReport.model_construct(
            counts=counts,
            by_code=dict(sorted(self.findings.by_code.items())),
            findings=tuple(sorted(self.findings.kept, key=self._order)),
            statistics=summary,
            files=tuple(self.files),
            baselined=self.findings.baselined,
            notes=(*notes, *self._notes),
        )

    def _note_swapped(self) -> None:
        """Note if a data set holds results, or the run ground truth."""
        *data, run = self._checks
        for check in data:
            if message := describe_swapped(check.records, run.records):
                self._notes.append(message)

    def _list_locators(self, source: SourceFacts) -> list[Locator]:
        """Return what looks for suspicious records in a second reading."""
        rules = self.findings.active_rules(source.name)
        hooks = list_distinct(rule.suspect for rule in rules)
        locators = (suspect(source, self.session) for suspect in hooks)
        return [locator for locator in locators if locator is not None]

    def _check_source(self, source: SourceFacts) -> None:
        rules = self.findings.active_rules(source.name)
        for check in list_distinct(rule.check_source for rule in rules):
            for draft in check(source):
                self.findings.add(draft, Place(source.name))

    def _check_session(self) -> None:
        rules = self.findings.rules.values()
        for check in list_distinct(rule.check_session for rule in rules):
            for draft, place in check(self.session):
                self.findings.add(draft, place)
        for revise in list_distinct(rule.revise for rule in rules):
            revise(self.findings.kept, self.session)

    def _summarise(self) -> Summary:
        request = self.session.request
        data = [source for source in self.session.data if not source.is_run]
        ceilings = compute_ceilings(data, request)
        summary = summarise(data, request.profile, ceilings.reached)
        self.session.scored = sum(summary.groups_per_query.values())
        if not any(source.tally.shapes.left_out for source in self.session.data):
            self.session.bounds = ceilings.bounds
        return summary

    def _order(self, finding: Finding) -> tuple[float, float, float]:
        """Sort by file and place; findings without a place come last, in their order."""
        file = finding.file or ""
        number = self.files.index(file) if file in self.files else len(self.files)
        return number, finding.line or math.inf, finding.column or 0


def _list_fingerprints(sources: Iterable[SourceFacts]) -> list[str]:
    """Return the fingerprints of the corpora that sources were judged on."""
    heads = [str(source.head["corpus"]) for source in sources if "corpus" in source.head]
    return [*heads, *chain.from_iterable(source.tally.judged.corpora for source in sources)]
