"""The kind of all ids of a validation: strings or whole numbers, never both."""

from groupwise.evaluator.validation.facts.draft import Draft
from groupwise.evaluator.validation.rules.io import draft_other_kind
from groupwise.schemas import Kind


class MixedKinds:
    """Reports ids of another kind than the first.

    Within a source, each record of the other kind is reported; between sources, the first one.

    Attributes:
        first_kind: The kind of the first id; None if there was none.
    """

    def __init__(self, ids: str | None) -> None:
        self._are_text = ids == "text"
        self._reported: set[str] = set()
        self._home = ""
        self.first_kind: Kind | None = None

    def check(self, kind: Kind, source: str) -> Draft | None:
        """Return the finding about ids of a kind in a source; None if there is none to report."""
        if self._are_text:
            return None
        if self.first_kind is None:
            self.first_kind, self._home = kind, source
        if kind is self.first_kind or (self._home != source and source in self._reported):
            return None
        self._reported.add(source)
        return draft_other_kind(kind, self.first_kind, self._home, source)
