"""A survey of a corpus beside a ground truth, in at most two readings.

The first reading computes the fingerprint, the content hashes of gold documents, and two hashes per
document: of its id and of its text. These tell which gold ids are missing, which ids are repeated
and which texts are equal. A second reading looks up the ids concerned, if there are any, and finds
nearly equal texts, if the beginning of any text resembles a gold text. Memory grows by 20 bytes per
document, not with the texts.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from itertools import compress
from operator import not_
from typing import Any, NamedTuple

import numpy as np

from groupwise.evaluator.errors import Problem, Problems
from groupwise.evaluator.hits.arrays import IntArray
from groupwise.evaluator.intake.documents import DocumentBatch, open_corpus
from groupwise.evaluator.reading.content import (
    VERSION,
    Fingerprint,
    hash_content,
    normalise_text,
)
from groupwise.evaluator.validation.corpus.comparable import ComparableCorpus
from groupwise.evaluator.validation.corpus.shingles import (
    GoldShingles,
    Samples,
    compute_shingles,
)
from groupwise.evaluator.validation.facts.hashes import are_in, hash_all, hash_id
from groupwise.evaluator.validation.facts.request import TextIds
from groupwise.schemas import Id, Kind

TWINS_KEPT = 20
"""At most this many documents with the same text are named."""

DUPLICATES_KEPT = 1000
"""At most this many repeated ids are named."""

Place = tuple[int, int]


class Twin(NamedTuple):
    """Another document with the same text (a likeness of 1) or nearly the same."""

    id: Id
    likeness: float


class Duplicate(NamedTuple):
    """An id that the corpus has twice, with both places."""

    id: Id
    first: Place
    again: Place


@dataclass(frozen=True)
class CorpusSurvey:
    """A corpus as rules see it. ``hash_id(id)`` stands for a gold id.

    ``fingerprints`` are those of the corpus, one per version that was asked for. ``missing`` holds
    the gold ids that are not in the corpus, ``contents`` the current and the former content hash of
    those that have a text there, ``twins`` the other documents with the same text, or nearly. If
    ids cannot be compared (``comparable`` is False), all three are empty and ``problems`` says why.
    ``limits`` says what was skipped to keep memory and time within bounds.
    """

    name: str
    documents: int
    texts: int
    fingerprints: tuple[str, ...]
    missing: frozenset[int] = frozenset()
    contents: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    twins: Mapping[int, tuple[Twin, ...]] = field(default_factory=dict)
    duplicates: tuple[Duplicate, ...] = ()
    duplicate_count: int = 0
    problems: tuple[Problem, ...] = ()
    problem_count: int = 0
    comparable: bool = True
    limits: tuple[str, ...] = ()
    ids: TextIds = None
    kind: Kind | None = None

    def find_like(self, fingerprint: str) -> str:
        """Return the fingerprint of the same version; the first if there is none."""
        prefix = f"{fingerprint.partition(':')[0]}:"
        alike = (own for own in self.fingerprints if own.startswith(prefix))
        return next(alike, self.fingerprints[0])

    def key(self, document: Id) -> int:
        """Return the hash that stands for a gold id."""
        return hash_id(str(document) if self.ids == "text" else document)


def survey(
    corpus: Any,
    gold: IntArray,
    kind: Kind | None,
    *,
    near: bool = True,
    ids: TextIds = None,
    versions: Iterable[str] = (VERSION,),
) -> CorpusSurvey:
    """Survey a corpus beside the ids of a ground truth.

    Args:
        corpus: A path, texts by id, a list of ids or records, or a corpus that is open.
        gold: ``hash_id(id)`` of the gold ids, each once, sorted.
        kind: Whether gold ids are strings or whole numbers; None: unknown.
        near: Whether to look for nearly equal texts, too.
        ids: ``"text"`` if the gold ids were hashed as strings.
        versions: The versions of the fingerprint to compute.

    Raises:
        InputError: The corpus cannot be read to its end.
    """
    comparable = ComparableCorpus(open_corpus(corpus), kind, ids)
    first = _FirstReading(comparable, gold, [*map(Fingerprint, versions)], near=near)
    with closing(first.samples):
        first.read()
        second = _SecondReading(first)
        second.read()
        return first.build_survey(second)


class _FirstReading:
    """The hashes of all ids and texts, and those of the gold documents.

    ``gold_texts`` and ``gold_places`` have the hash of the text of each gold document and the
    number of the document in the corpus; 0 and -1 where there is none.
    """

    def __init__(
        self,
        corpus: ComparableCorpus,
        gold: IntArray,
        fingerprints: list[Fingerprint],
        *,
        near: bool,
    ) -> None:
        self.corpus = corpus
        self.gold = gold
        self.near = near
        self.problems = Problems()
        self.fingerprints = fingerprints
        self.texts = 0
        self.shingles = GoldShingles()
        self.samples = Samples()
        self._ids = array("q")
        self._text_hashes = array("q")
        self._is_present = np.zeros(len(gold), np.bool_)
        self._contents: dict[int, tuple[str, str]] = {}
        self.gold_texts = np.zeros(len(gold), np.int64)
        self.gold_places = np.full(len(gold), -1)

    def read(self) -> None:
        """Read the corpus, and note its problems."""
        for batch in self.corpus.batches(self.problems):
            self._add(batch)
        self.ids = np.frombuffer(self._ids, np.int64)
        self.text_hashes = np.frombuffer(self._text_hashes, np.int64)
        mixture = self.corpus.describe_mixture()
        self.comparable = mixture is None
        if mixture:
            self.problems.add(mixture)
            self.gold_texts[:] = 0
            self.shingles = GoldShingles()
        if not self._ids:
            empty = Problem("the corpus has no documents", self.corpus.name, code="IO009")
            self.problems.add(empty)

    def _add(self, batch: DocumentBatch) -> None:
        start = len(self._ids)
        hashes = hash_all(batch.ids)
        self._ids.frombytes(hashes.tobytes())
        normals = self._add_texts(batch)
        found = np.flatnonzero(are_in(hashes, self.gold))
        rows, first = np.unique(np.searchsorted(self.gold, hashes[found]), return_index=True)
        is_new = ~self._is_present[rows]
        self._is_present[rows] = True
        if batch.texts is not None:
            places = found[first[is_new]]
            self.gold_places[rows[is_new]] = places + start
            has_text = [batch.texts[place] is not None for place in places]
            texts = [normals[place] for place in compress(places, has_text)]
            self._add_gold_texts(rows[is_new][has_text], texts)

    def _add_texts(self, batch: DocumentBatch) -> list[str]:
        """Add texts to hashes, fingerprint and samples; return them normalised."""
        ids, texts = batch.ids, batch.texts
        if texts is None:
            for fingerprint in self.fingerprints:
                fingerprint.add_ids(ids)
            self._text_hashes.frombytes(bytes(8 * len(ids)))
            self.samples.add_blank(len(ids))
            return []
        normals = [normalise_text(text) if text else "" for text in texts]
        has_text = [text is not None for text in texts]
        self.texts += sum(has_text)
        for fingerprint in self.fingerprints:
            fingerprint.add(compress(ids, has_text), compress(normals, has_text))
            fingerprint.add_ids(compress(ids, map(not_, has_text)))
        self._text_hashes.extend(map(hash, normals))
        if self.near:
            self.samples.add(normals)
        return normals

    def _add_gold_texts(self, rows: IntArray, texts: list[str]) -> None:
        self.gold_texts[rows] = np.fromiter(map(hash, texts), np.int64, len(texts))
        for row, text in zip(rows.tolist(), texts, strict=True):
            self._contents[int(self.gold[row])] = hash_content(text)
        if self.near and texts:
            self.shingles.add(rows, texts)

    def build_survey(self, second: "_SecondReading") -> CorpusSurvey:
        """Return what both readings found."""
        missing = self.gold[~self._is_present].tolist() if self.comparable else []
        return CorpusSurvey(
            name=self.corpus.name,
            documents=len(self._ids),
            texts=self.texts,
            fingerprints=tuple(map(str, self.fingerprints)),
            missing=frozenset(missing),
            contents=self._contents if self.comparable else {},
            twins=second.list_twins(),
            duplicates=tuple(second.duplicates),
            duplicate_count=second.duplicate_count,
            problems=tuple(self.problems.kept),
            problem_count=self.problems.count,
            comparable=self.comparable,
            limits=tuple(self._list_limits(second)),
            ids=self.corpus.ids,
            kind=self.corpus.kind,
        )

    def _list_limits(self, second: "_SecondReading") -> Iterator[str]:
        if self.shingles.left_out:
            yield f"nearly equal texts of {self.shingles.left_out:,} gold documents not looked for"
        if second.index.is_cut:
            yield "too many texts resemble gold texts: not all of them were compared"


class _SecondReading:
    """The ids of the documents that the first reading points at, and nearly equal texts."""

    def __init__(self, first: _FirstReading) -> None:
        self._first = first
        self.index = first.shingles.build_index(len(first.gold))
        self._repeats, self.duplicate_count = _find_repeats(first.ids)
        self._equal = _find_equal_texts(first.text_hashes, first.gold_texts)
        self._near: dict[int, list[tuple[float, int]]] = {}
        self._suspects = self._find_suspects() if self.index else np.zeros(0, np.int64)
        near = [place for pairs in self._near.values() for _, place in pairs]
        parts = [self._repeats.ravel(), self._equal, np.array(near, np.int64)]
        self._wanted = np.unique(np.concatenate(parts))
        self._named: dict[int, tuple[Id, Place]] = {}
        self.duplicates: list[Duplicate] = []

    def _find_suspects(self) -> IntArray:
        """Return the documents to compare; gold documents are compared with each other at once."""
        places = self._first.gold_places
        rows = np.flatnonzero(places >= 0)
        rows = rows[self.index.has(rows)]
        rows = rows[np.argsort(places[rows])]
        for pair in self.index.find_near_gold(rows):
            self._note(int(places[pair.text]), pair.row, pair.likeness)
        return np.setdiff1d(self._first.samples.find_suspects(self.index.sieve), places[rows])

    def _note(self, place: int, row: int, likeness: float) -> None:
        """Keep a document that is nearly equal to a gold text, but not equal; only the best."""
        first = self._first
        is_same = first.text_hashes[place] == first.gold_texts[row]
        near = self._near.setdefault(row, [])
        if not is_same and first.ids[place] != first.gold[row]:
            near.append((-likeness, place))
        if len(near) > 2 * TWINS_KEPT:
            near[:] = sorted(near)[:TWINS_KEPT]

    def read(self) -> None:
        """Read the corpus again, if there is anything to look up or to compare."""
        if len(self._wanted) or len(self._suspects):
            start = 0
            for batch in self._first.corpus.batches(Problems()):
                self._look_up(batch, start)
                start += len(batch.ids)
        self._name_duplicates()

    def _look_up(self, batch: DocumentBatch, start: int) -> None:
        end = start + len(batch.ids)
        for place in _list_between(self._wanted, start, end):
            self._name(batch, place, start)
        suspects = _list_between(self._suspects, start, end)
        if suspects and batch.texts is not None and self.index:
            shingles = compute_shingles([batch.texts[place - start] or "" for place in suspects])
            for pair in self.index.find_near(shingles):
                self._note(suspects[pair.text], pair.row, pair.likeness)
                self._name(batch, suspects[pair.text], start)

    def _name(self, batch: DocumentBatch, place: int, start: int) -> None:
        self._named[place] = (batch.ids[place - start], batch.place(place - start))

    def _name_duplicates(self) -> None:
        for place, before in self._repeats.tolist():
            document, again = self._named[place]
            other, first = self._named[before]
            if document == other:
                self.duplicates.append(Duplicate(document, first, again))
            else:
                self.duplicate_count -= 1

    def list_twins(self) -> dict[int, tuple[Twin, ...]]:
        """Return the twins of each gold document: those with an equal text, then the nearest."""
        same: dict[int, list[Id]] = {}
        for place in self._equal.tolist():
            text = int(self._first.text_hashes[place])
            same.setdefault(text, []).append(self._named[place][0])
        found = {}
        for row, text in enumerate(self._first.gold_texts.tolist()):
            gold = int(self._first.gold[row])
            equal = [Twin(twin, 1.0) for twin in same.get(text, ()) if hash_id(twin) != gold]
            best = sorted(self._near.get(row, ()))[:TWINS_KEPT]
            near = [Twin(self._named[place][0], -likeness) for likeness, place in best]
            if equal or near:
                found[gold] = (*dict.fromkeys(equal), *near)
        return found


def _list_between(places: IntArray, start: int, end: int) -> list[int]:
    """Return those of sorted places that lie in a batch."""
    first, last = np.searchsorted(places, [start, end])
    found: list[int] = places[first:last].tolist()
    return found


def _find_repeats(ids: IntArray) -> tuple[IntArray, int]:
    """Return the places of repeated ids, each with the first place of the id, and their number."""
    _, first, which = np.unique(ids, return_index=True, return_inverse=True)
    before = first[which]
    again = np.flatnonzero(before != np.arange(len(ids)))
    return np.stack([again, before[again]], axis=1)[:DUPLICATES_KEPT], len(again)


def _find_equal_texts(texts: IntArray, gold: IntArray) -> IntArray:
    """Return the first places of each gold text that several documents have."""
    places = np.flatnonzero(np.isin(texts, np.unique(gold[gold != 0])))
    order = places[np.argsort(texts[places], kind="stable")]
    _, starts, counts = np.unique(texts[order], return_index=True, return_counts=True)
    rank = np.arange(len(order)) - np.repeat(starts, counts)
    kept: IntArray = order[(np.repeat(counts, counts) > 1) & (rank <= TWINS_KEPT)]
    return np.sort(kept)
