"""Options and profiles of the whole suite."""

import pytest
from hypothesis import HealthCheck, settings

QUICK, THOROUGH = 200, 1000


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run slow tests, with many examples")


def pytest_configure(config: pytest.Config) -> None:
    common = settings(
        deadline=None,
        derandomize=True,
        database=None,
        print_blob=False,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    settings.register_profile("quick", common, max_examples=QUICK)
    settings.register_profile("thorough", common, max_examples=THOROUGH)
    settings.load_profile("thorough" if config.getoption("--slow") else "quick")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.skip(reason="slow; run with --slow"))
