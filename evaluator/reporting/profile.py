"""How scores were computed, in a few words: the profile, and the matcher unless it is exact."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from groupwise.schemas import Provenance


def describe_profile(
    profile: str, matching: Mapping[str, Any], spell: Callable[[str], str] = str
) -> str:
    """Return the profile and the matcher, each of them spelled by a function.

    >>> describe_profile("trec", {"type": "span", "threshold": 0.5})
    'profile trec, matching span'
    >>> describe_profile("trec", {"type": "exact"})
    'profile trec'
    """
    name = str(matching.get("type", "exact"))
    by = "" if name == "exact" else f", matching {spell(name)}"
    return f"profile {spell(profile)}{by}"


def matching_of(provenance: "Provenance | None") -> Mapping[str, Any]:
    """Return how results met groups; nothing if it is not known."""
    return provenance.matching if provenance else {}
