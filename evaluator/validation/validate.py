"""Validation of data sets, alone or beside a run and a corpus."""

import os
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any, Literal

from groupwise.evaluator.errors import InputError
from groupwise.evaluator.garbage import uncollected
from groupwise.evaluator.inputs import as_records
from groupwise.evaluator.metrics.names import measures
from groupwise.evaluator.metrics.registry import SIX
from groupwise.evaluator.validation.asked import DEFAULT_K, Asked, Gate
from groupwise.evaluator.validation.case import Draft
from groupwise.evaluator.validation.ceilings import ceilings
from groupwise.evaluator.validation.engine import Pass
from groupwise.evaluator.validation.gates import gate_checks
from groupwise.evaluator.validation.hashes import Hashes, only_in, union
from groupwise.evaluator.validation.kinds import KindOfIds
from groupwise.evaluator.validation.second import (
    Check,
    NearlyEqualIds,
    RepeatedQueries,
    RepeatedTexts,
    UnequalDepth,
    Unmatched,
    is_unequal,
    second_look,
)
from groupwise.evaluator.validation.sink import Place, Sink
from groupwise.schemas import RunQuery, Summary, ValidationReport


class Validation:
    """Data sets, then a run and a corpus, then what they are together."""

    def __init__(self, asked: Asked, sink: Sink) -> None:
        self.asked = asked
        self.sink = sink
        self.kinds = KindOfIds(asked.ids)
        self.data: list[Pass] = []
        self.run: Pass | None = None
        self.files: list[str] = []

    def add(self, value: Any) -> None:
        """Validate a data set, a fixture, or a run that stands alone."""
        one = self._passed(value, "dataset", None)
        if one is not None:
            self.data.append(one)

    def add_run(self, value: Any) -> None:
        """Validate the results that belong to the data sets."""
        gold = union(one.tally.ids.distinct for one in self.data)
        self.run = self._passed(value, "run", gold)

    def _passed(self, value: Any, name: str, gold: Hashes | None) -> Pass | None:
        try:
            records = as_records(value, name)
        except InputError as error:
            self._tell(error)
            return None
        self.files.append(records.name)
        model = RunQuery if gold is not None else None
        one = Pass(records, self.asked, self.sink, model, self.kinds, gold)
        with uncollected():
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
        summary = self._summary()
        self._judge(summary)
        return ValidationReport(
            counts=self.sink.counts(),
            by_code=dict(sorted(self.sink.by_code.items())),
            findings=tuple(self.sink.findings),
            statistics=summary,
            files=tuple(self.files),
            baselined=self.sink.baselined,
        )

    def _look_again(self, one: Pass) -> None:
        main = "results" if one.is_run else "ground_truth"
        second_look(one.records, main, self._suspicions(one), self.sink)

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

    def _summary(self) -> Summary:
        data = [one for one in self.data if not one.is_run]
        per_query: Counter[int] = Counter()
        per_group: Counter[int] = Counter()
        for one in data:
            queries, groups = one.tally.shapes.histograms()
            per_query += queries
            per_group += groups
        several = [one.tally.ids.repeated for one in data]
        answerable = per_query.total()
        return Summary(
            queries=sum(one.tally.queries for one in data),
            unanswerable=sum(one.tally.unanswerable for one in data),
            groups=per_group.total(),
            groups_per_query=dict(sorted(per_query.items())),
            alternatives_per_group=dict(sorted(per_group.items())),
            distinct_ids=len(union(one.tally.ids.distinct for one in data)),
            ids_in_several_queries=len(union(several)),
            queries_with_shared_ids=sum(one.tally.sharing for one in data),
            multi_group_share=1 - per_query[1] / answerable if answerable else None,
            profile=self.asked.profile,
            ceilings=self._ceilings(data),
        )

    def _ceilings(self, data: Sequence[Pass]) -> dict[str, float | None]:
        k = self.asked.k or max((one.k for one in data), default=DEFAULT_K)
        names = [*(f"{name}@{k}" for name in SIX), *(gate.metric for gate in self.asked.gates)]
        labels = [one.label for one in measures(names, self.asked.profile, ())]
        counted = chain.from_iterable(one.tally.shapes.counted() for one in data)
        return ceilings(counted, list(dict.fromkeys(labels)), self.asked.profile)

    def _judge(self, summary: Summary) -> None:
        if not self.asked.gates:
            return
        scored = sum(summary.groups_per_query.values())
        place = Place(self.files[0] if self.files else "", None)
        for draft in gate_checks(self.asked, scored, summary.ceilings):
            self.sink.add(draft, place)


def validate(
    dataset: Any,
    *,
    run: Any = None,
    k: int | None = None,
    profile: str = "autorag",
    gates: Sequence[Gate] = (),
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    sink: Sink | None = None,
) -> ValidationReport:
    """Validate a data set."""
    asked = Asked(k, profile, tuple(gates), flat, ids)
    validation = Validation(asked, sink or Sink())
    for one in dataset if _are_paths(dataset) else [dataset]:
        validation.add(one)
    if run is not None:
        validation.add_run(run)
    return validation.finish()


def _are_paths(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, os.PathLike) for one in value)
