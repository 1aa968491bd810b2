"""Profiles: whose definitions the names of metrics have."""

from groupwise.evaluator.errors import OptionError, Problem
from groupwise.evaluator.text import quote, suggest

PROFILES = ("autorag", "trec", "coverage")


def check_profile(profile: str) -> None:
    """Raise an OptionError that names the nearest profile, unless this is one of them."""
    if not isinstance(profile, str) or profile not in PROFILES:
        hint = suggest(str(profile), PROFILES)
        raise OptionError([Problem(f"no profile {quote(profile)}; {hint}")])
