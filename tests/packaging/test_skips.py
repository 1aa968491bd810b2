"""With ``--all``, as in CI, nothing is skipped: neither a test nor a module as a whole."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests import conftest


def conclude(hook: Any, *, is_all: bool, reason: str) -> str:
    """Return the outcome of a report that says "skipped", after a hook has seen it."""
    given = SimpleNamespace(config=SimpleNamespace(getoption=lambda _name: is_all))
    report = SimpleNamespace(skipped=True, outcome="skipped", longrepr=("file", 1, reason))
    steps = hook(given)
    next(steps)
    with pytest.raises(StopIteration) as end:
        steps.send(report)
    return str(end.value.value.outcome)


@pytest.mark.parametrize(
    "hook", [conftest.pytest_runtest_makereport, conftest.pytest_make_collect_report]
)
def test_what_is_skipped_fails_in_ci(hook: Any) -> None:
    reason = "Skipped: ray is in the extra 'peers'"
    assert conclude(hook, is_all=True, reason=reason) == "failed"
    assert conclude(hook, is_all=False, reason=reason) == "skipped"
