"""What there is to know of a corpus beside a ground truth, in at most two readings.

The first reading takes the fingerprint, the content hashes of gold documents, and two numbers per
document: a hash of its id and one of its text. These say which gold ids are missing, which ids are
repeated and which texts are equal. Names are found in a second reading, if there is anything to
name, and so are nearly equal texts, if the beginning of any text resembles a gold text. Memory
grows by 20 bytes a document and not with the texts.
"""

from array import array
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from itertools import compress
from typing import Any, NamedTuple

import numpy as np

from groupwise.evaluator.errors import Problem, Problems
from groupwise.evaluator.hits.arrays import IntArray
from groupwise.evaluator.intake.documents import DocumentBatch, Texts, open_corpus
from groupwise.evaluator.reading.content import (
    Fingerprint,
    NoFingerprint,
    hash_normal,
    normalise_text,
)
from groupwise.evaluator.validation.corpus.comparable import ComparableCorpus, Ids
from groupwise.evaluator.validation.corpus.shingles import (
    AnchorIndex,
    GoldShingles,
    Samples,
    shingles_of,
)
from groupwise.evaluator.validation.facts.hashes import hash_all, hash_id
from groupwise.schemas import Id, Kind

TWINS_KEPT = 20
"""The documents with the same text that are named, at most."""

DUPLICATES_KEPT = 1000
"""The repeated ids that are named, at most."""

Place = tuple[int, int]


class Twin(NamedTuple):
    """Another document with the same text (a likeness of 1) or nearly the same."""

    id: Id
    likeness: float


class Duplicate(NamedTuple):
    """An id that the corpus has twice: where it comes first, and where again."""

    id: Id
    first: Place
    again: Place


@dataclass(frozen=True)
class CorpusSurvey:
    """A corpus as the rules see it. Gold ids are named by ``hash_id(id)``.

    ``missing`` are those that are not in the corpus, ``contents`` has the content hashes of those
    that are there with a text, ``twins`` the other documents with the text of one. Where ids cannot
    be compared (``comparable`` is False), all three are empty and ``problems`` says why.
    ``limits`` says what was left out to keep memory and time within bounds.
    """

    name: str
    documents: int
    texts: int
    fingerprint: str
    missing: frozenset[int] = frozenset()
    contents: Mapping[int, str] = field(default_factory=dict)
    twins: Mapping[int, tuple[Twin, ...]] = field(default_factory=dict)
    duplicates: tuple[Duplicate, ...] = ()
    duplicate_count: int = 0
    problems: tuple[Problem, ...] = ()
    problem_count: int = 0
    comparable: bool = True
    limits: tuple[str, ...] = ()
    ids: Ids = None
    kind: Kind | None = None

    def key(self, one: Id) -> int:
        """The hash by which a gold id is known here."""
        return hash_id(str(one) if self.ids == "text" else one)


def survey(
    corpus: Any,
    gold: IntArray,
    kind: Kind | None,
    *,
    near: bool = True,
    ids: Ids = None,
    fingerprint: bool = True,
) -> CorpusSurvey:
    """Read a corpus beside the ids of a ground truth.

    Args:
        corpus: A path, texts by id, a list of ids or of records, or a corpus that is open.
        gold: ``hash_id(id)`` of the gold ids, each once, sorted.
        kind: Whether gold ids are strings or whole numbers; None where that is not known.
        near: Whether to look for texts that are nearly equal, too.
        ids: ``"text"`` where the gold ids were hashed as text.
        fingerprint: Whether to take the corpus's fingerprint; it is blank otherwise.

    Raises:
        InputError: The corpus cannot be read to its end.
    """
    found = _Survey(ComparableCorpus(open_corpus(corpus), kind, ids), gold, near=near)
    if not fingerprint:
        found.fingerprint = NoFingerprint()
    with closing(found.samples):
        return found.whole()


