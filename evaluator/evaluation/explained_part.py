"""Matched queries, as far as explanations need them: not whole rankings, but their hits."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from hashlib import blake2b
from itertools import chain
from typing import Any, TypeAlias

from groupwise.evaluator.hits import Hits, IntArray
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.intake.rows import Rankings, Rows
from groupwise.evaluator.matching import Matching
from groupwise.evaluator.matching.near_evidence import find_near_evidence
from groupwise.evaluator.matching.near_misses import NearFinder
from groupwise.evaluator.matching.truths import groups_of, labels_of
from groupwise.evaluator.text import cut
from groupwise.schemas import Id, Reference, Truth
from groupwise.schemas.explanation import NearMiss, Reason

REASONS = ("met", "beyond_k", "not_retrieved", "not_in_corpus")
CODED: tuple[Reason | None, ...] = (None, "beyond_k", "not_retrieved", "not_in_corpus")
MET, BEYOND, NOT_RETRIEVED, NOT_IN_CORPUS = range(4)
LONGEST_TEXT = 600
"""So many characters of a text are kept for people to read."""
GroupKey: TypeAlias = tuple[tuple[Id, ...], bytes]
"""The ids of a group, and the digest of its texts and spans, where these are matched."""


@dataclass
class Part:
    """Some queries in the order of results that counts, with their hits.

    ``tops`` has the first k results of each query, ``deeper`` the result that first meets a group
    beyond k, ``texts`` the alternatives of missed groups that have a text, ``gold`` all that are
    looked for in a corpus, ``gold_texts`` and ``result_texts`` the texts that people read, by id,
    ``contents`` digests of the texts and spans of groups, where these are matched.
    ``codes`` has the reason of each group, a place in ``REASONS``. ``is_scored``: whether the
    queries count in sums.
    """

    ids: list[str]
    truths: list[Truth]
    metadata: list[Any]
    tops: list[list[Id]]
    hits: Hits
    codes: IntArray
    is_scored: bool
    queries: list[str | None] = field(default_factory=list)
    deeper: dict[int, Id] = field(default_factory=dict)
    near: dict[int, list[NearMiss]] = field(default_factory=dict)
    texts: dict[int, list[tuple[Id, str]]] = field(default_factory=dict)
    gold: dict[int, list[Reference]] = field(default_factory=dict)
    gold_texts: dict[int, dict[str, str]] = field(default_factory=dict)
    result_texts: dict[int, dict[str, str]] = field(default_factory=dict)
    contents: dict[int, bytes] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Rows, hits: Hits, k: int, *, is_scored: bool) -> "Part":
        """Return the queries of these rows, whose results are in the order of the hits."""
        first = hits.first_rank
        codes = np.where(first == 0, NOT_RETRIEVED, np.where(first > k, BEYOND, MET))
        tops = _cut(rows.results, k)
        columns = rows.ids, rows.truths, rows.metadata, tops
        part = cls(*columns, hits, codes, is_scored, rows.queries)
        for group in np.flatnonzero(codes == BEYOND).tolist():
            part.deeper[group] = rows.results[int(hits.groups.query[group])][first[group] - 1]
        return part

    def keep_texts(self, references: Sequence[list[list[Reference]] | None]) -> None:
        """Keep the texts of the groups that no result meets, to compare them with a corpus."""
        for row, group, _ in self.list_missed() if references else ():
            given = (references[row] or [])[group - self.group_starts[row] :][:1]
            texts = [(each.id, each.text) for each in chain(*given) if each.text]
            if texts:
                self.texts[group] = texts

    def keep_gold(self, references: Sequence[list[list[Reference]] | None]) -> None:
        """Keep the alternatives of missed groups, to look for them in a corpus."""
        for row, group, _ in self.list_missed() if references else ():
            for given in (references[row] or [])[group - self.group_starts[row] :][:1]:
                self.gold[group] = given

    def tell_apart(self, references: Sequence[list[list[Reference]] | None]) -> None:
        """Keep digests of texts and spans, which tell groups with the same ids apart."""
        for row, groups in enumerate(references):
            for number, group in enumerate(groups or (), self.group_starts[row]):
                self.contents[number] = _digest(group)

    def list_keys(self) -> list[GroupKey]:
        """Return a key for each group: the same for groups that are the same."""
        groups = chain.from_iterable(map(groups_of, self.truths))
        if not self.contents:
            return [(_sort_ids(ids), b"") for ids in groups]
        return [(_sort_ids(ids), self.contents.get(n, b"")) for n, ids in enumerate(groups)]

    def keep_contents(self, rows: Rows) -> None:
        """Keep the beginnings of the texts of gold and of the first results, for people."""
        for row, groups in enumerate(rows.truth_references):
            self.gold_texts[row] = _list_texts(chain(*(groups or ())))
        for row, results in enumerate(rows.result_references):
            self.result_texts[row] = _list_texts((results or [])[: len(self.tops[row])])

    def find_near(self, matching: Matching, rows: Rows) -> None:
        """Find the near misses of the groups that no result meets.

        Args:
            matching: How results meet groups.
            rows: The queries of this part, with their results.
        """
        if matching.compares_ids:
            self._find_near_ids(rows.results, getattr(matching.open(), "key_of", None))
            return
        missed: dict[int, set[int]] = {}
        for row, group, _ in self.list_missed():
            missed.setdefault(row, set()).add(group - self.group_starts[row])
        for row, number, near in find_near_evidence(matching, rows, missed):
            self.near[self.group_starts[row] + number] = near

    def _find_near_ids(self, rankings: Rankings, key_of: Callable[[Id], Id] | None) -> None:
        """Find ids that nearly are those of missed groups; both as ``key_of`` changes them."""
        row, finder = -1, NearFinder((), set)
        for query, group, alternatives in self.list_missed():
            if query != row:
                row = query
                results = rankings[row] if key_of is None else [*map(key_of, rankings[row])]
                finder = NearFinder(results, partial(self.ranks_of_query, row))
            if near := _find_as_given(finder, alternatives, rankings[row], key_of):
                self.near[group] = near

    @cached_property
    def group_starts(self) -> list[int]:
        """The number of the first group of each query, and the number of all groups."""
        queries = np.arange(len(self.ids) + 1)
        starts: list[int] = np.searchsorted(self.hits.groups.query, queries).tolist()
        return starts

    @cached_property
    def hit_starts(self) -> list[int]:
        """The number of the first hit of each group, and the number of all hits."""
        groups = np.arange(len(self.hits.groups.query) + 1)
        starts: list[int] = np.searchsorted(self.hits.group, groups).tolist()
        return starts

    @cached_property
    def ranks(self) -> list[int]:
        """The rank of each hit."""
        ranks: list[int] = self.hits.rank.tolist()
        return ranks

    def ranks_of(self, group: int) -> list[int]:
        """Return the ranks of the hits of a group."""
        return self.ranks[self.hit_starts[group] : self.hit_starts[group + 1]]

    def ranks_of_query(self, row: int) -> set[int]:
        """Return the ranks of all hits of a query."""
        first, end = self.group_starts[row], self.group_starts[row + 1]
        return {*self.ranks[self.hit_starts[first] : self.hit_starts[end]]}

    def describe_query(self, row: int) -> dict[str, Any]:
        """Return the fields of a query's explanation."""
        vector = bytearray(int(self.hits.length[row]))
        for rank in self.ranks_of_query(row):
            vector[rank - 1] = 1
        truth, first = self.truths[row], self.group_starts[row]
        groups = [
            {"group": number, "label": label, **self._describe_group(first + number, ids, row)}
            for number, (ids, label) in enumerate(
                zip(groups_of(truth), labels_of(truth), strict=True)
            )
        ]
        complete = bool(groups) and all(group["met"] for group in groups)
        return {
            "query": self.queries[row] if self.queries else None,
            "hit_vector": tuple(vector),
            "complete": complete if self.is_scored else None,
            "groups": groups,
            "results": tuple(self.tops[row]),
            "texts": self.result_texts.get(row, {}),
            "gold_texts": self.gold_texts.get(row, {}),
        }

    def _describe_group(self, group: int, alternatives: Sequence[Id], row: int) -> dict[str, Any]:
        """Return where a group is met, or why it is not."""
        ranks, code = self.ranks_of(group), self.code_list[group]
        return {
            "alternatives": tuple(alternatives),
            "met": code == MET,
            "rank": ranks[0] if ranks else None,
            "by": self.tops[row][ranks[0] - 1] if code == MET else self.deeper.get(group),
            "again": tuple(ranks[1:]),
            "reason": CODED[code],
            "near": tuple(self.near.get(group, ())),
        }

    @cached_property
    def code_list(self) -> list[int]:
        """The reasons, when they are final."""
        codes: list[int] = self.codes.tolist()
        return codes

    def list_missed(self) -> Iterator[tuple[int, int, list[Id]]]:
        """Yield query, number and alternatives of each group that no result meets."""
        missed = np.flatnonzero(self.codes >= NOT_RETRIEVED)
        rows = self.hits.groups.query[missed].tolist()
        for row, group in zip(rows, missed.tolist(), strict=True):
            yield row, group, groups_of(self.truths[row])[group - self.group_starts[row]]


