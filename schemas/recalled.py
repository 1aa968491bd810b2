"""What a report or comparison remembers beside its numbers, to explain and draw it later."""

from collections.abc import Callable
from typing import Any


class Recalled:
    """The results of a live retriever, or the values of a comparison; how to evaluate again.

    It is no part of a report's value: reports with the same numbers are equal, and a report that
    was pickled or copied to another process has only its numbers.
    """

    def __init__(self, again: Callable[[Any], Any] | None = None, results: Any = None) -> None:
        self.again = again
        self.results = results

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Recalled)

    __hash__ = None  # type: ignore[assignment]

    def __deepcopy__(self, _memo: dict[int, Any]) -> "Recalled":
        return self

    def __reduce__(self) -> tuple[type["Recalled"], tuple[()]]:
        return Recalled, ()
