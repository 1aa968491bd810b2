"""Options and profiles of the whole suite."""

import signal
from collections.abc import Generator, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from groupwise.evaluator.formats.registry import REGISTRY as FORMATS
from groupwise.evaluator.matching.registry import MATCHERS
from groupwise.evaluator.metrics import registry
from groupwise.evaluator.plugins.registry import Registry
from groupwise.evaluator.reporting.comparison import COMPARISON_FORMS
from groupwise.evaluator.reporting.findings import FINDINGS_FORMS
from groupwise.evaluator.reporting.forms import REPORT_FORMS
from groupwise.evaluator.validation.rules.registry import RULES

QUICK, THOROUGH = 60, 10_000


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--nightly",
        action="store_true",
        help=f"the slowest tests too, on {THOROUGH:,} examples",
    )
    parser.addoption("--examples", type=int, help=f"examples of a property, usually {QUICK}")
    parser.addoption("--all", action="store_true", help="what would be skipped fails")
    parser.addoption("--cases", type=int, help="the most cases of a test with parameters")


def pytest_configure(config: pytest.Config) -> None:
    # A shell without job control starts background commands with SIGINT ignored, and the commands
    # under test inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    common = settings(
        deadline=None,
        derandomize=True,
        database=None,
        print_blob=False,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    usual = THOROUGH if config.getoption("--nightly") else QUICK
    examples = config.getoption("--examples") or usual
    # The properties of all metrics have ten times the examples of other tests: see strategies.
    settings.register_profile("many", common, max_examples=examples)
    settings.register_profile("quick", common, max_examples=min(QUICK, examples))
    settings.register_profile("thorough", common, max_examples=max(QUICK + 1, examples // 10))
    settings.load_profile("thorough" if examples > QUICK else "quick")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    kept = items
    if not config.getoption("--nightly"):
        kept = [item for item in items if not item.get_closest_marker("nightly")]
    if most := config.getoption("--cases"):
        chosen = choose_cases(kept, most)
        kept = [item for item in kept if item in chosen]
    remaining = {*kept}
    config.hook.pytest_deselected(items=[item for item in items if item not in remaining])
    items[:] = kept


def choose_cases(items: list[pytest.Item], most: int) -> set[pytest.Item]:
    """Return cases of each test, evenly spread over those that it has."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    return {
        found[place * len(found) // most] if len(found) > most else found[place]
        for found in cases.values()
        for place in range(min(most, len(found)))
    }


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With --all, skipped tests fail, except those that the machine does not allow."""
    report = yield
    if (
        report.skipped
        and item.config.getoption("--all")
        and "not allowed" not in str(report.longrepr)
    ):
        report.outcome = "failed"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """With --all, a module that is skipped as a whole fails as its tests would."""
    report = yield
    if report.skipped and collector.config.getoption("--all"):
        report.outcome = "failed"
    return report


@pytest.fixture
def nothing_added() -> Iterator[None]:
    """Forget the metrics, forms and so on that a test adds."""
    own = registry._own
    forms: list[Registry[Any]] = [REPORT_FORMS, FINDINGS_FORMS, COMPARISON_FORMS]
    registries = [*forms, FORMATS, MATCHERS, RULES]
    added = [dict(one._added) for one in registries]
    yield
    for one, items in zip(registries, added, strict=True):
        one._added = items
    registry._own, registry._version = own, registry._version + 1
