"""The landing page: what the showcase found is taken from its page, whose numbers a run has."""

import re
from pathlib import Path

PLACE = "<!-- what the showcase found -->"
FOUND = re.compile(r"\*\*What was found\*\*\n\n(.*?)\n\n## ", re.DOTALL)


def write_landing(landing: str, showcase: Path) -> str:
    """Return the landing page with what the showcase found in its place."""
    found = FOUND.search(showcase.read_text("utf-8"))
    if found is None or PLACE not in landing:
        raise LookupError(f"the landing page needs {PLACE!r}, and {showcase.name} what was found")
    return landing.replace(PLACE, found[1])
