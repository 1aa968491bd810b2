"""Fixtures as tests: compare expected scores with those found."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from groupwise.evaluator.errors import InputError, OptionError, Problem, Problems, UnknownMetric
from groupwise.evaluator.evaluation.arguments import checks_arguments
from groupwise.evaluator.evaluation.evaluator import open_chunks
from groupwise.evaluator.evaluation.expectations import add_expected, correct_expected
from groupwise.evaluator.evaluation.fresh_run import FreshRun, score_run
from groupwise.evaluator.evaluation.outcomes import companion_of, list_outcomes, refuse_rank
from groupwise.evaluator.evaluation.partial import Partial
from groupwise.evaluator.evaluation.plan import NO_HEAD, Plan
from groupwise.evaluator.formats.opening import open_editable, records_in
from groupwise.evaluator.intake.check import Intake
from groupwise.evaluator.intake.join import concatenate
from groupwise.evaluator.intake.kinds import Kinds
from groupwise.evaluator.intake.problems import read_head
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.metrics.names import measures as measures_of
from groupwise.evaluator.metrics.names import parse
from groupwise.evaluator.reading.records import JsonForm, Records
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.reading.text_file import MARK, TextFile
from groupwise.schemas import FixtureCheck, FixtureHead, FixtureQuery, Outcome, Policies, Report
from groupwise.schemas.expectation import NO_WORSE, Expectation

if TYPE_CHECKING:
    from groupwise.evaluator.matching.lookup import Chunks
    from groupwise.schemas.explanation import Explanation

NOT_EDITABLE = (
    "only groupwise JSON and JSON Lines can be updated; convert the file first: "
    "groupwise convert IN OUT.json"
)
UPDATE_OR_RUN = "update writes the scores of the fixture's own results; it goes without a run"
WORST = 5
"""How many of the worst queries are named."""
METRICS_WITH_WORST = 3


@checks_arguments
def check_fixture(
    path: str | os.PathLike[str],
    *,
    run: Any = None,
    corpus: Any = None,
    update: bool = False,
    dry_run: bool = False,
) -> FixtureCheck:
    """Evaluate a fixture and compare the scores with those it expects.

    Args:
        path: A file with queries, results, and the scores that are expected of them.
        run: A fresh run to score against the ground truth of the fixture, instead of its own
            results: a path, or anything else that ``evaluate`` takes as results.
        corpus: The chunks in which ids are looked up, if the fixture is matched by texts or spans.
        update: Write the scores found in place of the numbers expected; where nothing is expected,
            add them. Bounds and every other character of the file stay.
        dry_run: With ``update``, leave the file as it is.

    Returns:
        A check whose ``ok`` says whether all expectations were met, and whose ``differences`` says
        which were not. ``str()`` returns it as text.

    Raises:
        InputError: The file or the run is invalid, or the file expects nothing and is not to be
            updated, or there is both a run and an update.
    """
    chunks = None if corpus is None else open_chunks(corpus)
    if not update:
        fresh = None if run is None else FreshRun(run)
        return read_fixture(path, chunks).check(run=fresh)
    if run is not None:
        raise InputError([Problem(UPDATE_OR_RUN)])
    fixture = read_fixture_text(path, chunks)
    if not dry_run:
        fixture.make_update().write()
    return fixture.check(require=False)


class FixtureUpdate(NamedTuple):
    """The text of a fixture, and the text to replace it."""

    file: TextFile
    new: str

    @property
    def old(self) -> str:
        """The text as it was read."""
        return self.file.text

    def write(self) -> None:
        """Replace the file, whole or not at all, if the text changes."""
        if self.new != self.old:
            self.file.write(self.new)


@dataclass
class FixtureContent:
    """A fixture in memory: its head, its queries in rows, and what it expects.

    ``expected`` has the scores that are expected of the mean (None) and of queries, by id. ``form``
    is None if the text cannot be updated; ``file`` holds it if it was read for that. Ids are looked
    up in ``corpus``, if matching needs more than ids.
    """

    name: str
    form: JsonForm | None
    head: FixtureHead = NO_HEAD
    rows: list[Rows] = field(default_factory=list)
    expected: dict[str | None, Mapping[str, Expectation]] = field(default_factory=dict)
    problems: Problems = field(default_factory=Problems)
    file: TextFile | None = None
    kinds: Kinds = field(default_factory=Kinds)
    corpus: "Chunks | None" = None

    def check(self, *, require: bool = True, run: FreshRun | None = None) -> FixtureCheck:
        """Compare what is expected with what is found: of a fresh run, if there is one.

        Raises:
            InputError: The fixture expects nothing, and ``require`` is set, or the run is invalid.
        """
        if require and not self.expected:
            message = 'nothing is expected; add "expected", or run check --update to write it'
            raise InputError([Problem(message, self.name)])
        report = self.report if run is None else self._score(run)
        outcomes = tuple(self.list_outcomes(report))
        return FixtureCheck(
            fixture=self.name,
            outcomes=outcomes,
            worst=_list_worst(report, outcomes),
            warnings=() if run is None else self._list_new_warnings(report),
            run=None if run is None else run.name,
        )

    def _list_new_warnings(self, report: Report) -> tuple[str, ...]:
        """Return the warnings about a run that are not about the fixture itself."""
        known = self.report.warnings if report.warnings else ()
        return tuple(warning for warning in report.warnings if warning not in known)

    def make_update(self, only: Collection[str | None] | None = None) -> FixtureUpdate:
        """Return the text with the scores found in place of the numbers expected, or added to it.

        Args:
            only: The queries whose numbers may change, with None for the means; None: all.

        Raises:
            InputError: The file is not our own JSON or JSON Lines.
        """
        if self.form is None:
            raise InputError([Problem(NOT_EDITABLE, self.name)])
        file = self.file or TextFile(self.name)
        mark, text = (MARK, file.text[1:]) if file.text.startswith(MARK) else ("", file.text)
        if self.expected:
            found = (each for each in self.list_outcomes(self.report) if not each.passed)
            chosen = (each for each in found if only is None or each.query in only)
            new = correct_expected(text, chosen, self.form)
        else:
            new = add_expected(text, self.report.scores, self.report.per_query, self.form)
        return FixtureUpdate(file, f"{mark}{new}")

    def list_outcomes(self, report: Report) -> Iterator[Outcome]:
        """Yield the outcome of each expectation."""
        before = self.report if self._expects_no_worse() else None
        return list_outcomes(self.expected, report, before, self.head.tolerance)

    def _expects_no_worse(self) -> bool:
        return any(NO_WORSE in scores.values() for scores in self.expected.values())

    @cached_property
    def report(self) -> Report:
        """The scores, of every metric that the fixture names or expects a value of."""
        partial = self._start()
        for rows in self.rows:
            partial.add(rows)
        return partial.report()

    def list_scores(self) -> dict[str, float | None]:
        """Return the means that the fixture asks for or has expectations of."""
        names = [name for scores in self.expected.values() for name in scores]
        asked = dict.fromkeys([*(self.head.metrics or ()), *names])
        labels = {measure.label for measure in measures_of(asked or None, self.head.profile)}
        return {name: score for name, score in self.report.scores.items() if name in labels}

    def verify(self) -> None:
        """Check what can be checked before anything is computed.

        Raises:
            InputError: There is no such metric, profile or matcher, or a mean of ranks is expected.
        """
        self._start()
        for name in self.expected.get(None, ()):
            refuse_rank(parse(name, self.head.profile), name)

    def explain(self, queries: Sequence[str], k: int) -> "Explanation":
        """Return which groups of these queries are met in the first k results, and why not.

        Raises:
            InputError: None of them can be explained.
        """
        from groupwise.evaluator.evaluation.explanations import Request  # noqa: PLC0415  (rarely needed)

        request, asked = Request(k, tuple(queries)), {*queries}
        partial = self._plan()._replace(explain=request).start(self.head)
        for rows in self.rows:
            partial.add(rows.only([n for n, query in enumerate(rows.ids) if query in asked]))
        explanation: Explanation = partial.report().explanation
        return explanation

    def _score(self, run: FreshRun) -> Report:
        """Return the scores of a run, with the ground truth and the policies of the fixture."""
        return score_run(self._start(), concatenate(self.rows), self.kinds, run, self.name)

    def _start(self) -> Partial:
        try:
            partial = self._plan().start(self.head)
            if self.corpus is None or not partial.setup.looked_up_parts:
                return partial
            return self._plan()._replace(corpus=self.corpus).start(self.head)
        except (UnknownMetric, OptionError) as error:
            raise InputError([Problem(str(error), self.name)]) from None

    def _plan(self) -> Plan:
        """Return what is to be computed: beside a rank, a score that says who has one."""
        expected = [name for scores in self.expected.values() for name in scores]
        named = dict.fromkeys([*(self.head.metrics or ()), *expected])
        if expected:
            measures = measures_of(named, self.head.profile)
            ranks = [measure for measure in measures if measure.metric.kind == "rank"]
            named |= dict.fromkeys(companion_of(rank, self.head.profile) for rank in ranks)
        return Plan(tuple(named) or None)

    def reading_needs(self) -> tuple[Policies, bool]:
        """Return the policies that head and metrics ask for, and whether references are needed."""
        try:
            setup = self._plan().start(self.head).setup
        except (UnknownMetric, OptionError):
            return self.head.policies, False
        return setup.policies, setup.needs_references


def read_fixture_text(
    path: str | os.PathLike[str], corpus: "Chunks | None" = None
) -> FixtureContent:
    """Read a fixture that is to be updated: its text is read once, and written if it is the same.

    Raises:
        InputError: The file is invalid, or cannot be updated.
    """
    editable = open_editable(path)
    if editable is None:
        raise InputError([Problem(NOT_EDITABLE, os.fspath(path))])
    content = read_fixture(editable.file.source, corpus)
    content.file = editable.file
    return content


def read_fixture(
    path: str | os.PathLike[str] | Source, corpus: "Chunks | None" = None
) -> FixtureContent:
    """Read a fixture: once, or again where its head asks for more than the defaults.

    Raises:
        InputError: The file is invalid; all problems are listed.
    """
    records = records_in(path)
    content = _read_with(records, NO_HEAD.policies)
    policies, references = content.reading_needs()
    if references or policies != NO_HEAD.policies:
        content = _read_with(records, policies, references=references)
    content.problems.raise_if_any()
    content.corpus = corpus
    return content


def _read_with(records: Records, policies: Policies, *, references: bool = False) -> FixtureContent:
    content = FixtureContent(records.name, records.editable)
    intake = Intake(
        records, FixtureQuery, policies, content.problems, content.kinds, references=references
    )
    content.rows = list(intake.rows())
    content.head = read_head(intake.reading, records.name)
    if content.head.expected:
        content.expected[None] = content.head.expected
    for rows in content.rows:
        pairs = zip(rows.ids, rows.expected, strict=False)
        content.expected |= {query_id: scores for query_id, scores in pairs if scores}
    return content


def _list_worst(report: Report, outcomes: Iterable[Outcome]) -> dict[str, dict[str, float | None]]:
    """Return the queries with the lowest scores, for the first metrics whose means fall short."""
    metrics = [each.metric for each in outcomes if each.query is None and not each.passed]
    return {
        metric: {query: report.per_query[query][metric] for query in report.worst(WORST, metric)}
        for metric in metrics[:METRICS_WITH_WORST]
    }
