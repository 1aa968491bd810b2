"""The landing page: the failure that it shows is that of the showcase, as soon as there is one."""

import re
from pathlib import Path

PLACE = re.compile(r"<!-- failure -->.*<!-- /failure -->\n", re.DOTALL)
FOUND = re.compile(r"<!-- landing -->\n(.*?)<!-- /landing -->\n", re.DOTALL)


def show_failure(landing: str, root: Path) -> str:
    """Return the page with what the showcase marks for it instead of the example."""
    showcase = root / "docs" / "showcase.md"
    found = FOUND.search(showcase.read_text("utf-8")) if showcase.exists() else None
    return PLACE.sub(lambda _: found[1], landing) if found else landing
