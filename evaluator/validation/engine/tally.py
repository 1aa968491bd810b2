"""What is counted over all records: the summary, and the hashes that global rules need."""

from dataclasses import dataclass, field
from itertools import chain

from groupwise.evaluator.validation.engine.case import Case
from groupwise.evaluator.validation.engine.hashes import HashBag, Spellings
from groupwise.evaluator.validation.engine.normalisation import are_normal, normal_forms
from groupwise.evaluator.validation.engine.shapes import Shapes
from groupwise.evaluator.validation.engine.sweep import Swept
from groupwise.schemas import Id, Truth

JUDGED_ON = ("hashes", "corpus")
"""The fields that say which texts and which corpus a record was judged on."""


@dataclass
class Tally:
    """Counts and hashes of one data set."""

    queries: int = 0
    unanswerable: int = 0
    sharing: int = 0
    hashed: bool = False
    shapes: Shapes = field(default_factory=Shapes)
    query_ids: HashBag = field(default_factory=HashBag)
    ids: HashBag = field(default_factory=HashBag)
    spellings: Spellings = field(default_factory=Spellings)
    texts: HashBag = field(default_factory=HashBag)

    def add_queries(self, ids: list[str]) -> None:
        """Count queries, by their ids."""
        self.queries += len(ids)
        self.query_ids.add(ids)

    def add_swept(self, swept: Swept) -> None:
        """Count a batch of clean records."""
        self.queries += len(swept.shapes)
        self.query_ids.add_hashes(swept.queries)
        self.ids.add_hashes(swept.ids)
        self.shapes.add_shapes(swept.shapes)
        self.add_texts(swept.texts)
        self.hashed = self.hashed or swept.hashed

    def add_plain(self, truths: list[list[list[Id]]]) -> None:
        """Count plain ground truths, none of which has an id twice."""
        self.shapes.add_plain(truths)
        self._add_ids(list(chain.from_iterable(chain.from_iterable(truths))))

    def _add_ids(self, ids: list[Id]) -> None:
        self.ids.add(ids)
        texts = ids if set(map(type, ids)) == {str} else [one for one in ids if type(one) is str]
        if not are_normal("".join(texts)):  # type: ignore[arg-type]
            self.spellings.add(texts, normal_forms(texts))  # type: ignore[arg-type]

    def add_texts(self, texts: list[str | None]) -> None:
        """Remember the texts of queries."""
        given = texts if all(texts) else [text for text in texts if text]
        forms = normal_forms(given)  # type: ignore[arg-type]
        self.texts.add(forms if all(forms) else [form for form in forms if form])

    def add_case(self, case: Case, truth: Truth | None) -> None:
        """Count a record that was looked at by itself; ``truth`` is there if it is sound."""
        if case.query is not None:
            self.add_queries([case.query])
        self.add_texts([case.text])
        self.hashed = self.hashed or not case.record.keys().isdisjoint(JUDGED_ON)
        groups = [group.ids for group in case.groups if group.listed]
        self.unanswerable += truth == []
        if groups:
            self.sharing += _shares(groups)
            self.shapes.add(truth or groups)
            self._add_ids(list(dict.fromkeys(chain.from_iterable(groups))))


def _shares(groups: list[list[Id]]) -> bool:
    distinct = [set(group) for group in groups]
    return sum(map(len, distinct)) != len(set().union(*distinct))
