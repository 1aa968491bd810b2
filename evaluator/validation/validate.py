"""Validation of data sets, alone or beside a run and a corpus."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.evaluation.ceilings import Ceilings, ceilings
from groupwise.evaluator.intake.objects import as_records
from groupwise.evaluator.metrics.names import measures
from groupwise.evaluator.metrics.registry import SIX
from groupwise.evaluator.native.collector import paused_collector
from groupwise.evaluator.reading.options import AS_IT_IS, Options
from groupwise.evaluator.statistics.gates import parse_gate
from groupwise.evaluator.validation.engine.case import Draft
from groupwise.evaluator.validation.engine.findings import KEPT, Place, Sink
from groupwise.evaluator.validation.engine.hashes import Hashes, in_several, only_in, union
from groupwise.evaluator.validation.engine.kinds import KindOfIds
from groupwise.evaluator.validation.engine.reading import Pass
from groupwise.evaluator.validation.engine.relocation import (
    Check,
    NearlyEqualIds,
    RepeatedQueries,
    RepeatedTexts,
    UnequalDepth,
    Unmatched,
    is_unequal,
    second_look,
)
from groupwise.evaluator.validation.engine.request import DEFAULT_K, Asked
from groupwise.evaluator.validation.rules.gate_checks import gate_checks
from groupwise.evaluator.validation.settings.selection import selection_of
from groupwise.schemas import Finding, Fixture, RunQuery, Summary, ValidationReport

if TYPE_CHECKING:
    from groupwise.evaluator.validation.corpus.survey import CorpusSurvey

NAMED = 20
"""Of so many ids that are not in the corpus, the nearest ones that are, are named."""

AS_RUN = Options(role="run")
FailOn = Literal["error", "warning"]


class Validation:
    """Data sets, then a run and a corpus, then what they are together."""

    def __init__(self, asked: Asked, sink: Sink) -> None:
        self.asked = asked
        self.sink = sink
        self.kinds = KindOfIds(asked.ids)
        self.data: list[Pass] = []
        self.run: Pass | None = None
        self.survey: CorpusSurvey | None = None
        self.notes: list[str] = []
        self.files: list[str] = []

    def add(self, value: Any, options: Options = AS_IT_IS) -> None:
        """Validate a data set, a fixture, or a run that stands alone."""
        one = self._passed(value, "dataset", None, options)
        if one is not None:
            self.data.append(one)

    def add_run(self, value: Any, options: Options = AS_RUN) -> None:
        """Validate the results that belong to the data sets."""
        gold = union(one.tally.ids.distinct for one in self.data)
        self.run = self._passed(value, "run", gold, options)

    def add_corpus(self, value: Any) -> None:
        """Compare the data sets with a corpus."""
        from groupwise.evaluator.intake.documents import open_corpus  # noqa: PLC0415  (as in survey)
        from groupwise.evaluator.validation.corpus.survey import survey  # noqa: PLC0415  (few have one)

        gold = union(one.tally.ids.distinct for one in self.data)
        ids: Literal["text"] | None = "text" if self.asked.ids == "text" else None
        self.corpus = open_corpus(value)
        near = any(self.sink.wants("CP005", name) for name in self.files)
        judged_on = any(one.tally.hashed or "corpus" in one.reading.head for one in self.data)
        self.survey = survey(
            self.corpus, gold, self.kinds.first, near=near, ids=ids, fingerprint=judged_on
        )
        self.notes += self.survey.limits
        for problem in (*self.survey.problems, *self.survey.duplicate_problems()):
            self.sink.add_problem(problem if problem.code else replace(problem, code="IO008"))
        self._count_hidden(self.survey)

    def _count_hidden(self, survey: "CorpusSurvey") -> None:
        """Count what the survey found beyond what it names."""
        hidden = survey.duplicate_count - len(survey.duplicates)
        if hidden > 0 and self.sink.wants("CP004", survey.name):
            self.sink.by_code["CP004"] += hidden

    def _passed(self, value: Any, name: str, gold: Hashes | None, options: Options) -> Pass | None:
        try:
            records = as_records(value, name, options)
        except InputError as error:
            self._tell(error)
            return None
        self.files.append(records.name)
        model = RunQuery if gold is not None else None
        one = Pass(records, self.asked, self.sink, model, self.kinds, gold)
        if isinstance(value, Fixture):
            one.reading.head.update(value.model_dump(include={"metrics", "corpus"}))
        with paused_collector():
            one.go()
        return one

    def _tell(self, error: InputError) -> None:
        """What is wrong with a text is a finding; that a file is not there is not."""
        if not all(problem.code for problem in error.problems):
            raise error
        for problem in error.problems:
            self.sink.add_problem(problem)

    def finish(self) -> ValidationReport:
        """Take second looks where there is a suspicion, and sum up."""
        for one in self.data:
            self._look_again(one)
        if self.run is not None:
            self._look_again(self.run)
        for one in [*self.data, *([self.run] if self.run else [])]:
            self._tell_of_rankings(one)
        if self.survey is not None:
            self._name_nearest(self.survey)
        data = [one for one in self.data if not one.is_run]
        found = self._ceilings(data)
        summary = self._summary(data, found.reached)
        self._judge(summary, found.bounds)
        return ValidationReport.model_construct(
            counts=self.sink.counts(),
            by_code=dict(sorted(self.sink.by_code.items())),
            findings=tuple(sorted(self.sink.findings, key=self._order)),
            statistics=summary,
            files=tuple(self.files),
            baselined=self.sink.baselined,
        )

    def _order(self, finding: Finding) -> tuple[float, float, float]:
        """By file and place; what has none stays in the order found, after what has one."""
        file = finding.file or ""
        number = self.files.index(file) if file in self.files else len(self.files)
        return number, finding.line or math.inf, finding.column or 0

    def _look_again(self, one: Pass) -> None:
        if self.survey is not None:
            self._tell_other_corpus(one, self.survey)
        main = "results" if one.is_run else "ground_truth"
        checks = self._suspicions(one)
        second_look(one.records, main, checks, self.sink, self.asked.understanding)

    def _tell_other_corpus(self, one: Pass, survey: "CorpusSurvey") -> None:
        """CP003, where the head of a fixture names a corpus."""
        from groupwise.evaluator.validation.rules.corpus_checks import other_corpus  # noqa: PLC0415

        line, column = one.reading.places.get("corpus", (None, None))
        other = other_corpus(one.reading.head.get("corpus"), survey)
        if other is not None:
            at = Problem("", one.records.name, line, column, pointer="/corpus")
            self.sink.add_placed(other, at)

    def _suspicions(self, one: Pass) -> list[Check]:
        checks: list[Check] = []
        if len(repeated := one.tally.query_ids.repeated):
            checks.append(RepeatedQueries(set(repeated.tolist())))
        if clashes := one.tally.spellings.clashes(one.tally.ids.distinct):
            checks.append(NearlyEqualIds(clashes))
        if len(texts := one.tally.texts.repeated):
            checks.append(RepeatedTexts(set(texts.tolist())))
        if any(depth and is_unequal(depth, one.rankings.median) for depth in one.rankings.depths):
            checks.append(UnequalDepth(one.rankings.median))
        if self.survey is not None and not one.is_run:
            checks.append(_beside(self.survey))
        return checks + self._unmatched(one)

    def _unmatched(self, one: Pass) -> list[Check]:
        """Queries that only one side has."""
        if self.run is None:
            return []
        of_data = union(each.tally.query_ids.distinct for each in self.data)
        of_run = self.run.tally.query_ids.distinct
        if one is self.run:
            only = only_in(of_run, of_data)
            message, code = "this query has no ground truth; it is ignored", "RN003"
        else:
            only = only_in(one.tally.query_ids.distinct, of_run)
            message, code = "this query is not in the run; it scores 0", "RN002"
        return [Unmatched(code, message, only)] if only else []

    def _share_nothing(self, one: Pass, data: Sequence[Pass]) -> bool:
        """Whether results and ground truth were read whole, hold ids, and none in common."""
        found = one.rankings.depths.total() > one.rankings.depths[0]
        sound = one.is_sound and all(each.is_sound for each in data)
        return (
            found and sound and not one.met and any(len(each.tally.ids.distinct) for each in data)
        )

    def _tell_no_id_in_common(self, one: Pass) -> None:
        message = "no result is an id of the ground truth: two id spaces?"
        self.sink.add(Draft("RN004", message, value="none"), Place(one.records.name, None))

    def _tell_of_rankings(self, one: Pass) -> None:
        """What is told once a file: ties, and results that meet nothing."""
        rankings = one.rankings
        if rankings.tied and 2 * rankings.tied >= rankings.scored:
            message = (
                f"in {rankings.tied} of {rankings.scored} rankings scores are equal: "
                "chance orders their results"
            )
            self.sink.add(Draft("RN005", message, value="ties"), Place(one.records.name, None))
        if self._share_nothing(one, self.data if one is self.run else [one]):
            self._tell_no_id_in_common(one)

    def _name_nearest(self, survey: "CorpusSurvey") -> None:
        """Say of ids that are not in the corpus which of its ids they resemble."""
        from groupwise.evaluator.validation.corpus.nearest import did_you_mean, nearest  # noqa: PLC0415

        found = self.sink.findings
        missing = [one for one in found if one.code == "CP001" and one.id is not None][:NAMED]
        ids = [one.id for one in missing if one.id is not None]
        near = nearest(ids, self.corpus, survey.ids)
        for finding in missing:
            hint = did_you_mean(near.get(finding.id, ())) if finding.id is not None else ""
            if hint:
                told = finding.model_copy(update={"message": f"{finding.message}; {hint}"})
                found[found.index(finding)] = told

    def _summary(self, data: Sequence[Pass], reached: dict[str, float | None]) -> Summary:
        per_query: Counter[int] = Counter()
        per_group: Counter[int] = Counter()
        for one in data:
            queries, groups = one.tally.shapes.histograms()
            per_query += queries
            per_group += groups
        distinct = [one.tally.ids.distinct for one in data]
        several = [in_several(distinct), *(one.tally.ids.repeated for one in data)]
        answerable = per_query.total()
        return Summary.model_construct(
            queries=sum(one.tally.queries for one in data),
            unanswerable=sum(one.tally.unanswerable for one in data),
            groups=per_group.total(),
            groups_per_query=dict(sorted(per_query.items())),
            alternatives_per_group=dict(sorted(per_group.items())),
            distinct_ids=len(union(distinct)),
            ids_in_several_queries=len(union(several)),
            queries_with_shared_ids=sum(one.tally.sharing for one in data),
            multi_group_share=1 - per_query[1] / answerable if answerable else None,
            profile=self.asked.profile,
            ceilings=reached,
        )

    def _ceilings(self, data: Sequence[Pass]) -> Ceilings:
        k = self.asked.k or max((one.k for one in data), default=DEFAULT_K)
        names = [*(f"{name}@{k}" for name in SIX), *(gate.metric for gate in self.asked.gates)]
        labels = [one.label for one in measures(names, self.asked.profile, ())]
        counted = chain.from_iterable(one.tally.shapes.counted() for one in data)
        return ceilings(counted, list(dict.fromkeys(labels)), self.asked.profile)

    def _judge(self, summary: Summary, bounds: Mapping[str, float | None]) -> None:
        if not self.asked.gates:
            return
        if any(one.tally.shapes.left_out for one in self.data):
            bounds = {}
        scored = sum(summary.groups_per_query.values())
        place = Place(self.files[0] if self.files else "", None)
        for draft in gate_checks(self.asked, scored, bounds):
            self.sink.add(draft, place)


def _beside(survey: "CorpusSurvey") -> Check:
    from groupwise.evaluator.validation.rules.corpus_checks import BesideCorpus  # noqa: PLC0415

    return BesideCorpus(survey)


def validate(  # noqa: PLR0913  (all by keyword)
    dataset: Any,
    *,
    corpus: Any = None,
    run: Any = None,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] = (),
    k: int | None = None,
    profile: str = "autorag",
    gates: Iterable[str] = (),
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    kept: int = KEPT,
) -> ValidationReport:
    """Find what is wrong or odd in ground truth, and in a run and a corpus beside it.

    Args:
        dataset: A path, a Dataset, groups by query id, records, or a Fixture.
        corpus: The documents: a path, texts by id, ids, or records with id and text.
        run: The results that belong to the ground truth, as ``evaluate`` takes them.
        select: Codes, beginnings of codes, or names of the rules to apply; None means all.
        ignore: Those not to apply.
        k: The cutoff of GT015 and of the ceilings; None means that of a fixture, else 10.
        profile: The meaning of the metrics of ceilings and gates.
        gates: What is asked of scores, such as ``"recall@5 >= 0.8"``, for the ST rules.
        flat: For a flat list of ids: ``"any"`` makes it one group, ``"all"`` one group per id.
        ids: ``"text"`` compares all ids as strings.
        kept: How many findings of each code to keep; all are counted.

    Returns:
        The report: ``ok``, ``counts``, ``by_code``, ``findings``, ``statistics``.

    Raises:
        InputError: A file cannot be read at all.
        UnknownMetric: A gate names a metric that there is not.

    Example:
        >>> report = validate({"q1": [["a", "b"], []]})
        >>> report.ok, report.codes
        (False, ['GT004'])
        >>> print(report)
        dataset: GT004 query 'q1': an empty group, which no result can meet; remove it or fill it
    """
    asked = Asked(k, profile, tuple(map(parse_gate, gates)), flat, ids)
    sink = Sink(wants=selection_of(select, ignore).wants, kept=kept)
    validation = Validation(asked, sink)
    validation.add(dataset)
    if run is not None:
        validation.add_run(run)
    if corpus is not None:
        validation.add_corpus(corpus)
    return validation.finish()


def assert_valid(dataset: Any, *, fail_on: FailOn = "warning", **asked: Any) -> None:
    """Raise an AssertionError that lists the findings, if there are any; for tests.

    Args:
        dataset: As for ``validate``.
        fail_on: ``"error"`` lets warnings pass.
        asked: All else that ``validate`` takes.

    Example:
        >>> assert_valid({"q1": [["a", "b"], ["c"]]})
    """
    report = validate(dataset, **asked)
    if report.fails(fail_on):
        raise AssertionError(f"the data are not valid:\n{report}")
