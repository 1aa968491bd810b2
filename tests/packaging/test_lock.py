"""The lock: what pyproject.toml asks for, in one version, on every system and Python."""

import tomllib
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.packaging import lock
from tests.packaging.test_releases import supported_pythons
from tests.paths import ROOT

SYSTEMS = [("linux", "posix", "Linux"), ("darwin", "posix", "Darwin"), ("win32", "nt", "Windows")]


def list_requirements() -> list[Requirement]:
    """What groupwise and the extras of contributors ask for, directly."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    lines = [*project["dependencies"], *(line for name in lock.EXTRAS for line in extras[name])]
    lines += [
        line for name in ("html", "parquet", "spark", "stats", "text") for line in extras[name]
    ]
    found = map(Requirement, lines)
    return [requirement for requirement in found if requirement.name != "groupwise"]


def pins_on(python: str, system: tuple[str, str, str]) -> dict[str, list[str]]:
    platform, name, title = system
    setting = {
        "python_version": python, "python_full_version": f"{python}.1", "sys_platform": platform,
        "os_name": name, "platform_system": title, "platform_python_implementation": "CPython",
        "implementation_name": "cpython",
    }  # fmt: skip
    found: dict[str, list[str]] = {}
    for pin in lock.read_pins():
        if pin.marker is None or pin.marker.evaluate(setting):
            versions = found.setdefault(canonicalize_name(pin.name), [])
            versions.append(next(iter(pin.specifier)).version)
    return found


def test_every_line_is_a_version_and_names_no_index() -> None:
    lines = lock.LOCK.read_text("utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert len(pins) > 50
    assert [line for line in pins if not lock.PIN.fullmatch(line)] == []
    assert not any(mark in line for line in lines for mark in ("://", " @ ", "--"))


@pytest.mark.parametrize("python", supported_pythons())
@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system[0])
def test_there_is_one_version_of_all_that_is_needed(
    python: str, system: tuple[str, str, str]
) -> None:
    pins = pins_on(python, system)
    assert [name for name, versions in pins.items() if len(versions) != 1] == []
    for requirement in list_requirements():
        (version,) = pins[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), requirement


def test_another_version_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    locked = lock.find_locked()
    installed = metadata.version("numpy")
    monkeypatch.setattr(lock, "find_locked", lambda: locked | {"numpy": "0.1"})
    assert f"numpy is {installed}, the lock has 0.1" in lock.find_differences()
    monkeypatch.setattr(lock, "find_locked", dict)
    assert f"numpy is {installed}, the lock has none" in lock.find_differences()


def test_what_is_needed_is_found_through_others() -> None:
    needed = lock.find_needed()
    assert {"numpy", "pydantic", "pydantic-core", "pytest", "pluggy"} <= set(needed)


def test_ci_runs_with_the_versions_of_the_lock(pytestconfig: pytest.Config) -> None:
    if not pytestconfig.getoption("--all"):
        pytest.skip("the environment may be another one; make check-lock")
    assert lock.find_differences() == []
