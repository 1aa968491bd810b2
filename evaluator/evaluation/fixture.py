"""Fixtures as tests: compare expected scores with those found."""

import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from groupwise.evaluator.errors import InputError, OptionError, Problem, Problems, UnknownMetric
from groupwise.evaluator.evaluation.expectations import add_expected, correct_expected
from groupwise.evaluator.evaluation.plan import NO_HEAD, Plan
from groupwise.evaluator.formats.opening import open_editable, records_in
from groupwise.evaluator.intake.checking import Intake
from groupwise.evaluator.intake.problems import read_head
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.metrics.names import parse
from groupwise.evaluator.reading.records import JsonForm, Records
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.reading.text_file import MARK, TextFile
from groupwise.schemas import Difference, FixtureCheck, FixtureHead, FixtureQuery, Policies, Report

NOT_EDITABLE = (
    "only groupwise JSON and JSON Lines can be updated; convert the file first: "
    "groupwise convert IN OUT.json"
)
Expectations = dict[str | None, Mapping[str, float | None]]


def check_fixture(
    path: str | os.PathLike[str], *, update: bool = False, dry: bool = False
) -> FixtureCheck:
    """Evaluate a fixture and compare the scores with those it expects.

    Args:
        path: A file with queries, results, and the scores that are expected of them.
        update: Write the scores found in place of those expected; where nothing is expected, add
            them. Every other character of the file stays.
        dry: With ``update``, leave the file as it is.

    Returns:
        A check whose ``ok`` says whether all expectations were met within the tolerance, and whose
        ``differences`` says which were not. ``str()`` returns it as text.

    Raises:
        InputError: The file is invalid, or expects nothing and is not to be updated.
    """
    if not update:
        return read_fixture(path).check()
    fixture = read_fixture_text(path)
    if not dry:
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
    is None if the text cannot be updated; ``file`` holds it if it was read for that.
    """

    name: str
    form: JsonForm | None
    head: FixtureHead = NO_HEAD
    rows: list[Rows] = field(default_factory=list)
    expected: Expectations = field(default_factory=dict)
    problems: Problems = field(default_factory=Problems)
    file: TextFile | None = None

    def check(self, *, require: bool = True) -> FixtureCheck:
        """Compare what is expected with what is found.

        Raises:
            InputError: The fixture expects nothing, and ``require`` is set.
        """
        if require and not self.expected:
            message = 'nothing is expected; add "expected", or run check --update to write it'
            raise InputError([Problem(message, self.name)])
        checked = sum(map(len, self.expected.values()))
        return FixtureCheck(
            fixture=self.name, checked=checked, differences=tuple(self.differences())
        )

    def make_update(self) -> FixtureUpdate:
        """Return the text with the scores found in place of those expected, or added to it.

        Raises:
            InputError: The file is not our own JSON or JSON Lines.
        """
        if self.form is None:
            raise InputError([Problem(NOT_EDITABLE, self.name)])
        file = self.file or TextFile(self.name)
        mark, text = (MARK, file.text[1:]) if file.text.startswith(MARK) else ("", file.text)
        if self.expected:
            new = correct_expected(text, self.differences(), self.form)
        else:
            new = add_expected(text, self.report.scores, self.report.per_query, self.form)
        return FixtureUpdate(file, f"{mark}{new}")

    def differences(self) -> Iterator[Difference]:
        """Yield each expectation that is not met."""
        for query, scores in self.expected.items():
            for name, expected in scores.items():
                found = look_up(self.report, query, name)
                if not _agree(found, expected, self.head.tolerance):
                    yield Difference(query=query, metric=name, expected=expected, found=found)

    @cached_property
    def report(self) -> Report:
        """The scores, of every metric that the fixture names or expects a value of."""
        try:
            partial = self._plan().start(self.head)
        except (UnknownMetric, OptionError) as error:
            raise InputError([Problem(str(error), self.name)]) from None
        for rows in self.rows:
            partial.add(rows)
        return partial.report()

    def _plan(self) -> Plan:
        named = [name for scores in self.expected.values() for name in scores]
        return Plan(tuple(dict.fromkeys([*(self.head.metrics or ()), *named])) or None)

    def reading_needs(self) -> tuple[Policies, bool]:
        """Return the policies that head and metrics ask for, and whether references are needed."""
        try:
            setup = self._plan().start(self.head).setup
        except (UnknownMetric, OptionError):
            return self.head.policies, False
        return setup.policies, setup.needs_references


def read_fixture_text(path: str | os.PathLike[str]) -> FixtureContent:
    """Read a fixture that is to be updated: its text is read once, and written if it is the same.

    Raises:
        InputError: The file is invalid, or cannot be updated.
    """
    editable = open_editable(path)
    if editable is None:
        raise InputError([Problem(NOT_EDITABLE, os.fspath(path))])
    content = read_fixture(editable.file.source)
    content.file = editable.file
    return content


def read_fixture(path: str | os.PathLike[str] | Source) -> FixtureContent:
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
    return content


def _read_with(records: Records, policies: Policies, *, references: bool = False) -> FixtureContent:
    content = FixtureContent(records.name, records.editable)
    intake = Intake(records, FixtureQuery, policies, content.problems, references=references)
    content.rows = list(intake.rows())
    content.head = read_head(intake.reading, records.name)
    if content.head.expected:
        content.expected[None] = content.head.expected
    for rows in content.rows:
        pairs = zip(rows.ids, rows.expected, strict=False)
        content.expected |= {query_id: scores for query_id, scores in pairs if scores}
    return content


def look_up(report: Report, query: str | None, name: str) -> float | None:
    """Return the mean of a metric, or its value for one query."""
    label = parse(name, report.profile).label
    if query is None and label in report.ranks:
        raise InputError([Problem(f"{name} is a rank; ranks have no mean, expect it of queries")])
    return report.scores[label] if query is None else report.per_query[query][label]


def _agree(found: float | None, expected: float | None, tolerance: float) -> bool:
    if found is None or expected is None:
        return found is expected
    return math.isclose(found, expected, rel_tol=0, abs_tol=tolerance)