class _Survey:
    """Both readings."""

    def __init__(self, corpus: ComparableCorpus, gold: IntArray, *, near: bool) -> None:
        self.corpus = corpus
        self.gold = gold
        self.near = near
        self.problems = Problems()
        self.fingerprint = Fingerprint()
        self.texts = 0
        self.shingles = GoldShingles()
        self._ids = array("q")
        self._texts = array("q")
        self.samples = Samples()
        self._present = np.zeros(len(gold), np.bool_)
        self._contents: dict[int, str] = {}
        self.gold_texts = np.zeros(len(gold), np.int64)
        self.gold_places = np.full(len(gold), -1)

    def whole(self) -> CorpusSurvey:
        for batch in self.corpus.batches(self.problems):
            self._take(batch)
        self._note_problems()
        second = _SecondReading(self, _numbers(self._ids), _numbers(self._texts))
        second.read()
        return self._result(second)

    def _note_problems(self) -> None:
        mixture = self.corpus.mixture()
        self.comparable = mixture is None
        if mixture:
            self.problems.add(mixture)
            self.gold_texts[:] = 0
            self.shingles = GoldShingles()
        if not self._ids:
            empty = Problem("the corpus has no documents", self.corpus.name, code="IO009")
            self.problems.add(empty)

    def _take(self, batch: DocumentBatch) -> None:
        start = len(self._ids)
        hashes = hash_all(batch.ids)
        self._ids.frombytes(hashes.tobytes())
        normals = self._hashed_texts(batch)
        rows = np.searchsorted(self.gold, hashes)
        rows[rows == len(self.gold)] = 0
        found = self.gold[rows] == hashes if len(self.gold) else np.zeros(len(hashes), np.bool_)
        rows, first = np.unique(rows[found], return_index=True)
        new = ~self._present[rows]
        self._present[rows] = True
        if batch.texts is not None:
            places = np.flatnonzero(found)[first[new]].tolist()
            self.gold_places[rows[new]] = np.array(places, np.int64) + start
            there = [batch.texts[place] is not None for place in places]
            texts = [normals[place] for place in compress(places, there)]
            self._take_gold(rows[new][there], texts)

    def _hashed_texts(self, batch: DocumentBatch) -> list[str]:
        """The normalised texts, blank where there is none; the fingerprint takes them."""
        ids, texts = batch.ids, batch.texts
        if texts is None:
            self.fingerprint.add_ids(ids)
            self._texts.frombytes(bytes(8 * len(ids)))
            self.samples.add_blank(len(ids))
            return []
        normals = [normalise_text(text) if text else "" for text in texts]
        if None in texts:
            self._take_some(ids, texts, normals)
        else:
            self.texts += len(texts)
            self.fingerprint.add(ids, normals)
        self._texts.extend(map(hash, normals))
        if self.near:
            self.samples.add(normals)
        return normals

    def _take_some(self, ids: list[Id], texts: Texts, normals: list[str]) -> None:
        """The same for the fingerprint, where some documents have no text."""
        there = [text is not None for text in texts]
        self.texts += sum(there)
        self.fingerprint.add(compress(ids, there), compress(normals, there))
        self.fingerprint.add_ids(compress(ids, [not one for one in there]))

    def _take_gold(self, rows: IntArray, texts: list[str]) -> None:
        self.gold_texts[rows] = np.fromiter(map(hash, texts), np.int64, len(texts))
        for row, text in zip(rows.tolist(), texts, strict=True):
            self._contents[int(self.gold[row])] = hash_normal(text)
        if self.near and texts:
            self.shingles.add(rows, texts)

    def _result(self, second: "_SecondReading") -> CorpusSurvey:
        missing = self.gold[~self._present].tolist() if self.comparable else []
        return CorpusSurvey(
            name=self.corpus.name,
            documents=len(self._ids),
            texts=self.texts,
            fingerprint=str(self.fingerprint),
            missing=frozenset(missing),
            contents=self._contents if self.comparable else {},
            twins=second.twins(),
            duplicates=tuple(second.duplicates),
            duplicate_count=second.duplicate_count,
            problems=tuple(self.problems.kept),
            problem_count=self.problems.count,
            comparable=self.comparable,
            limits=tuple(self._limits(second)),
            ids=self.corpus.ids,
            kind=self.corpus.kind,
        )

    def _limits(self, second: "_SecondReading") -> Iterator[str]:
        if self.shingles.left_out:
            yield f"nearly equal texts of {self.shingles.left_out:,} gold documents not looked for"
        if second.index.pairs_left == 0:
            yield "too many texts resemble gold texts: not all of them were compared"


