"""The kind of all ids of a validation: strings or whole numbers, never both."""

from collections.abc import Iterable

from groupwise.evaluator.intake.kinds import Kinds
from groupwise.evaluator.validation.facts.draft import Draft
from groupwise.evaluator.validation.rules.io import draft_other_kind
from groupwise.schemas import Kind


class MixedKinds(Kinds):
    """Reports ids of another kind than the first.

    Within a source, each record of the other kind is reported; between sources, the first one.
    """

    def __init__(self, ids: str | None) -> None:
        super().__init__()
        self._are_text = ids == "text"
        self._reported: set[str] = set()

    def copy(self) -> "MixedKinds":
        """Return another one that knows the same."""
        other = MixedKinds("text" if self._are_text else None)
        other.first, other._reported = dict(self.first), set(self._reported)
        return other

    @property
    def is_settled(self) -> bool:
        """Whether the first kind is known, or does not matter."""
        return self._are_text or bool(self.first)

    @property
    def are_spelled(self) -> bool:
        """Whether all ids are taken as text, whatever their kind."""
        return self._are_text

    @property
    def are_texts(self) -> bool:
        """Whether an id that is a text is of the kind of all others for certain."""
        return self._are_text or self.first_kind is str

    def forget_second(self) -> None:
        """Forget the second kind, as if only ids of the first had been read."""
        self.first = dict(list(self.first.items())[:1])

    def clash(self, kinds: Iterable[Kind | None]) -> bool:
        """Whether these kinds and the first one are not all the same."""
        return not self._are_text and super().clash(kinds)

    def is_other(self, kind: Kind, source: str) -> bool:
        """Whether ids were of the other kind before; the first kind is remembered."""
        if self._are_text or kind is type(None):
            return False
        self.note(kind, source)
        return kind is not self.first_kind

    def draft(self, kind: Kind, source: str) -> Draft | None:
        """Return the finding about a record of the other kind; None if it was reported already."""
        first, place = next(iter(self.first.items()))
        if place.source != source and source in self._reported:
            return None
        self._reported.add(source)
        return draft_other_kind(kind, first, place.source, source)
