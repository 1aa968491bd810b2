"""The hook of the models: methods that other layers implement.

Models are data. How a report looks as Markdown, or how a frame becomes a data set, is not theirs to
know: the package that holds them binds a function to each such method, by name.
"""

import sys
from functools import cache
from typing import Any, Protocol, cast


class Host(Protocol):
    """The package around the models."""

    def _find_bound(self, name: str) -> Any:
        """Return the function that is bound to a name."""
        ...


def find_bound(name: str) -> Any:
    """Return the function that the package binds to this name."""
    host = cast("Host", sys.modules[__name__.partition(".")[0]])
    return host._find_bound(name)  # noqa: SLF001  (the hook)


@cache
def find_version() -> str:
    """Return the version of groupwise."""
    return str(find_bound("__version__"))
