"""What evaluation notices besides scores: warnings, and queries to reject."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from groupwise.evaluator.hits import FloatArray, Hits, Order
from groupwise.evaluator.hits.arrays import np
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching import EXACT, Matching
from groupwise.evaluator.matching.exact import has_hit
from groupwise.evaluator.matching.notes import MatchNotes
from groupwise.evaluator.matching.query_matcher import alternatives_of, results_of
from groupwise.evaluator.matching.truths import groups_of
from groupwise.evaluator.metrics.names import Measure
from groupwise.evaluator.text import plural, quote
from groupwise.schemas import Id
from groupwise.schemas.ids import text_of

if TYPE_CHECKING:
    from groupwise.schemas import Policies

SHOWN_IDS = 3


@dataclass
class Observations:
    """What was noticed so far; observations of different queries merge in any order.

    ``has_pair``: whether a query has both ground truth and results.
    ``unanswerable`` and ``tokenless`` hold the queries to reject: without groups where the policy
    is ``"error"``, and without numbers of tokens where a metric has a budget of them.
    ``lacking`` counts for each measure the queries without a value because vectors or spans are
    missing, and ``matching`` what the matcher noticed.
    ``example`` is an id of the ground truth and one of the results, for the case that no result is
    relevant; where spans are ``compared``, it is their documents. It belongs to the first query by
    id, so that it does not depend on the order of input.
    """

    missing: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    unanswerable: list[str] = field(default_factory=list)
    tokenless: list[str] = field(default_factory=list)
    example: tuple[str, Id, Id] | None = None
    compared: str = "id"
    has_pair: bool = False
    has_match: bool = False
    greedy: int = 0
    repeating: int = 0
    lacking: Counter[str] = field(default_factory=Counter)
    matching: MatchNotes | None = None

    def note_example(self, rows: Rows, matching: Matching, depth: int | None) -> None:
        """Keep the first ids of the first query, as long as no result is relevant.

        Where results are cut at a depth, it is looked for relevant ones beyond it as well.
        """
        self.has_match = self.has_match or _has_match(rows, matching, depth)
        if self.has_match:
            return
        lengths = map(len, rows.results)
        filled = [row for row, length in enumerate(lengths) if length and rows.truths[row]]
        row = min(filled, key=rows.ids.__getitem__, default=None)
        if row is not None and self._comes_first(rows.ids[row]):
            gold = min(chain.from_iterable(groups_of(rows.truths[row])))
            self.example = rows.ids[row], gold, rows.results[row][0]
            self.compared = matching.name if matching.needs_references else "id"
            if self.compared == "span":
                self.example = rows.ids[row], *_find_documents(rows, row)

    def _comes_first(self, query_id: str) -> bool:
        return self.example is None or query_id < self.example[0]

    def note_hit_count(self, hits: int) -> None:
        """Note that there are relevant results as soon as any is known: no example is needed."""
        self.has_match = self.has_match or hits > 0

    def note_hits(self, ordered: Mapping[Order, Hits]) -> None:
        """Count the queries of a scored batch that the report warns about."""
        hits = next(iter(ordered.values()))
        self.has_match = self.has_match or len(hits.rank) > 0
        self.repeating += hits.queries_with_repeats
        self.greedy += len(set().union(*(hits.greedy for hits in ordered.values())))

    def note_matching(self, notes: MatchNotes) -> None:
        """Add what a matcher noticed."""
        self.matching = self.matching or MatchNotes()
        self.matching.merge(notes)

    def note_lacking(self, measure: Measure, values: FloatArray, hits: Hits) -> None:
        """Count the queries of a batch, cut for the measure, that lack what it needs."""
        if measure.metric.needs_spans and hits.spans is not None:
            lacks = ~hits.spans.is_known(hits.length) & np.isnan(values)
            self.lacking[measure.label] += int(lacks.sum())
        elif hits.likeness is not None:
            lacks = hits.likeness.lacks_vectors(hits.length) & (values != values)  # noqa: PLR0124
            self.lacking[measure.label] += int(lacks.sum())

    def merge(self, other: "Observations") -> None:
        """Add what was noticed about other queries."""
        self.missing += other.missing
        self.extra += other.extra
        self.unanswerable += other.unanswerable
        self.tokenless += other.tokenless
        self.has_pair = self.has_pair or other.has_pair
        self.has_match = self.has_match or other.has_match
        self.repeating += other.repeating
        self.greedy += other.greedy
        self.lacking += other.lacking
        if other.matching is not None:
            self.note_matching(other.matching)
        if other.example and self._comes_first(other.example[0]):
            self.example, self.compared = other.example, other.compared

    def warnings(
        self,
        counts: Mapping[str, int],
        policies: "Policies",
        values: Sequence[tuple[Measure, int]],
    ) -> Iterator[str]:
        """Yield the warnings of a report; ``values`` says how many values each measure has."""
        looks_at_hits = not all(measure.metric.needs_spans for measure, _ in values)
        if self.example and not self.has_match and looks_at_hits:
            yield _describe_no_match(self.compared, *map(quote, self.example[1:]))
        if self.greedy:
            yield (
                "queries normalised by a greedy ideal ranking, because their groups share too many "
                f"documents for an exact one: {self.greedy}"
            )
        if counts["scored"]:
            yield from self._warn_of_unscored_measures(values)
        if self.repeating:
            verb = "repeats" if self.repeating == 1 else "repeat"
            yield f"{_count_queries(self.repeating)} {verb} a relevant result"
        if self.matching is not None:
            yield from self.matching.warnings()
        yield from self._warn_of_special_queries(counts, policies)

    def _warn_of_unscored_measures(self, values: Sequence[tuple[Measure, int]]) -> Iterator[str]:
        for measure, count in values:
            need = f": it needs {measure.metric.needs}" if measure.metric.needs else ""
            lacking = self.lacking[measure.label]
            if not count and measure.is_asked_score:
                yield f"{measure.label} has no value for any query{need}"
            elif lacking:
                yield f"{measure.label} has no value for {_count_queries(lacking)}{need}"

    def _warn_of_special_queries(
        self, counts: Mapping[str, int], policies: "Policies"
    ) -> Iterator[str]:
        if self.missing:
            outcome = "scored 0" if policies.missing == "zero" else "not scored"
            missing = _count_queries(len(self.missing))
            yield f"{missing} without results, {outcome}: {_list_ids(self.missing)}"
        if counts["empty_results"] and policies.empty_results == "skip":
            yield f"{_count_queries(counts['empty_results'])} with an empty result, not scored"
        if counts["unanswerable"]:
            outcome = "scored 0" if policies.unanswerable == "zero" else "not scored"
            unanswerable = _count_queries(counts["unanswerable"])
            yield f"{unanswerable} without ground truth (unanswerable), {outcome}"
        if self.extra:
            extra = _count_queries(len(self.extra))
            yield f"{extra} in the results only, ignored: {_list_ids(self.extra)}"


def _find_documents(rows: Rows, row: int) -> tuple[Id, Id]:
    """Return a document of the ground truth, and that of the first result."""
    listed = chain.from_iterable(alternatives_of(rows, row))
    documents = [alternative.document for alternative in listed]
    known = [document for document in documents if document is not None]
    return min(known, key=text_of, default=""), results_of(rows, row)[0].document or ""


def _describe_no_match(compared: str, gold: str, found: str) -> str:
    """Return the warning that no result of any query meets a group."""
    has = f"The ground truth has {gold}, the results have {found}"
    if compared == "id":
        return f"no result of any query is in its ground truth: are these two id spaces? {has}"
    if compared == "span" and gold != found:
        return (
            f"no result of any query covers its ground truth: do documents have other names? {has}"
        )
    return f"no result of any query meets its ground truth (matching: {compared})"


def _has_match(rows: Rows, matching: Matching, depth: int | None) -> bool:
    """Whether a relevant result is known from the check of the ids, or found beyond a depth."""
    if rows.matched and rows.matched.ranks:
        return True
    return depth is not None and _has_match_beyond(rows, matching, depth)


def _has_match_beyond(rows: Rows, matching: Matching, depth: int) -> bool:
    """Whether a result that is deeper than this is relevant."""
    deep = [row for row, length in enumerate(map(len, rows.results)) if length > depth]
    if not deep:
        return False
    if matching == EXACT:
        return any(has_hit(rows.truths[row], rows.results[row]) for row in deep)
    matcher = matching.open()
    matcher.add(rows.only(deep))
    return len(matcher.batch().rank) > 0


def _count_queries(count: int) -> str:
    return plural(count, "query", "queries")


def _list_ids(ids: list[str]) -> str:
    shown = ", ".join(quote(query_id) for query_id in sorted(ids)[:SHOWN_IDS])
    return shown + (", …" if len(ids) > SHOWN_IDS else "")
