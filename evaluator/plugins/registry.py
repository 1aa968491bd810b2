"""A registry: things known by name, those of groupwise and those that users add."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from threading import Lock
from typing import Generic, TypeVar

from groupwise.evaluator.errors import ExtensionError
from groupwise.evaluator.plugins.loading import load_installed
from groupwise.evaluator.text import suggest

Item = TypeVar("Item")
NAME = re.compile(r"\w[\w.-]*")


class Registry(Generic[Item]):
    """Items by name.

    Args:
        noun: What an item is called in messages.
        load: Returns the built-in items by name; it is called once, when the first one is needed.
    """

    def __init__(self, noun: str, load: Callable[[], Mapping[str, Item]]) -> None:
        self.noun = noun
        self._load = load
        self._added: dict[str, Item] = {}
        self._lock = Lock()

    @cached_property
    def built_in(self) -> Mapping[str, Item]:
        """The items of groupwise itself."""
        return self._load()

    def add(self, name: str, item: Item) -> None:
        """Add a user's item; one added before under the same name is replaced.

        Raises:
            ExtensionError: A built-in item has that name, or it cannot be typed as an option.
        """
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise ExtensionError(
                f"the {self.noun} {name!r}: expected a name of letters, digits, - and _"
            )
        if name in self.built_in:
            raise ExtensionError(f"there is a built-in {self.noun} {name!r}; choose another name")
        with self._lock:
            self._added = {**self._added, name: item}

    def list_known(self) -> dict[str, Item]:
        """Return the built-in items and those added so far."""
        return {**self.built_in, **self._added}

    def list_all(self) -> dict[str, Item]:
        """Return all items, those of installed plugins included."""
        load_installed()
        return self.list_known()

    def find(self, name: str) -> Item | None:
        """Return the item of that name; installed plugins are loaded if it is not known yet."""
        found = self.built_in.get(name) or self._added.get(name)
        if found is None:
            # Another thread may have loaded them since: so it is looked for again in any case.
            load_installed()
            found = self._added.get(name)
        return found

    def describe_unknown(self, name: str) -> str:
        """Return a message for a name that is not known: the nearest names, or all."""
        return f"no {self.noun} {name!r}; {suggest(name, self.list_known())}"


def check_kind(item: object, kind: type) -> None:
    """Refuse to add what is not of that kind."""
    if not isinstance(item, kind):
        raise ExtensionError(f"expected a {kind.__name__}, got {item!r}")


def check_suffixes(noun: str, name: str, suffixes: str | Iterable[str]) -> tuple[str, ...]:
    """Return the suffixes of file names, of which one may be given as text.

    Raises:
        ExtensionError: One does not begin with a dot.
    """
    given = (suffixes,) if isinstance(suffixes, str) else tuple(suffixes)
    for suffix in given:
        if not isinstance(suffix, str) or not suffix.startswith("."):
            expected = "expected a suffix that begins with a dot"
            raise ExtensionError(f"the {noun} {name!r}: {expected}, got {suffix!r}")
    return given
