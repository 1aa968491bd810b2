"""What was evaluated: the heading of a page, its inputs, its policies."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from groupwise.evaluator.reporting.explained import show_value
from groupwise.schemas import Provenance

ROLES = {"ground_truth": "ground truth", "run": "run", "corpus": "corpus"}
OBJECTS = "objects in memory"


class Fact(NamedTuple):
    """A fact about what was evaluated; ``code`` is shown as code."""

    name: str
    text: str
    code: str = ""


def list_inputs(provenance: Provenance | None) -> Iterator[Fact]:
    """Yield the inputs with their fingerprints."""
    for given in provenance.inputs if provenance else ():
        yield Fact(ROLES[given.role], given.name or OBJECTS, given.fingerprint or "")


def name_inputs(provenance: Provenance | None, role: str) -> list[str]:
    """Return the names of the inputs in a role, those that have one."""
    inputs = provenance.inputs if provenance else ()
    return [given.name for given in inputs if given.role == role and given.name]


def list_policies(provenance: Provenance | None) -> list[str]:
    """Return the policies that decide something."""
    policies: Mapping[str, Any] = dict(provenance.policies) if provenance else {}
    return [f"{name}={value}" for name, value in policies.items() if value is not None]


def describe_matching(matching: Mapping[str, Any]) -> str:
    """Return the matcher with its options and counts.

    >>> describe_matching({"type": "span", "threshold": 0.5, "counts": {"together": 3}})
    'span, threshold=0.5 (together: 3)'
    """
    options = {name: v for name, v in matching.items() if name not in ("type", "counts")}
    shown = [
        str(matching.get("type", "exact")),
        *(f"{n}={show_value(v)}" for n, v in options.items()),
    ]
    counts = ", ".join(f"{name}: {n:,}" for name, n in matching.get("counts", {}).items())
    return ", ".join(shown) + (f" ({counts})" if counts else "")
