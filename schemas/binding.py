"""The hook of the models: what other rooms implement, such as how a report looks as Markdown.

Models are data: the package that holds them binds a function to each such method, by name.
"""

import sys
from typing import Any


def find_bound(name: str) -> Any:
    """Return what the package binds to this name."""
    return vars(sys.modules[__name__.partition(".")[0]])["_find_bound"](name)


def find_version() -> str:
    """Return the version of groupwise."""
    return str(find_bound("__version__"))
