"""Rankings of several runs, beside the queries of one ground truth."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, NamedTuple

from groupwise.evaluator.errors import InputError, OptionError, Problem, Problems
from groupwise.evaluator.evaluation.disjoint import describe_disjoint
from groupwise.evaluator.evaluation.run_values import name_run
from groupwise.evaluator.evaluation.swapped import explain_swapped
from groupwise.evaluator.inspection.refusals import Refused, explain_refusals
from groupwise.evaluator.inspection.settling import add_note, settle
from groupwise.evaluator.intake.check import Intake
from groupwise.evaluator.intake.join import concatenate
from groupwise.evaluator.intake.kinds import Kinds
from groupwise.evaluator.intake.objects import as_records
from groupwise.evaluator.intake.positional import pair_by_position
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.order import sort_by_score
from groupwise.evaluator.reading.file import path_of
from groupwise.evaluator.text import quote
from groupwise.schemas import Id, Policies, Query, Reference, Run, RunQuery


class Ranking(NamedTuple):
    """The results of a query, best first, with what they refer to, and their scores."""

    ids: list[Id]
    references: list[Reference] | None = None
    scores: list[float] | None = None

    def find_reference(self, place: int) -> Reference:
        """Return what the result at a place, counted from 0, refers to."""
        return self.references[place] if self.references else Reference(self.ids[place])


NO_RESULTS = Ranking([])


@dataclass
class NamedRun:
    """A run: its name, and the ranking of each query of the ground truth that it has."""

    name: str
    rankings: dict[str, Ranking] = field(default_factory=dict)

    def rank(self, query: str) -> Ranking:
        """Return the ranking of a query; an empty one if the run lacks the query."""
        return self.rankings.get(query, NO_RESULTS)


def name_given_runs(given: Any) -> dict[str, Any]:
    """Return runs by name: a mapping as it is, a Run or a path under its own name.

    Raises:
        OptionError: This is none of them, or a name is not text.
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        given = {name_of_run(given): given}
    for name in given:
        if not isinstance(name, str) or not name.strip():
            message = f"run: expected a name for each run, got {quote(name)}"
            raise OptionError([Problem(message)])
    return dict(given)


def name_of_run(given: Any) -> str:
    """Return the name of a run that is given without one.

    Raises:
        OptionError: This is no run.
    """
    if isinstance(given, Run):
        return "run"
    given = path_of(given)
    if isinstance(given, str | os.PathLike):
        return PurePath(os.fspath(given)).name.partition(".")[0] or "run"
    expected = 'expected a path, a Run, or runs by name, such as {"bm25": run}'
    raise OptionError([Problem(f"run: {expected}; got {quote(given)}")])


class RunReader:
    """Reads runs for the queries of one ground truth, whose ids they must have in kind.

    Args:
        queries: The queries of the ground truth.
        policies: How ids are compared.
        kept: How many results of a ranking are needed; None: all.
    """

    def __init__(
        self,
        queries: Sequence[Query],
        policies: Policies,
        kept: int | None,
    ) -> None:
        self._kept = kept
        self._ids = [query.id for query in queries]
        self._policies = policies
        self._kinds = Kinds()
        for query in queries:
            for example in query.judged_ids()[:1]:
                self._kinds.note(type(example), "ground_truth", example, query.id)

    def read(self, name: str, run: Any, *, by_score: bool) -> NamedRun:
        """Return a run, in order of its scores where that counts.

        Raises:
            InputError: The run is invalid, or has no query of the ground truth; the message names
                it.
        """
        try:
            with explain_refusals([Refused.of(run, "run")]):
                rows = self._read_rows(run)
        except InputError as error:
            raise name_run(error, name) from None
        known = {*self._ids}
        if known.isdisjoint(rows.ids):
            problem = Problem(describe_disjoint(self._ids, rows.ids), f"run {name!r}")
            raise InputError([problem])
        ordered = sort_by_score(rows) if by_score else rows
        rankings = _list_rankings(ordered, self._kept)
        return NamedRun(name, {query: found for query, found in rankings if query in known})

    def _read_rows(self, run: Any) -> Rows:
        settled = settle(run, None, "run", texts=True)
        records = add_note(as_records(settled.value, "results", settled.options), settled.note)
        paired = pair_by_position(records, "ground_truth", lambda: self._ids)
        problems = Problems()
        intake = Intake(paired, RunQuery, self._policies, problems, self._kinds, references=True)
        try:
            rows = concatenate(intake.rows())
            problems.raise_if_any()
        except InputError as error:
            raise explain_swapped(error, None, records) from None
        return rows


def _list_rankings(rows: Rows, kept: int | None) -> Iterable[tuple[str, Ranking]]:
    """Yield the first results of each query."""
    references = rows.result_references or [None] * len(rows)
    scores = rows.scores or [None] * len(rows)
    for query, ids, given, own in zip(rows.ids, rows.results, references, scores, strict=True):
        yield query, Ranking(list(ids)[:kept], given and given[:kept], own and own[:kept])
