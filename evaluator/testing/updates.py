"""Fixtures that are rewritten at the end of a test run."""

from typing import Any

import pytest

from groupwise.evaluator.errors import GroupwiseError
from groupwise.evaluator.reporting.diff import list_diff
from groupwise.evaluator.testing.collection import FixtureFile, FixtureItem
from groupwise.evaluator.text import printable

DIFF_LINES = 60
MARKUP = {"+": {"green": True}, "-": {"red": True}}


def update_fixtures(session: pytest.Session) -> None:
    """Write the scores found into the fixtures whose tests ran, each after showing its diff."""
    files = dict.fromkeys(
        item.parent for item in session.items if isinstance(item, FixtureItem) and _is_due(item)
    )
    terminal: Any = session.config.pluginmanager.get_plugin("terminalreporter")
    for number, file in enumerate(files):
        if terminal is not None and not number:
            terminal.write_line("")
            terminal.section("groupwise updates")
        problem = _update(file, terminal)
        if problem:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _is_due(item: FixtureItem) -> bool:
    return bool(item.parent.to_update)


def _update(file: FixtureFile, terminal: Any) -> str:
    """Update a fixture if its text changes; return why that was impossible."""
    try:
        update = file.content.make_update(file.to_update)
        if update.old == update.new:
            _show(terminal, [f"{printable(file.place)}: nothing to update"])
            return ""
        _show(terminal, list_diff(update.old, update.new, file.place, DIFF_LINES))
        update.write()
    except GroupwiseError as error:
        problem = str(error).replace(str(file.path), file.place)
        _show(terminal, [f"error: {printable(problem)}"])
        return problem
    return ""


def _show(terminal: Any, lines: list[str]) -> None:
    for line in lines if terminal is not None else ():
        terminal.write_line(line, **MARKUP.get(line[:1], {}))
