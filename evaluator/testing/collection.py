"""Fixtures as pytest items: one for the scores, and one per query with an expectation."""

import os
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from groupwise.evaluator.errors import GroupwiseError
from groupwise.evaluator.evaluation.checked_files import Lines, find_lines
from groupwise.evaluator.evaluation.fixture import (
    FixtureContent,
    read_fixture,
    read_fixture_text,
)
from groupwise.evaluator.reporting.sanitise import xml_safe
from groupwise.evaluator.testing.failures import (
    Failure,
    describe_broken,
    describe_query,
    describe_scores,
)
from groupwise.evaluator.testing.item_names import SCORES, name_items
from groupwise.evaluator.text import fit_encoding, printable
from groupwise.schemas import FixtureCheck, Outcome

if TYPE_CHECKING:
    from groupwise.schemas.explanation import Explanation

NOTHING_EXPECTED = "nothing is expected; pytest --groupwise-update writes the scores"


class Mismatch(Exception):  # noqa: N818  (an outcome, not an error of the code)
    """A test that fails, with the text to show in place of a traceback."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class FixtureFile(pytest.File):
    """A fixture. It is read when it is collected, and evaluated when the first item runs."""

    def collect(self) -> "Iterator[FixtureItem]":
        """Yield the items; a broken fixture is one item, which says what is wrong."""
        self.add_marker("groupwise")
        try:
            content = self.content
            content.verify()
        except GroupwiseError as error:
            yield BrokenItem.from_parent(self, name=SCORES, error=error)
            return
        queries = [query for query in content.expected if query is not None]
        if None in content.expected or not queries:
            yield self._build_scores_item(is_idle=not content.expected and not self.is_updated)
        for query, name in name_items(queries).items():
            yield QueryItem.from_parent(self, name=name, query=query)

    def _build_scores_item(self, *, is_idle: bool) -> "ScoresItem":
        item: ScoresItem = ScoresItem.from_parent(self, name=SCORES)
        if is_idle:
            item.add_marker(pytest.mark.skip(reason=NOTHING_EXPECTED))
        return item

    @property
    def is_updated(self) -> bool:
        """Whether the scores found are to be written."""
        return bool(self.config.getoption("groupwise_update"))

    @cached_property
    def content(self) -> FixtureContent:
        """The fixture, without scores."""
        read = read_fixture_text if self.is_updated else read_fixture
        return read(os.fspath(self.path))

    @cached_property
    def place(self) -> str:
        """The path as it is seen from the folder that pytest was started in."""
        try:
            return os.path.relpath(self.path, self.config.invocation_params.dir)
        except ValueError:  # on another drive of Windows
            return str(self.path)

    @cached_property
    def check(self) -> FixtureCheck:
        """The outcomes of all expectations; evaluates the fixture."""
        return self.content.check(require=False)

    @cached_property
    def outcomes(self) -> Mapping[str | None, list[Outcome]]:
        """The outcomes of each query, and of the means (None)."""
        found: dict[str | None, list[Outcome]] = {}
        for outcome in self.check.outcomes:
            found.setdefault(outcome.query, []).append(outcome)
        return found

    @cached_property
    def to_update(self) -> set[str | None]:
        """The queries, and None for the means, whose numbers are to be written."""
        return set()

    @cached_property
    def lines(self) -> Lines:
        """The lines of the expectations that are not met."""
        return find_lines(self.content, self.check)

    def explain(self, query: str, k: int) -> "Explanation":
        """Return the explanation of a query that falls short; all of them are computed at once.

        Raises:
            GroupwiseError: It cannot be explained.
        """
        if k not in self._explanations:
            found = (outcome.query for outcome in self.check.differences)
            failed = {each for each in found if each is not None}
            worst = {each for queries in self.check.worst.values() for each in queries}
            self._explanations[k] = self.content.explain(sorted(failed | worst), k)
        return self._explanations[k]

    @cached_property
    def _explanations(self) -> "dict[int, Explanation]":
        return {}


class FixtureItem(pytest.Item):
    """A test of a fixture."""

    parent: FixtureFile
    query: str | None = None

    def setup(self) -> None:
        """Evaluate the fixture, once; what fails here, pytest counts as an error."""
        problem = self._find_problem()
        if problem:
            pytest.fail(problem, pytrace=False)

    def _find_problem(self) -> str:
        """Return why the fixture cannot be evaluated; blank if it can."""
        try:
            self.evaluate()
        except GroupwiseError as error:
            return describe_broken(error, str(self.path), self.parent.place)
        return ""

    def evaluate(self) -> None:
        """Evaluate the fixture.

        Raises:
            GroupwiseError: It cannot be evaluated.
        """
        self.parent.outcomes  # noqa: B018  (computed once)

    def runtest(self) -> None:
        """Compare what is expected with what is found."""
        found = self.parent.outcomes.get(self.query, [])
        if self.parent.is_updated:
            self.parent.to_update.add(self.query)
            found = [each for each in found if isinstance(each.expected, str)]
        failed = [outcome for outcome in found if not outcome.passed]
        if failed:
            raise Mismatch(self.describe(failed))

    def describe(self, failed: list[Outcome]) -> Failure:
        """Return what to show of expectations that are not met."""
        raise NotImplementedError

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the file, and the heading of a failure; pytest alters one that ends a node id."""
        return self.path, 0, f"{self.name} in {printable(self.path.name)}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return what failed as text, without a traceback."""
        if not isinstance(excinfo.value, Mismatch):
            return super().repr_failure(excinfo, style)
        failure = excinfo.value.failure
        shown: Any = excinfo.getrepr(style="native")
        encoding = getattr(sys.__stdout__, "encoding", None) or "utf-8"
        shown.reprtraceback.reprentries[0].lines = [f"{fit_encoding(failure.text, encoding)}\n"]
        if shown.reprcrash is not None:
            shown.reprcrash.path = failure.path
            shown.reprcrash.lineno = failure.line or 1
            shown.reprcrash.message = failure.message
        return shown


class ScoresItem(FixtureItem):
    """The test of the means of a fixture; a fixture that expects nothing is skipped."""

    def runtest(self) -> None:
        """Record the means, and compare them."""
        self.groupwise_scores = {
            xml_safe(name): score
            for name, score in self.parent.content.list_scores().items()
            if score is not None
        }
        super().runtest()

    def describe(self, failed: list[Outcome]) -> Failure:
        """Return the means that fall short, and the worst queries."""
        return describe_scores(self.parent, failed)


class QueryItem(FixtureItem):
    """The test of a query."""

    def __init__(self, *, query: str, **options: Any) -> None:
        super().__init__(**options)
        self.query = query

    def describe(self, failed: list[Outcome]) -> Failure:
        """Return the scores that fall short, and the explanation of the query."""
        return describe_query(self.parent, failed)


class BrokenItem(FixtureItem):
    """A fixture that cannot be read, as one test that ends in an error."""

    def __init__(self, *, error: GroupwiseError, **options: Any) -> None:
        super().__init__(**options)
        self._error = error

    def evaluate(self) -> None:
        """Say what is wrong."""
        raise self._error