class _SecondReading:
    """Names of what the numbers of the first reading only point at, and nearly equal texts."""

    def __init__(self, first: _Survey, ids: IntArray, texts: IntArray) -> None:
        self._first = first
        self._ids, self._texts = ids, texts
        self.index: AnchorIndex = first.shingles.index(len(first.gold))
        self._repeats, self.duplicate_count = _repeats(ids)
        self._equal = _equal_texts(texts, first.gold_texts)
        self._near: dict[int, list[tuple[float, int]]] = {}
        self._suspects = self._suspected() if self.index else np.zeros(0, np.int64)
        pointed = [place for near in self._near.values() for _, place in near]
        parts = [self._repeats.ravel(), self._equal, np.array(pointed, np.int64)]
        self._wanted = np.unique(np.concatenate(parts))
        self._named: dict[int, tuple[Id, Place]] = {}
        self.duplicates: list[Duplicate] = []

    def _suspected(self) -> IntArray:
        """The documents to compare; gold documents are compared with each other at once."""
        places = self._first.gold_places
        rows = np.flatnonzero(places >= 0)
        rows = rows[self.index.has(rows)]
        rows = rows[np.argsort(places[rows])]
        for pair in self.index.near_gold(rows):
            self._note(int(places[pair.text]), pair.row, pair.likeness)
        return np.setdiff1d(self._first.samples.suspects(self.index.known), places[rows])

    def _note(self, place: int, row: int, likeness: float) -> None:
        """Keep a document that is nearly equal to a gold text, and not equal; the best ones."""
        first = self._first
        same = self._texts[place] == first.gold_texts[row] or self._ids[place] == first.gold[row]
        near = self._near.setdefault(row, [])
        if not same:
            near.append((-likeness, place))
        if len(near) > 2 * TWINS_KEPT:
            near[:] = sorted(near)[:TWINS_KEPT]

    def read(self) -> None:
        """Read the corpus again, if anything is to be found there."""
        if len(self._wanted) or len(self._suspects):
            start = 0
            for batch in self._first.corpus.batches(Problems()):
                self._take(batch, start)
                start += len(batch.ids)
        self._name_duplicates()

    def _take(self, batch: DocumentBatch, start: int) -> None:
        end = start + len(batch.ids)
        for place in _between(self._wanted, start, end):
            self._name(batch, place, start)
        suspects = _between(self._suspects, start, end)
        if suspects and batch.texts is not None and self.index:
            found = shingles_of([batch.texts[place - start] or "" for place in suspects])
            for pair in self.index.near(found):
                self._note(suspects[pair.text], pair.row, pair.likeness)
                self._name(batch, suspects[pair.text], start)

    def _name(self, batch: DocumentBatch, place: int, start: int) -> None:
        self._named[place] = (batch.ids[place - start], batch.place(place - start))

    def _name_duplicates(self) -> None:
        for place, before in self._repeats.tolist():
            one, again = self._named[place]
            other, first = self._named[before]
            if one == other:
                self.duplicates.append(Duplicate(one, first, again))
            else:
                self.duplicate_count -= 1

    def twins(self) -> dict[int, tuple[Twin, ...]]:
        """By gold id: first those with an equal text, then those with the nearest."""
        same: dict[int, list[Id]] = {}
        for place in self._equal.tolist():
            same.setdefault(int(self._texts[place]), []).append(self._named[place][0])
        found = {}
        for row, key in enumerate(self._first.gold_texts.tolist()):
            gold = int(self._first.gold[row])
            equal = [Twin(one, 1.0) for one in same.get(key, ()) if hash_id(one) != gold]
            best = sorted(self._near.get(row, ()))[:TWINS_KEPT]
            near = [Twin(self._named[place][0], -likeness) for likeness, place in best]
            if equal or near:
                found[gold] = (*dict.fromkeys(equal), *near)
        return found


def _numbers(kept: "array[int]") -> IntArray:
    return np.frombuffer(kept, np.int64) if kept else np.zeros(0, np.int64)


def _between(places: IntArray, start: int, end: int) -> list[int]:
    """Those of some sorted places that lie in a batch."""
    first, last = np.searchsorted(places, [start, end])
    found: list[int] = places[first:last].tolist()
    return found


def _repeats(ids: IntArray) -> tuple[IntArray, int]:
    """The places of documents whose id came before, each with the place where it came first."""
    order = np.argsort(ids, kind="stable")
    ranked = ids[order]
    starts = np.ones(len(order), np.bool_)
    starts[1:] = ranked[1:] != ranked[:-1]
    count = len(order) - int(starts.sum())
    if not count:
        return np.zeros((0, 2), np.int64), 0
    first = order[starts][np.cumsum(starts) - 1]
    pairs = np.stack([order[~starts], first[~starts]], axis=1)
    return pairs[np.argsort(pairs[:, 0])][:DUPLICATES_KEPT], count


def _equal_texts(texts: IntArray, gold: IntArray) -> IntArray:
    """The places of the first documents of each gold text that several documents have."""
    places = np.flatnonzero(np.isin(texts, np.unique(gold[gold != 0])))
    order = places[np.argsort(texts[places], kind="stable")]
    ranked = texts[order]
    _, starts, counts = np.unique(ranked, return_index=True, return_counts=True)
    rank = np.arange(len(order)) - np.repeat(starts, counts)
    kept: IntArray = order[(np.repeat(counts, counts) > 1) & (rank <= TWINS_KEPT)]
    return np.sort(kept)
