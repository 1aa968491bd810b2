"""Counts over all records of a source, and the hashes that rules about whole sources need."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, cast

from groupwise.evaluator.validation.facts.case import Case
from groupwise.evaluator.validation.facts.hashes import HashBag, Hashes, Spellings
from groupwise.evaluator.validation.facts.judged_content import JudgedContent
from groupwise.evaluator.validation.facts.normalisation import normalise_all
from groupwise.evaluator.validation.facts.outline import Outline
from groupwise.evaluator.validation.facts.plain import are_normal
from groupwise.evaluator.validation.facts.shapes import Shapes
from groupwise.schemas import Id, RichTruth, Truth


@dataclass(frozen=True, slots=True)
class CleanRecords:
    """What is counted of records that the sweep found clean.

    Attributes:
        shapes: The sizes of the groups of each ground truth without grades.
        queries: The hashes of the query ids.
        ids: The hashes of all document ids.
        columns: The fields but the query ids, record after record.
        truths: The ground truth of each record.
        results: The ranking of each record; none where records have none.
        graded: The ground truths with grades.
    """

    shapes: list[bytes]
    queries: Hashes
    ids: Hashes
    columns: dict[str, list[Any]]
    truths: list[list[list[Id]]]
    results: Sequence[list[Id]]
    graded: Sequence[RichTruth] = ()


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

    def add_queries(self, ids: list[str]) -> None:
        """Count queries by their ids."""
        self.queries += len(ids)
        self.query_ids.add(ids)

    def add_clean(self, clean: CleanRecords) -> None:
        """Count a batch of clean records."""
        self.queries += len(clean.shapes) + len(clean.graded)
        self.query_ids.add_hashes(clean.queries)
        self.ids.add_hashes(clean.ids)
        self.shapes.add_sizes(clean.shapes)
        for truth in clean.graded:
            self.shapes.add(truth)
        self.add_columns(clean.columns)

    def add_columns(self, columns: dict[str, list[Any]]) -> None:
        """Remember the texts of queries, and what they were judged on."""
        self.add_texts(columns.get("query", []))
        if "hashes" in columns or "corpus" in columns:
            self.judged.add(columns.get("hashes", ()), columns.get("corpus", ()))

    def add_truths(
        self, truths: list[list[list[Id]]], empty: list[int], repeating: list[int]
    ) -> None:
        """Count plain ground truths: some are empty, some list an id twice."""
        self.unanswerable += len(empty)
        self._add_repeating([truths[number] for number in repeating])
        apart = {*empty, *repeating}
        self.add_plain([t for n, t in enumerate(truths) if n not in apart] if apart else truths)

    def _add_repeating(self, truths: list[list[list[Id]]]) -> None:
        """Count plain ground truths that list an id twice."""
        for groups in truths:
            self.sharing += _share_ids(groups)
            self.shapes.add(groups)
        if truths:
            each = (dict.fromkeys(chain.from_iterable(groups)) for groups in truths)
            self._add_ids(list(chain.from_iterable(each)))

    def add_plain(self, truths: list[list[list[Id]]]) -> None:
        """Count plain ground truths, none of which has an id twice."""
        self.shapes.add_plain(truths)
        self._add_ids(list(chain.from_iterable(chain.from_iterable(truths))))

    def _add_ids(self, ids: list[Id]) -> None:
        self.ids.add(ids)
        are_texts = {*map(type, ids)} == {str}
        texts = cast("list[str]", ids if are_texts else [text for text in ids if type(text) is str])
        if not are_normal(texts):
            self.spellings.add(texts, normalise_all(texts))

    def add_texts(self, texts: Sequence[str | None]) -> None:
        """Remember the texts of queries."""
        given = cast("list[str]", texts if all(texts) else [text for text in texts if text])
        forms = normalise_all(given)
        self.texts.add(forms if all(forms) else [form for form in forms if form])

    def add_case(self, case: Case, truth: Truth | None) -> None:
        """Count a record that was checked by itself; ``truth`` is there if it is sound."""
        if case.query is not None:
            self.add_queries([case.query])
        self.add_texts([case.text])
        self.judged.add([case.record.get("hashes")], [case.record.get("corpus")])
        self.unanswerable += truth == []
        self.add_groups([group.ids for group in case.groups if group.listed], truth)

    def add_groups(self, groups: list[list[Id]], truth: Truth | None = None) -> None:
        """Count the groups of a record, which may share ids; ``truth`` is there if it is sound."""
        if groups:
            self.sharing += _share_ids(groups)
            self.shapes.add(truth or groups)
            self._add_ids(list(dict.fromkeys(chain.from_iterable(groups))))

    def add_outlines(self, outlines: list[Outline]) -> None:
        """Count the sound parts of unsound records, no group of which shares an id."""
        if not outlines:
            return
        queries, texts, truths, _, _, hashes, corpora = zip(*outlines, strict=True)
        self.add_queries([query for query in queries if query is not None])
        if any(texts):
            self.add_texts(texts)
        if (*hashes, *corpora).count(None) < 2 * len(outlines):
            self.judged.add(hashes, corpora)
        self.add_plain([*filter(None, truths)])

    def settle(self) -> None:
        """Sort all hashes now, while other processes do the same; merging would sort them else."""
        for bag in (self.query_ids, self.ids, self.texts):
            bag.settle()

    def merge(self, other: "Tally") -> bool:
        """Add what was counted elsewhere; return whether this is as if it was counted here."""
        self.queries += other.queries
        self.unanswerable += other.unanswerable
        self.sharing += other.sharing
        self.query_ids.merge(other.query_ids)
        self.ids.merge(other.ids)
        self.spellings.merge(other.spellings)
        self.texts.merge(other.texts)
        return all([self.shapes.merge(other.shapes), self.judged.merge(other.judged)])


def _share_ids(groups: list[list[Id]]) -> bool:
    distinct = [set(group) for group in groups]
    return sum(map(len, distinct)) != len(set().union(*distinct))
