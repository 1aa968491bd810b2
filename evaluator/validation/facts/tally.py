"""Counts over all records of a source, and the hashes that rules about whole sources need."""

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, count
from typing import Any, TypeAlias

from groupwise.evaluator.validation.facts.case import Case
from groupwise.evaluator.validation.facts.hashes import HashBag, Spellings
from groupwise.evaluator.validation.facts.normalisation import normalise
from groupwise.schemas import Id, RichTruth, Truth

Sizes: TypeAlias = tuple[int, ...]
MOST_SHAPES = 20_000


class Shapes:
    """How often each shape occurs; of very many different ones, the rare ones by size only.

    A shape is the sizes of the groups where no id occurs twice; otherwise it is the groups with
    numbers for ids, followed by weights, grades and labels if the ground truth is rich.

    Attributes:
        left_out: How many ground truths are counted by size only.
    """

    def __init__(self) -> None:
        self._shapes: Counter[tuple[Any, ...]] = Counter()
        self._groups_per_query: Counter[int] = Counter()
        self._alternatives_per_group: Counter[int] = Counter()
        self.left_out = 0

    def add(self, truth: Truth | Sequence[Sequence[Id]]) -> None:
        """Count a ground truth."""
        rest: list[Any] = []
        if isinstance(truth, RichTruth):
            truth, *rest = truth
        numbered = _number_ids(truth)
        is_plain = not rest and _count_ids(numbered) == sum(map(len, numbered))
        shape = tuple(map(len, numbered)) if is_plain else (numbered, *map(tuple, rest))
        self._shapes[shape] += 1
        self._forget_rare()

    def _forget_rare(self) -> None:
        """Drop the rarer half of too many shapes, after counting their sizes."""
        if len(self._shapes) <= MOST_SHAPES:
            return
        for shape, times in self._shapes.most_common()[MOST_SHAPES // 2 :]:
            self._count(_get_sizes(shape), times)
            self.left_out += times
            del self._shapes[shape]

    def _count(self, sizes: Sizes, times: int) -> None:
        self._groups_per_query[len(sizes)] += times
        for size in sizes:
            self._alternatives_per_group[size] += times

    def histograms(self) -> tuple[Counter[int], Counter[int]]:
        """Return groups per query, and alternatives per group."""
        whole = Shapes()
        whole._groups_per_query += self._groups_per_query
        whole._alternatives_per_group += self._alternatives_per_group
        for shape, times in self._shapes.items():
            whole._count(_get_sizes(shape), times)
        return whole._groups_per_query, whole._alternatives_per_group

    def count_truths(self) -> Iterator[tuple[Truth, int]]:
        """Yield a ground truth of each shape, and how often the shape occurs."""
        for shape, times in self._shapes.items():
            yield _build_truth(shape), times


def _number_ids(groups: Sequence[Sequence[Id]]) -> tuple[tuple[int, ...], ...]:
    """Return the groups with numbers for ids, from 0 in the order of their first occurrence."""
    numbers: dict[Id, int] = {}
    return tuple(tuple(numbers.setdefault(i, len(numbers)) for i in group) for group in groups)


def _count_ids(numbered: tuple[tuple[int, ...], ...]) -> int:
    return max(map(max, filter(None, numbered)), default=-1) + 1


def _has_sizes_only(shape: tuple[Any, ...]) -> bool:
    return not shape or isinstance(shape[0], int)


def _get_sizes(shape: tuple[Any, ...]) -> Sizes:
    return shape if _has_sizes_only(shape) else tuple(map(len, shape[0]))


def _build_truth(shape: tuple[Any, ...]) -> Truth:
    """Return a ground truth of a shape."""
    if _has_sizes_only(shape):
        numbers = count()
        return [[next(numbers) for _ in range(size)] for size in shape]
    groups, *rest = (list(map(list, shape[0])), *map(list, shape[1:]))
    return RichTruth(groups, *rest) if rest else groups


class Rankings:
    """Counts over all rankings of a source."""

    def __init__(self) -> None:
        self.depths: Counter[int] = Counter()
        self.scored = 0
        self.tied = 0

    def add(self, results: Sequence[Id], scores: Sequence[float]) -> None:
        """Count a ranking and its scores."""
        self.depths[len(results)] += 1
        self.scored += bool(scores)
        self.tied += len(set(scores)) != len(scores)

    @property
    def are_empty(self) -> bool:
        """Whether no ranking holds a result."""
        return self.depths.total() == self.depths[0]

    @property
    def median(self) -> int:
        """The median depth of the rankings that hold results."""
        depths = sorted(filter(None, self.depths))
        counts = list(accumulate(self.depths[depth] for depth in depths))
        return depths[bisect_right(counts, counts[-1] // 2)] if depths else 0


MOST_CORPORA = 1000
"""At most this many fingerprints are kept; a sound data set has one."""


class JudgedContent:
    """Content hashes and corpus fingerprints in records, kept as 16 bytes per judged id."""

    def __init__(self) -> None:
        self.corpora: set[str] = set()
        self._ids = array("q")
        self._contents = array("q")

    def add(self, record: Mapping[str, Any]) -> None:
        """Add the ``hashes`` and the ``corpus`` of a record."""
        hashes, corpus = record.get("hashes"), record.get("corpus")
        if isinstance(corpus, str) and len(self.corpora) < MOST_CORPORA:
            self.corpora.add(corpus)
        for name, content in hashes.items() if isinstance(hashes, Mapping) else ():
            if isinstance(content, str):
                self._ids.append(hash(name))
                self._contents.append(hash(content))

    def may_differ(self, contents: Mapping[int, tuple[str, ...]], *, ids_are_numbers: bool) -> bool:
        """Whether a judged text may differ from the content hashes that its id has now.

        ``contents`` is keyed by the hashes of ids. Those of whole numbers are not the hashes of the
        keys of a record's ``hashes``, which are strings: then nothing can be ruled out.
        """
        if not self._ids or ids_are_numbers:
            return bool(self._ids)
        now = {key: {*map(hash, hashes)} for key, hashes in contents.items()}
        judged = zip(self._ids, self._contents, strict=True)
        return any(content not in now.get(key, (content,)) for key, content in judged)


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
