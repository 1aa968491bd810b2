"""The kind of all ids of a validation: strings or whole numbers, never both."""

from collections.abc import Iterable

from groupwise.evaluator.validation.facts.draft import Draft
from groupwise.evaluator.validation.rules.io import KINDS, draft_other_kind
from groupwise.schemas import Kind


class KindOfIds:
    """Remembers the kind that came first, and where; another one is a finding.

    Within a source, each record of the other kind is reported; between sources, the first one.
    """

    def __init__(self, ids: str | None) -> None:
        self._are_text = ids == "text"
        self._first: tuple[type[str | int], str] | None = None
        self._reported: set[str] = set()

    @property
    def first(self) -> Kind | None:
        """The kind that came first; None if there was no id."""
        return self._first[0] if self._first else None

    def clash(self, kinds: Iterable[Kind | None]) -> bool:
        """Whether these kinds and the first one are not all the same."""
        return not self._are_text and len({self.first, *kinds} & KINDS.keys()) > 1

    def is_other(self, kind: type, source: str) -> bool:
        """Whether ids were of the other kind before; the first kind is remembered."""
        if self._are_text or kind not in KINDS:
            return False
        self._first = self._first or (kind, source)
        return kind is not self._first[0]

    def draft(self, kind: type, source: str) -> Draft | None:
        """Return the finding about a record of the other kind, if it is to be reported."""
        assert self._first is not None  # noqa: S101
        first, home = self._first
        if home != source and source in self._reported:
            return None
        self._reported.add(source)
        return draft_other_kind(kind, first, home, source)
