"""Counts over all records of a source, and the hashes that rules about whole sources need."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from groupwise.evaluator.validation.facts.case import Case
from groupwise.evaluator.validation.facts.hashes import HashBag, Spellings
from groupwise.evaluator.validation.facts.judged_content import JudgedContent
from groupwise.evaluator.validation.facts.normalisation import normalise
from groupwise.evaluator.validation.facts.shapes import Shapes
from groupwise.schemas import Id, Truth


@dataclass
class Tally:
    """Counts and hashes of one source."""

    queries: int = 0
    unanswerable: int = 0
    sharing: int = 0
    shapes: Shapes = field(default_factory=Shapes)
    query_ids: HashBag = field(default_factory=HashBag)
    ids: HashBag = field(default_factory=HashBag)
    spellings: Spellings = field(default_factory=Spellings)
    texts: HashBag = field(default_factory=HashBag)
    judged: JudgedContent = field(default_factory=JudgedContent)

    def add(self, case: Case, truth: Truth | None) -> None:
        """Count a record; ``truth`` is there if it is sound."""
        if case.query is not None:
            self.queries += 1
            self.query_ids.add([case.query])
        if case.text and (form := normalise(case.text)):
            self.texts.add([form])
        self.judged.add(case.record)
        self.unanswerable += truth == []
        if groups := [group.ids for group in case.groups if group.ids]:
            self._add_groups(groups, truth)

    def _add_groups(self, groups: list[Sequence[Id]], truth: Truth | None) -> None:
        """Count the groups of a record, which may share ids."""
        ids = set(chain.from_iterable(groups))
        self.sharing += sum(map(len, map(set, groups))) != len(ids)
        self.shapes.add(truth or groups)
        self.ids.add([*ids])
        self.spellings.add([document for document in ids if isinstance(document, str)])
