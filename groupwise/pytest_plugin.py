"""The pytest plugin: fixtures of groupwise are test files.

pytest loads this module in every environment that groupwise is installed in. So it is small,
imports nothing of groupwise before a fixture is collected, and does nothing under versions of
pytest that it does not support. It has no assertions to rewrite: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

from fnmatch import fnmatch
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from groupwise.evaluator.testing.collection import FixtureFile
    from groupwise.evaluator.testing.recorder import Recorder

UPDATE = "groupwise_update"
FILES = "groupwise_files"
SCORES = "groupwise_scores"
"""The attribute of a test, and of its report, that holds the scores it recorded."""
PATTERN = "*.groupwise.json"
NOT_PARALLEL = (
    "--groupwise-update writes files, which several processes must not do at once; "
    "run it without pytest-xdist: add -n 0"
)
IS_SUPPORTED = hasattr(pytest, "version_tuple")
"""Whether this is pytest 7 or newer; hooks of older versions have other arguments."""
SHOWN = 50
"""How many tests the summary lists."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that updates fixtures, and the setting that says which files are fixtures."""
    group = parser.getgroup("groupwise", "evaluation of retrieval results")
    group.addoption(
        "--groupwise-update",
        dest=UPDATE,
        action="store_true",
        help="write the scores found into the fixtures of groupwise, after showing the difference",
    )
    parser.addini(
        FILES, f"patterns of the file names of fixtures (default: {PATTERN})", "args", [PATTERN]
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark of our tests, and what sums them up at the end.

    Raises:
        UsageError: Fixtures are to be updated by several processes.
    """
    if not IS_SUPPORTED:
        return
    config.addinivalue_line("markers", "groupwise: a test of a groupwise fixture")
    is_parallel = config.getoption("dist", "no") != "no" or hasattr(config, "workerinput")
    if config.getoption(UPDATE) and is_parallel:
        raise pytest.UsageError(NOT_PARALLEL)
    config.pluginmanager.register(_Summary(config), "groupwise-summary")


if IS_SUPPORTED:

    def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> FixtureFile | None:
        """Collect a fixture; what can collect it is imported with the first one."""
        if not any(_is_match(file_path, each) for each in parent.config.getini(FILES)):
            return None
        from groupwise.evaluator.testing.collection import FixtureFile  # noqa: PLC0415

        return FixtureFile.from_parent(parent, path=file_path)


def _is_match(path: Path, pattern: str) -> bool:
    return path.match(pattern) if "/" in pattern else fnmatch(path.name, pattern)


def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> pytest.TestReport | None:
    """Attach the scores that a test recorded to its report, which xdist sends to the controller.

    They are no user properties: those become properties of a test case in JUnit XML, which its
    schema does not allow.
    """
    scores = getattr(item, SCORES, None)
    if not scores or call.when != "call" or not IS_SUPPORTED:
        return None
    report = pytest.TestReport.from_item_and_call(item, call)
    vars(report)[SCORES] = scores
    return report


class _Summary:
    """Collects the scores that tests recorded, for JUnit XML and for the end of the run."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._scores: dict[str, Mapping[str, float]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the scores of a test."""
        scores = getattr(report, SCORES, None)
        if scores:
            self._scores[report.nodeid] = scores

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Write the fixtures that are updated, and the scores as properties of the suite."""
        if self._scores:
            self._add_properties()
        if self._config.getoption(UPDATE) and exitstatus != pytest.ExitCode.INTERRUPTED:
            from groupwise.evaluator.testing.updates import update_fixtures  # noqa: PLC0415

            update_fixtures(session)

    def _add_properties(self) -> None:
        plugins = self._config.pluginmanager.get_plugins()
        document: Any = next((p for p in plugins if hasattr(p, "add_global_property")), None)
        if document is not None:
            for test, scores in sorted(self._scores.items()):
                for metric, score in scores.items():
                    document.add_global_property(f"{_escape(test)} {metric}", score)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Show the scores."""
        if not self._scores or self._config.getoption("verbose") < -1:
            return
        terminalreporter.ensure_newline()
        terminalreporter.section("groupwise scores")
        for test, scores in sorted(self._scores.items())[:SHOWN]:
            shown = ", ".join(f"{metric} {score:.4f}" for metric, score in scores.items())
            terminalreporter.write_line(f"{_escape(test)}: {shown}")
        if len(self._scores) > SHOWN:
            terminalreporter.write_line(f"… and {len(self._scores) - SHOWN:,} more tests")


def _escape(text: str) -> str:
    """Return text without control characters, which the names of files may have."""
    return text if text.isprintable() else ascii(text)[1:-1]


@pytest.fixture
def groupwise(request: pytest.FixtureRequest) -> Recorder:
    """Assertions about reports and data; scores are recorded for JUnit XML and the summary."""
    from groupwise.evaluator.testing.recorder import Recorder  # noqa: PLC0415

    return Recorder(request.node)
