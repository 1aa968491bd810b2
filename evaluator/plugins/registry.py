"""A registry: things known by name, those of groupwise and those that users add."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Generic, TypeVar

from groupwise.evaluator.errors import ExtensionError
from groupwise.evaluator.plugins.loading import load_installed
from groupwise.evaluator.text import suggest

Item = TypeVar("Item")


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

    @cached_property
    def built_in(self) -> Mapping[str, Item]:
        """The items of groupwise itself."""
        return self._load()

    def add(self, name: str, item: Item) -> None:
        """Add an item of the user's; one added before under the same name is replaced.

        Raises:
            ExtensionError: A built-in item has that name.
        """
        if name in self.built_in:
            raise ExtensionError(f"there is a built-in {self.noun} {name!r}; choose another name")
        self._added = {**self._added, name: item}

    def known(self) -> dict[str, Item]:
        """Return the built-in items and those added so far."""
        return {**self.built_in, **self._added}

    def list_all(self) -> dict[str, Item]:
        """Return all items, those of installed plugins included."""
        load_installed()
        return self.known()

    def find(self, name: str) -> Item | None:
        """Return the item of that name; installed plugins are loaded if it is not known yet."""
        found = self.built_in.get(name) or self._added.get(name)
        return found if found is not None or not load_installed() else self._added.get(name)

    def describe_unknown(self, name: str) -> str:
        """Return a message for a name that is not known: the nearest names, or all."""
        return f"no {self.noun} {name!r}; {suggest(name, self.known())}"
