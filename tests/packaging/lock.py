"""The versions of requirements-dev.lock, beside those that are installed: ``make check-lock``."""

import re
import sys
from collections.abc import Iterator
from importlib import metadata

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.paths import ROOT

LOCK = ROOT / "requirements-dev.lock"
EXTRAS = ("dev", "peers", "showcase", "site")
PIN = re.compile(r"[a-z0-9][a-z0-9.-]*==[0-9][\w.+!]*( ; .+)?")


def read_pins() -> list[Requirement]:
    """Return the lines of the lock; each names one version."""
    lines = LOCK.read_text("utf-8").splitlines()
    return [Requirement(line) for line in lines if not line.startswith("#")]


def find_locked() -> dict[str, str]:
    """Return the versions that the lock has for this Python and system."""
    return {
        canonicalize_name(pin.name): next(iter(pin.specifier)).version
        for pin in read_pins()
        if pin.marker is None or pin.marker.evaluate()
    }


def find_needed() -> dict[str, str]:
    """Return what is installed because groupwise or a tool for its tests needs it."""
    found: dict[str, str] = {}
    waiting = list(_requirements("groupwise", frozenset(EXTRAS)))
    while waiting:
        name, extras = waiting.pop()
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:  # of an extra that is not installed
            continue
        if name not in found or extras:
            found[name] = version
            waiting += (need for need in _requirements(name, extras) if need[0] not in found)
    return found


def _requirements(name: str, extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield what a distribution needs here, with the extras of it that are needed."""
    for text in metadata.requires(name) or ():
        need = Requirement(text)
        marker = need.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield canonicalize_name(need.name), frozenset(need.extras)


def find_differences() -> list[str]:
    """Say which installed versions are not those of the lock."""
    locked = find_locked()
    needed = {name: version for name, version in find_needed().items() if name != "groupwise"}
    return [
        f"{name} is {version}, the lock has {locked.get(name, 'none')}"
        for name, version in sorted(needed.items())
        if version != locked.get(name)
    ]


if __name__ == "__main__":
    differences = find_differences()
    sys.stdout.write("".join(f"{line}\n" for line in differences))
    sys.exit(bool(differences))
