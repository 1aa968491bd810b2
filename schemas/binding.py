"""The one hook of the models: methods that other layers carry out.

Models are data. How a report looks as Markdown, or how a frame becomes a data set, is for others to
say. The package that holds this one binds a function to each such method, by name.
"""

import sys
from typing import Any, Protocol, cast


class Host(Protocol):
    """The package around the models."""

    def _bound(self, name: str) -> Any:
        """Return the function that is bound to a name."""
        ...


def bound(name: str) -> Any:
    """Return the function that the package binds to this name."""
    host = cast("Host", sys.modules[__name__.partition(".")[0]])
    return host._bound(name)  # noqa: SLF001  (the one hook)
