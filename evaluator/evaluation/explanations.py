"""Explanations: which groups are met where, and why the others are not.

Queries are matched once more, over their whole rankings, and kept until the end; only those that
are asked for become models. Sums over all queries are taken from the hits.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.evaluation.corpus_texts import add_corpus_texts
from groupwise.evaluator.evaluation.depths import find_depths
from groupwise.evaluator.evaluation.explained_part import (
    MET,
    NOT_IN_CORPUS,
    REASONS,
    GroupKey,
    Part,
)
from groupwise.evaluator.evaluation.provenance import name_input
from groupwise.evaluator.evaluation.slicing import Slicer, choose_cells
from groupwise.evaluator.hits import Cutoff, IntArray, Order
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching import Matching
from groupwise.evaluator.matching.corpus_ids import CorpusIds
from groupwise.evaluator.matching.near_misses import MOST
from groupwise.evaluator.matching.order import sort_by_score
from groupwise.evaluator.text import quote
from groupwise.schemas import Report
from groupwise.schemas.explanation import (
    CorpusUsed,
    Explanation,
    ExplanationCounts,
    MissedGroup,
    QueryExplanations,
    Reasons,
    SliceExplanation,
    build_reasons,
)

if TYPE_CHECKING:
    from groupwise.evaluator.matching.lookup import Chunks

LEADING_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
MOST_MISSED = 10
"""At most this many groups are listed as missed by several queries."""
DEFAULT_K = 10
MOST_READ = 300
"""So many of the worst queries have the texts of a corpus, if they are for people to read."""
FEW = 100
"""So many queries are built at once; of more, the data is kept and each is built when read."""


class Request(NamedTuple):
    """What to explain: the first k results of these queries, of the worst ones, or of all.

    ``k=None`` leaves it to the first metric. ``texts``: whether the texts of alternatives are
    compared with those of a corpus. ``page``: whether texts are kept, for people to read.
    """

    k: int | None = None
    queries: tuple[str, ...] | None = None
    worst: int | None = None
    texts: bool = False
    page: bool = False

    def resolve(self, cutoff: Cutoff | None) -> "Request":
        """Return the request with its k: as it is, the cutoff of the first metric, or 10."""
        chosen = cutoff if isinstance(cutoff, int) else DEFAULT_K
        return self if self.k is not None else self._replace(k=chosen)


class Explanations:
    """Collects the queries of an evaluation, and explains them when it has ended."""

    def __init__(
        self, request: Request, matching: Matching, order: Order, corpus: "Chunks | None" = None
    ) -> None:
        """Collect queries of this matching, in this order of results."""
        self._request = request
        self._k = request.k or DEFAULT_K
        self._matching = matching
        self._order = order
        self._corpus = corpus
        self.parts: list[Part] = []

    def add(self, rows: Rows, scored: Rows) -> None:
        """Add queries; ``scored`` are those among them that are scored."""
        if len(scored) == len(rows):
            self._match(rows, is_scored=True)
            return
        ids = {*scored.ids}
        numbers = range(len(rows))
        self._match(rows.only([n for n in numbers if rows.ids[n] in ids]), is_scored=True)
        self._match(rows.only([n for n in numbers if rows.ids[n] not in ids]), is_scored=False)

    def _match(self, rows: Rows, *, is_scored: bool) -> None:
        if not len(rows):
            return
        ordered = sort_by_score(rows) if self._order == "score" else rows
        matcher = self._matching.open()
        matcher.add(replace(ordered, tokens=[]))
        hits = matcher.batch()
        part = Part.of(ordered, hits, self._k, is_scored=is_scored)
        part.find_near(self._matching, ordered)
        if self._request.texts:
            part.keep_texts(ordered.truth_references)
        if self._matching.needs_references:
            part.tell_apart(ordered.truth_references)
        if self._corpus is not None and self._matching.needs_references:
            part.keep_gold(ordered.truth_references)
        if self._request.page:
            part.keep_contents(ordered)
        self.parts.append(part)

    def merge(self, other: "Explanations") -> None:
        """Add the queries of another part of the evaluation."""
        self.parts += other.parts

    def explain(self, report: Report, slicer: Slicer | None, *, as_text: bool) -> Explanation:
        """Return the explanation of the queries asked for, in a report on all of them.

        Raises:
            InputError: There is no such query, or the corpus cannot be read.
        """
        return self._explain(report, slicer, as_text=as_text)

    def _explain(self, report: Report, slicer: Slicer | None, *, as_text: bool) -> Explanation:
        places = self._place_queries()
        chosen = self._choose(report, places)
        corpus = self._look_in_corpus(as_text=as_text)
        if self._corpus is not None and self._request.page:
            read = [places[query] for query in report.worst(MOST_READ)]
            add_corpus_texts(read, self._corpus.documents, as_text=as_text)
        queries = QueryExplanations(chosen, lambda query_id: _describe(*places[query_id]))
        if len(queries) <= FEW:
            queries = QueryExplanations.of(dict(queries.items()))
        queries.has_texts = self._request.page
        return Explanation.model_construct(
            schema_="groupwise.explanation/1",
            profile=report.profile,
            k=self._k,
            queries=queries,
            reasons=_count_codes(self._join_codes()),
            depth_for=find_depths(self._join_ranks()),
            near=self._count_near(),
            labels=self._count_labels(),
            missed_groups=self._find_most_missed(),
            slices=self._build_slices(slicer) if slicer else {},
            counts=ExplanationCounts.model_construct(
                queries=report.counts.queries, scored=report.counts.scored, explained=len(queries)
            ),
            matching=report.matching,
            corpus=corpus,
            warnings=report.warnings,
        )

    def _place_queries(self) -> dict[str, tuple[Part, int]]:
        places = {query: (part, row) for part in self.parts for row, query in enumerate(part.ids)}
        return dict(sorted(places.items(), key=lambda place: place[0]))

    def _choose(self, report: Report, places: Mapping[str, Any]) -> list[str]:
        """Return the queries to explain, in the order in which they are shown."""
        asked = self._request.queries
        if asked is not None:
            unknown = [query for query in asked if query not in places]
            if unknown:
                raise InputError([Problem(_describe_unknown(q, places)) for q in unknown])
            return [*dict.fromkeys(asked)]
        if self._request.worst is not None:
            return report.worst(self._request.worst)
        return [*places]

    def _look_in_corpus(self, *, as_text: bool) -> CorpusUsed | None:
        """Tell apart the groups that no result could meet: the corpus has none of their ids."""
        if self._corpus is None:
            return None
        name = name_input(self._corpus.given)
        if self._matching.needs_references:
            self._search_corpus("text" if as_text else None)
            return CorpusUsed.model_construct(name=name, documents=self._corpus.count)
        missed = [(part, *found) for part in self.parts for found in part.list_missed()]
        wanted = {document for *_, alternatives in missed for document in alternatives}
        key = getattr(self._matching.open(), "key_of", None)
        first = {top[0] for part in self.parts for top in part.tops if top}
        corpus = CorpusIds(wanted, self._corpus.documents, first, as_text=as_text, key=key)
        for part, _, group, alternatives in missed:
            if not corpus.has_any(alternatives):
                part.codes[group] = NOT_IN_CORPUS
            changed = corpus.find_changed(part.texts.get(group, ()))
            near = [*changed, *part.near.get(group, ()), *corpus.find_near(alternatives)]
            if near:
                part.near[group] = near[:MOST]
        return CorpusUsed.model_construct(name=name, documents=corpus.documents)

    def _search_corpus(self, ids: str | None) -> None:
        """Tell apart the groups that no chunk of the corpus could meet, by text or span."""
        from groupwise.evaluator.matching.corpus_reach import SEARCHED, find_met  # noqa: PLC0415

        missed = [(part, group) for part in self.parts for group in part.gold]
        if self._corpus is None or self._matching.name not in SEARCHED or not missed:
            return
        table = self._corpus.table(self._matching.compared_parts, ids)
        gold = [part.gold[group] for part, group in missed]
        met = find_met(self._matching, gold, table.list_chunks())
        for number, (part, group) in enumerate(missed):
            if number not in met:
                part.codes[group] = NOT_IN_CORPUS

    @property
    def _scored(self) -> list[Part]:
        return [part for part in self.parts if part.is_scored]

    def _join_codes(self) -> IntArray:
        return _concatenate([part.codes for part in self._scored])

    def _join_ranks(self) -> IntArray:
        return _concatenate([part.hits.first_rank for part in self._scored])

    def _count_near(self) -> dict[str, int]:
        """Return how many missed groups have a near miss of each kind."""
        counts: Counter[str] = Counter()
        for part in self._scored:
            for near in part.near.values():
                counts.update({difference for each in near for difference in each.differs_in})
        return dict(sorted(counts.items()))

    def _count_labels(self) -> dict[str, Reasons]:
        """Return the reasons of the groups of each label, the label missed most first."""
        codes: dict[str, list[IntArray]] = {}
        for part in self._scored:
            groups = part.hits.groups
            for number, label in enumerate(groups.labels):
                codes.setdefault(label, []).append(part.codes[groups.label == number])
        counted = {label: _count_codes(_concatenate(found)) for label, found in codes.items()}
        return dict(sorted(counted.items(), key=lambda pair: (-pair[1].missed, pair[0])))

    def _find_most_missed(self) -> tuple[MissedGroup, ...]:
        """Return the groups that several queries miss, the one missed most first."""
        keys: dict[GroupKey, int] = {}
        pairs = self._pair_groups(keys)
        is_missed = self._join_codes() != MET
        listed, missed = (_count_queries(each, len(keys)) for each in (pairs, pairs[is_missed]))
        often = [
            (-count, [*map(str, ids)], queries, ids)
            for (ids, _), count, queries in zip(keys, missed, listed, strict=True)
            if count > 1
        ]
        return tuple(
            MissedGroup.model_construct(alternatives=ids, missed=-count, queries=queries)
            for count, _, queries, ids in sorted(often)[:MOST_MISSED]
        )

    def _pair_groups(self, keys: dict[GroupKey, int]) -> IntArray:
        """Return the number of the query and of the key of each group, in two columns.

        Keys that are new are numbered.
        """
        numbers, queries, start = [], [], 0
        for part in self._scored:
            numbers += [keys.setdefault(key, len(keys)) for key in part.list_keys()]
            queries.append(part.hits.groups.query + start)
            start += len(part.ids)
        return np.column_stack([_concatenate(queries), np.array(numbers, np.int64)])

    def _build_slices(self, slicer: Slicer) -> dict[str, dict[str, SliceExplanation]]:
        """Return the slices of each field; rows are marked with their slices."""
        rows: dict[Any, list[tuple[Part, int]]] = {}
        for part in self._scored:
            for row, cells in enumerate(part.metadata):
                for cell in cells:
                    rows.setdefault(cell, []).append((part, row))
        return {
            name: {cell.name: _sum_slice(rows[cell]) for cell in choose_cells(rows, name, slicer)}
            for name in slicer.fields
        }


def _describe(part: Part, row: int) -> dict[str, Any]:
    return part.describe_query(row)


def _concatenate(arrays: Sequence[IntArray]) -> IntArray:
    return np.concatenate(arrays) if arrays else np.zeros(0, np.int64)


def _count_codes(codes: IntArray) -> Reasons:
    counts = np.bincount(codes, minlength=len(REASONS)).tolist()
    return build_reasons(dict(zip(REASONS, counts, strict=True)))


def _count_queries(pairs: IntArray, keys: int) -> list[int]:
    """Return how many queries have each key, in pairs of both."""
    distinct = np.unique(pairs[:, 0] * keys + pairs[:, 1])
    counts: list[int] = np.bincount(distinct % max(keys, 1), minlength=keys).tolist()
    return counts


def _sum_slice(rows: Sequence[tuple[Part, int]]) -> SliceExplanation:
    parts: dict[int, tuple[Part, list[int]]] = {}
    for part, row in rows:
        groups = range(part.group_starts[row], part.group_starts[row + 1])
        parts.setdefault(id(part), (part, []))[1].extend(groups)
    codes = _concatenate([part.codes[groups] for part, groups in parts.values()])
    ranks = _concatenate([part.hits.first_rank[groups] for part, groups in parts.values()])
    return SliceExplanation.model_construct(
        queries=len(rows), reasons=_count_codes(codes), depth_for=find_depths(ranks)
    )


def _find_near_names(query: str, known: Iterable[str]) -> list[str]:
    """Return the ids that differ in case or leading zeros, else up to three that are alike.

    >>> _find_near_names("Q-1", ["q-01", "q-11"]), _find_near_names("q-123", ["q-124", "x"])
    (['q-01'], ['q-124'])
    """
    forms: dict[str, list[str]] = {}
    for name in known:
        forms.setdefault(_simplify(name), []).append(name)
    form = _simplify(query)
    near = [form] if form in forms else get_close_matches(form, [*forms], n=3)
    return [name for each in near for name in forms[each]][:3]


def _simplify(name: str) -> str:
    return LEADING_ZEROS.sub("", name.casefold())


def _describe_unknown(query: str, known: Mapping[str, Any]) -> str:
    near = _find_near_names(query, known)
    if near:
        hint = f"did you mean {' or '.join(map(quote, near))}?"
    else:
        shown = ", ".join(map(quote, [*known][:3]))
        hint = f"the ground truth has {shown}{', …' if len(known) > 3 else ''}"
    return f"no query {quote(query)}; {hint}"
