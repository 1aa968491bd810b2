"""The kind of all ids of a validation: strings or whole numbers, never both."""

from collections.abc import Iterable

from groupwise.evaluator.validation.engine.case import Draft
from groupwise.schemas import Kind

NAMES: dict[type, str] = {str: "strings", int: "whole numbers"}


class KindOfIds:
    """Remembers the kind that came first, and where; another one is a finding.

    Within a file each record of another kind is told, between files it is told once.
    """

    def __init__(self, ids: str | None) -> None:
        self._is_text = ids == "text"
        self._first: tuple[type[str | int], str] | None = None
        self._told: set[str] = set()

    @property
    def first(self) -> Kind | None:
        """The kind that came first; None if there was no id."""
        return self._first[0] if self._first else None

    def clash(self, kinds: Iterable[Kind | None]) -> bool:
        """Whether these and the first kind are not all the same."""
        return not self._is_text and len({self.first, *kinds} & NAMES.keys()) > 1

    def is_other(self, kind: type, source: str) -> bool:
        """Whether ids were of another kind before; the first kind is remembered."""
        if self._is_text or kind not in NAMES:
            return False
        self._first = self._first or (kind, source)
        return kind is not self._first[0]

    def draft(self, kind: type, source: str) -> Draft | None:
        """What to say of a record with ids of this other kind."""
        assert self._first is not None  # noqa: S101
        first, home = self._first
        if home != source and source in self._told:
            return None
        self._told.add(source)
        message = (
            f"ids are {NAMES[kind]} here and {NAMES[first]} "
            f"{'before' if home == source else f'in {home}'}; 1 and '1' never meet: "
            "use one kind, or ids='text' to compare all as strings"
        )
        return Draft("IO006", message, value=NAMES[kind], fixable=kind is int and home == source)