def _find_as_given(
    finder: NearFinder,
    alternatives: list[Id],
    ranking: Sequence[Id],
    key_of: Callable[[Id], Id] | None,
) -> list[NearMiss]:
    """Return near misses by the ids that were given, which ``key_of`` changes for the finder."""
    if key_of is None:
        return finder.find(alternatives)
    given = {key_of(alternative): alternative for alternative in reversed(alternatives)}
    return [
        near.model_copy(update={"id": ranking[rank - 1], "alternative": given[near.alternative]})
        for near in finder.find(given)
        if (rank := near.rank)
    ]


def _sort_ids(group: Sequence[Id]) -> tuple[Id, ...]:
    """Return the ids of a group, the same in any order of its alternatives."""
    return (group[0],) if len(group) == 1 else tuple(sorted({*group}))


def _digest(group: Iterable[Reference]) -> bytes:
    listed = repr(sorted({repr(each) for each in group}))
    return blake2b(listed.encode(), digest_size=8).digest()


def _list_texts(references: Iterable[Reference]) -> dict[str, str]:
    """Return the beginnings of the texts that references have, by id."""
    return {str(each.id): cut(each.text, LONGEST_TEXT) for each in references if each.text}


def _cut(rankings: Rankings, k: int) -> list[list[Id]]:
    """Return the first results of each query."""
    return [ranking[:k] for ranking in rankings]
