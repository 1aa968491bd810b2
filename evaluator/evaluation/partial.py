"""What an evaluation has found so far: rows go in, a report comes out, partials merge.

The queries of an evaluation may be cut into any parts, each with its own ``Partial``; merged in any
order they give the report of one piece, to the last byte. Partials can be pickled: what they hold
does not depend on the process that filled them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.evaluation.disjoint import describe_disjoint
from groupwise.evaluator.evaluation.estimates import NO_BANDS, Estimates, ScoredValues, name_bands
from groupwise.evaluator.evaluation.first_ranks import FirstRanks
from groupwise.evaluator.evaluation.intervals import describe_confidence, warn_of_few_queries
from groupwise.evaluator.evaluation.observations import Observations
from groupwise.evaluator.evaluation.reports import build_report
from groupwise.evaluator.evaluation.shapes import ShapeCounts
from groupwise.evaluator.evaluation.slices import FEW, Slices, warn_of_few
from groupwise.evaluator.hits import Budget, FloatArray, Order
from groupwise.evaluator.intake.kinds import Kinds
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.intake.vectors import VectorTable
from groupwise.evaluator.matching import EXACT, MatchedBatch, Matching, Orders
from groupwise.evaluator.matching.exact import limit_depth
from groupwise.evaluator.metrics.names import Measure
from groupwise.evaluator.metrics.registry import BY_SCORE, Metric
from groupwise.evaluator.metrics.scoring import compute_scores
from groupwise.evaluator.statistics.curves import build_curve
from groupwise.evaluator.statistics.means import ExactMeans
from groupwise.evaluator.statistics.ranks import RankCounts
from groupwise.evaluator.statistics.ties import TieBounds
from groupwise.schemas import Counts, PerQuery, Provenance, Spellings
from groupwise.schemas.binding import find_version

if TYPE_CHECKING:
    from groupwise.evaluator.evaluation.explanations import Explanations, Request
    from groupwise.evaluator.matching.lookup import Chunks, Lookup
    from groupwise.schemas import Input, Policies, Report

QUERIES_PER_BATCH = 4096
HITS_PER_BATCH = 1 << 20
"""Queries with so many hits are scored at once, however few they are: each takes some memory."""
Progress = Callable[[int], None]
NO_TOKENS = (
    "a budget of tokens needs the tokens of every result: write them as "
    '{"id": …, "tokens": 130}, or give its "text" and say how many characters a token has '
    "(characters_per_token)"
)


@dataclass(frozen=True)
class Setup:
    """What all partials of an evaluation have in common."""

    measures: tuple[Measure, ...]
    profile: str
    policies: "Policies"
    per_query: bool = True
    matching: Matching = EXACT
    by: tuple[str, ...] = ()
    confidence: float | None = None
    ceilings: frozenset[str] = frozenset()
    bands: bool = False
    gated: bool = False
    explain: "Request | None" = None
    keeps_ranks: bool = False

    def replace(self, **changes: Any) -> "Setup":
        """Return it with other values of some fields."""
        return replace(self, **changes)

    @cached_property
    def keeps_values(self) -> bool:
        """Whether the value of each query is needed at the end: for itself, or for intervals."""
        return self.per_query or self.confidence is not None or self.gated

    @cached_property
    def budgets(self) -> list[int]:
        """The budgets of tokens that measures are cut at."""
        return sorted({m.k.tokens for m in self.measures if isinstance(m.k, Budget)})

    @cached_property
    def depth(self) -> int | None:
        """The deepest cutoff; None if a measure looks at whole rankings, or at a budget."""
        ranks = [measure.k for measure in self.measures if isinstance(measure.k, int)]
        return max(ranks) if len(ranks) == len(self.measures) else None

    @cached_property
    def match_depth(self) -> int:
        """How deep to look for hits when ids are checked: 0 if the matcher is another one."""
        return limit_depth(self.depth) if self.matching == EXACT else 0

    @cached_property
    def rank_depth(self) -> int | None:
        """How deep ranks of groups are looked for: in whole rankings, where this costs little."""
        return None if self.matching.compares_ids else self.depth

    @cached_property
    def spellings(self) -> Spellings:
        """The names under which each score of the report can be read."""
        return {measure.label: measure.names for measure in self.measures}

    def describe(self, inputs: "Sequence[Input]") -> Provenance:
        """Return where a report on these inputs comes from."""
        return Provenance.assemble(
            {
                "groupwise": find_version(),
                "inputs": tuple(inputs),
                "policies": self.policies,
                "matching": self.matching.to_dict(),
            }
        )

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The label of each measure."""
        return tuple(measure.label for measure in self.measures)

    @cached_property
    def asked_scores(self) -> list[str | None]:
        """The label of each measure that is asked for and averaged; None for the others."""
        return [measure.label if measure.is_asked_score else None for measure in self.measures]

    @cached_property
    def orders(self) -> set[Order]:
        """The orders of results that the measures look at."""
        return {measure.order for measure in self.measures}

    @cached_property
    def needing(self) -> list[Metric]:
        """The metrics that need more than ids."""
        return [measure.metric for measure in self.measures if measure.metric.needs]

    @cached_property
    def looked_up_parts(self) -> frozenset[str]:
        """What is looked up in a corpus: what the matcher, a metric or a budget looks at."""
        needs_spans = any(measure.metric.needs_spans for measure in self.measures)
        estimates = self.policies.characters_per_token is not None and bool(self.budgets)
        more = {"span"} if needs_spans else set()
        return self.matching.compared_parts | more | ({"text"} if estimates else set())

    def open_lookup(self, corpus: "Chunks | None") -> "Lookup | None":
        """Return what completes alternatives and results from a corpus, if there is one."""
        if corpus is None or not self.looked_up_parts:
            return None
        from groupwise.evaluator.matching.lookup import Lookup  # noqa: PLC0415  (rarely needed)

        policies = self.policies
        return Lookup(corpus, self.looked_up_parts, policies.ids, policies.characters_per_token)

    def start_explanations(self, corpus: "Chunks | None") -> "Explanations | None":
        """Return what collects the queries to explain, if any are."""
        if self.explain is None:
            return None
        from groupwise.evaluator.evaluation.explanations import Explanations  # noqa: PLC0415  (rarely needed)

        by_score = self.profile in BY_SCORE and self.policies.ties != "input"
        return Explanations(self.explain, self.matching, "score" if by_score else "given", corpus)

    def count_shapes(self) -> ShapeCounts | None:
        """Return what counts the shapes of ground truths, if ceilings are asked for."""
        if not self.ceilings:
            return None
        return ShapeCounts(judged=any(each.metric.name == "judged" for each in self.measures))

    def open_deep_matcher(self) -> Orders | None:
        """Return a matcher of whole rankings, if ranks are kept that the measures do not need."""
        if not self.keeps_ranks or self.rank_depth == self.depth:
            return None
        return Orders(self.matching, self.orders, self.rank_depth, (), self.policies.ties)

    def matcher(self, vectors: VectorTable | None, budgets: list[int]) -> Orders:
        """Return a matcher for the orders of results that the measures look at."""
        if vectors is None and not all(metric.needs_spans for metric in self.needing):
            vectors = VectorTable([], [])
        return Orders(
            self.matching, self.orders, self.depth, budgets, self.policies.ties, vectors,
            spans=any(metric.needs_spans for metric in self.needing),
        )  # fmt: skip

    @cached_property
    def needs_references(self) -> bool:
        """Whether texts or spans are to be read: for scores, for a corpus, or for people."""
        return self.scores_references or self._explains_texts

    @cached_property
    def _explains_texts(self) -> bool:
        return self.explain is not None and (self.explain.texts or self.explain.page)

    @cached_property
    def scores_references(self) -> bool:
        """Whether scores depend on texts or spans: the matcher or a metric looks at them."""
        needs_spans = any(metric.needs_spans for metric in self.needing)
        return self.matching.needs_references or needs_spans


class Partial:
    """What has been found for some queries.

    Readers of the input fill ``problems``, what is wrong with it, and ``kinds``, whether its ids
    are strings or numbers. Both are merged, too. ``lookup`` completes ids from a corpus, if there
    is one. ``match_depth`` says how deep to look for hits when ids are checked.
    """

    def __init__(
        self,
        setup: Setup,
        vectors: VectorTable | None = None,
        progress: Progress | None = None,
        corpus: "Chunks | None" = None,
    ) -> None:
        self.setup = setup
        self.progress = progress
        self.problems = Problems()
        self.kinds = Kinds()
        self.counts = dict.fromkeys(Counts.model_fields, 0)
        self._budgets = setup.budgets
        self._depth = setup.depth
        self._looks_beyond_ids = setup.matching.needs_references
        self._matcher: Orders | None = setup.matcher(vectors, self._budgets)
        self.match_depth = setup.match_depth
        self.means = ExactMeans(len(setup.measures))
        self.ranks = RankCounts(setup.measures)
        self.ties = TieBounds(setup.measures) if setup.policies.ties == "report" else None
        keep = setup.confidence is not None
        self.slices = Slices(setup.by, setup.measures, keep=keep) if setup.by else None
        self.shapes = setup.count_shapes()
        self.lookup = setup.open_lookup(corpus)
        self.explanations = setup.start_explanations(corpus)
        self.first_ranks = FirstRanks(setup.rank_depth) if setup.keeps_ranks else None
        self._deep_matcher = setup.open_deep_matcher()
        self.observations = Observations()
        self.ids: list[str] = []
        self.unscored: list[str] = []
        self.blocks: list[FloatArray] = []
        self._is_merged = False

    def add(self, rows: Rows) -> None:
        """Add queries that have both ground truth and results."""
        if not rows:
            return
        rows = self._count_queries(self._look_up(rows))
        self.observations.has_pair = True
        given = rows
        if not (all(rows.truths) and all(rows.results)):
            rows = self._select_scorable(rows)
        if self.explanations:
            self.explanations.add(given, rows)
        self._score(rows)
        self.observations.note_example(rows, self.setup.matching, self._depth)

    def add_missing(self, rows: Rows) -> None:
        """Add queries that have ground truth only."""
        if not rows:
            return
        given = rows = self._count_queries(self._look_up(rows))
        rows = rows.only(
            [
                row
                for row, truth in enumerate(rows.truths)
                if truth or self._scores_unanswerable(rows, row)
            ]
        )
        self._count("missing", rows)
        self.observations.missing += rows.ids
        if self.explanations:
            self._explain_missing(given, rows)
        if self.setup.policies.missing == "zero":
            blank: list[Any] = [[] for _ in rows.ids]
            self._score(replace(rows, results=blank, tokens=blank))
        elif self.setup.per_query:
            self.unscored += rows.ids

    def _look_up(self, rows: Rows) -> Rows:
        """Return the rows with what a corpus knows of their alternatives and results."""
        return rows if self.lookup is None else self.lookup.fill(rows)

    def _explain_missing(self, given: Rows, rows: Rows) -> None:
        blank: list[Any] = [[] for _ in given.ids]
        scored = rows if self.setup.policies.missing == "zero" else Rows()
        assert self.explanations is not None  # noqa: S101  (the caller has looked)
        self.explanations.add(replace(given, results=blank), scored)

    def add_extra(self, ids: Iterable[str]) -> None:
        """Add queries that have results only."""
        ids = list(ids)
        self.counts["extra"] += len(ids)
        self.observations.extra += ids

    def merge(self, other: "Partial") -> "Partial":
        """Add what was found for other queries; return this partial.

        Raises:
            ValueError: The other partial belongs to another evaluation.
        """
        if self.setup != other.setup:
            raise ValueError("cannot merge partials of evaluations that were set up differently")
        self.flush()
        other.flush()
        for name, count in other.counts.items():
            self.counts[name] += count
        self.means.merge(other.means)
        self.ranks.merge(other.ranks)
        if self.ties and other.ties:
            self.ties.merge(other.ties)
        if self.slices and other.slices:
            self.slices.merge(other.slices)
        if self.shapes and other.shapes:
            self.shapes.merge(other.shapes)
        if self.first_ranks and other.first_ranks:
            self.first_ranks.merge(other.first_ranks)
        self.observations.merge(other.observations)
        self.ids += other.ids
        self.unscored += other.unscored
        self.blocks += other.blocks
        self.problems.merge(other.problems)
        if self.kinds.merge(other.kinds):
            self.problems.add(self.kinds.problem())
        if self.explanations and other.explanations:
            self.explanations.merge(other.explanations)
        self._is_merged = True
        return self

    def report(self, warnings: Sequence[str] = (), inputs: "Sequence[Input]" = ()) -> "Report":
        """Return the report, these warnings first; raise one InputError for all problems.

        ``inputs`` are listed in its provenance.
        """
        self.flush()
        self._check()
        setup, spellings = self.setup, self.setup.spellings
        found = self.means.means()
        means = list(zip(setup.measures, found, strict=True))
        labelled = zip(setup.asked_scores, found, strict=True)
        scores = {label: mean for label, mean in labelled if label is not None}
        values = list(zip(setup.measures, self.means.counts, strict=True))
        noticed = [*self.observations.warnings(self.counts, setup.policies, values)]
        estimates = Estimates(setup.measures, self._scored_values(), self.shapes, setup.ceilings)
        known = estimates.of_all()
        slices = self.slices.summaries(spellings, estimates) if self.slices else {}
        bands = name_bands(means) if setup.bands else {}
        noticed += [*self._warn_of_few(), *warn_of_few(slices)]
        noticed += [NO_BANDS] if setup.bands and not bands else []
        found_besides = {
            "confidence": describe_confidence(setup.confidence),
            "intervals": known.intervals,
            "ceilings": known.ceilings,
            "bands": bands,
            "ranks": self.ranks.summaries(),
            "ties": self.ties.summary() if self.ties else None,
            "curve": build_curve(means) if setup.measures[-1].in_curve else None,
            "slices": slices,
            "matching": self._describe_matching(),
        }
        report = build_report(
            setup, dict(self.counts), scores, self._per_query(spellings),
            (*warnings, *noticed), inputs, found_besides,
        )  # fmt: skip
        return self._explain(report) if self.explanations else report

    def _explain(self, report: "Report") -> "Report":
        """Return the report with the explanation that was asked for."""
        assert self.explanations is not None  # noqa: S101  (the caller has looked)
        slicer = self.slices.slicer if self.slices else None
        as_text = self.setup.policies.ids == "text"
        explanation = self.explanations.explain(report, slicer, as_text=as_text)
        return report.model_copy(update={"explanation": explanation})

    def _describe_matching(self) -> dict[str, Any]:
        """Return the matching with what was counted; nothing for exact ids."""
        if self.setup.matching.name == EXACT.name:
            return {}
        noticed = self.observations.matching
        counts = dict(sorted(noticed.counts.items())) if noticed else {}
        return {**self.setup.matching.to_dict(), **({"counts": counts} if counts else {})}

    def _scored_values(self) -> ScoredValues | None:
        """Return the values of all scored queries, if intervals need them."""
        if self.setup.confidence is None:
            return None
        cells = self.slices.scored if self.slices else ()
        return ScoredValues(self.ids, self.blocks, self.setup.confidence, cells)

    def _warn_of_few(self) -> Iterator[str]:
        if self.setup.confidence is not None:
            yield from warn_of_few_queries(self.counts["scored"], FEW)

    def values_of(self, label: str) -> FloatArray:
        """Return the values of a measure that queries have, in order of query id.

        They are kept if they are reported, and if there are intervals or gates.
        """
        row = [measure.label for measure in self.setup.measures].index(label)
        column = np.concatenate([np.zeros(0), *(block[row] for block in self.blocks)])
        ordered = column[sorted(range(len(self.ids)), key=self.ids.__getitem__)]
        known: FloatArray = ordered[~np.isnan(ordered)]
        return known

    def values(self) -> FloatArray:
        """Return the value of each measure (row) for each query (column); NaN where there is none.

        Raises:
            InputError: There are problems; all are listed.
        """
        self.flush()
        self._check()
        return self._values()

    def take_values(self) -> tuple[list[str], FloatArray]:
        """Return the queries so far and the values of each measure for them, and forget these.

        Queries that are not scored come last; their values are NaN.
        """
        self.flush()
        ids, values = self.ids + self.unscored, self._values()
        self.ids, self.unscored, self.blocks = [], [], []
        return ids, values

    def __getstate__(self) -> dict[str, Any]:
        """Return what was found; matchers and the progress callback stay in this process."""
        self.flush()
        dropped = dict.fromkeys(("_matcher", "_deep_matcher", "check", "lookup", "progress"))
        return {**self.__dict__, **dropped}

    def _select_scorable(self, rows: Rows) -> Rows:
        """Return the rows to score; count the others."""
        kept: list[int] = []
        cases = zip(rows.ids, rows.truths, rows.results, strict=True)
        for row, (query_id, truth, results) in enumerate(cases):
            if not truth and not self._scores_unanswerable(rows, row):
                continue
            if not results:
                self._count("empty_results", rows, row)
            if results or self.setup.policies.empty_results != "skip":
                kept.append(row)
            elif self.setup.per_query:
                self.unscored.append(query_id)
        return rows.only(kept)

    def _count_queries(self, rows: Rows) -> Rows:
        """Count queries; return them, marked with their slices if there are any."""
        if self.slices:
            rows = self.slices.mark(rows)
        self._count("queries", rows)
        return rows

    def _count(self, name: str, rows: Rows, row: int | None = None) -> None:
        """Count one query or all of these, in their slices as well."""
        self.counts[name] += len(rows) if row is None else 1
        if self.slices:
            self.slices.count(name, rows if row is None else rows.only([row]))

    def _scores_unanswerable(self, rows: Rows, row: int) -> bool:
        """Count a query without groups; return whether it is scored like any other."""
        query_id = rows.ids[row]
        self._count("unanswerable", rows, row)
        if self.setup.policies.unanswerable == "zero":
            return True
        if self.setup.policies.unanswerable == "error":
            self.observations.unanswerable.append(query_id)
        if self.setup.per_query:
            self.unscored.append(query_id)
        return False

    def _score(self, rows: Rows) -> None:
        if self._matcher is None:
            raise TypeError("a partial that was pickled can be merged, but takes no more queries")
        if self._budgets:
            rows = replace(rows, tokens=rows.tokens or [None] * len(rows))
            if tokenless := _find_tokenless(rows):
                self.observations.tokenless += tokenless
                return
        if self._looks_beyond_ids and (found := self._find_problems(rows)):
            self.problems.add(*found)
            return
        self.ids.extend(rows.ids)
        if self.slices:
            self.slices.expect(rows)
        if self.shapes:
            self.shapes.add(rows)
        self._matcher.add(rows)
        self.observations.note_hit_count(self._matcher.hits)
        if self._deep_matcher is not None:
            self._deep_matcher.add(rows)
        if len(self._matcher) >= QUERIES_PER_BATCH or self._matcher.hits >= HITS_PER_BATCH:
            self.flush()

    def _find_problems(self, rows: Rows) -> list[Problem]:
        """Return what the data of these queries lacks that the matcher cannot do without."""
        if self.lookup is None:
            return self.setup.matching.find_problems(rows)
        return [*self.lookup.find_problems(rows, self.setup.matching)]

    def flush(self) -> None:
        """Score the queries that have been matched."""
        batches = self._matcher.batches() if self._matcher else []
        for batch in batches:
            self._score_batch(batch)
        if self.first_ranks is not None:
            self._keep_ranks(self.first_ranks, batches)
        if self._matcher is not None and (notes := self._matcher.take_notes()):
            self.observations.note_matching(notes)
        if self.lookup is not None:
            self.observations.note_matching(self.lookup.take_notes())
        if self.progress and batches:
            self.progress(self.counts["queries"])

    def _keep_ranks(self, ranks: FirstRanks, batches: list[MatchedBatch]) -> None:
        """Keep where groups are first met, in these batches or in those of whole rankings."""
        deep = self._deep_matcher
        for batch in batches if deep is None else deep.batches():
            ranks.add(batch.hits)

    def _score_batch(self, batch: MatchedBatch) -> None:
        block = compute_scores(self.setup.measures, batch.hits)
        self.counts["scored"] += block.shape[1]
        self.observations.note_hits(batch.hits)
        self._note_lacking(block, batch)
        self.means.add(block)
        asked = self.ranks.find_asked(batch.hits)
        self.ranks.add(block, asked)
        if self.slices:
            self.slices.add(block, asked)
        if self.ties:
            self.ties.add(block, batch.tied, batch.owners)
        if self.setup.keeps_values:
            self.blocks.append(block)
        else:
            self.ids.clear()

    def _note_lacking(self, block: FloatArray, batch: MatchedBatch) -> None:
        """Count the queries that have no value because vectors are missing."""
        if not self.setup.needing:
            return
        for measure, values in zip(self.setup.measures, block, strict=True):
            if measure.metric.needs:
                hits = batch.hits[measure.order].at(measure.k)
                self.observations.note_lacking(measure, values, hits)

    def _check(self) -> None:
        """Raise one InputError for all problems."""
        problems = Problems()
        if self.problems.count:
            problems.merge(self.problems)
        if not problems.count:
            self._refuse_disjoint()
            self._refuse_other_corpus()
        for message, ids in self._rejected_queries():
            if ids:
                problems.add(*(Problem(message, query=query_id) for query_id in sorted(ids)))
        problems.raise_if_any()
        if self.slices:
            self.slices.slicer.check()

    def _refuse_disjoint(self) -> None:
        """Raise if there are no queries, or none that has both ground truth and results."""
        found = self.observations
        if not self.counts["queries"]:
            raise InputError([Problem("no queries in the ground truth")])
        if not found.has_pair:
            raise InputError([Problem(describe_disjoint(found.missing, found.extra))])

    def _refuse_other_corpus(self) -> None:
        """Raise if no result was found in the corpus."""
        if self.lookup is not None:
            problem = self.lookup.describe_disjoint(self.observations.matching)
            if problem:
                raise InputError([problem])

    def _rejected_queries(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the ids of queries that the policies reject, with the reason."""
        policies, found = self.setup.policies, self.observations
        yield "no groups: nothing answers this query", found.unanswerable
        yield NO_TOKENS, found.tokenless
        if policies.missing == "error":
            yield "no results", found.missing
        if policies.extra == "error":
            yield "no ground truth", found.extra
        if self._is_merged:
            yield "the query id is repeated", self._repeated_ids()

    def _repeated_ids(self) -> list[str]:
        """The queries that are in two merged partials, as far as their ids are kept."""
        ids = self.ids + self.unscored
        if len(set(ids)) == len(ids):
            return []
        counts = Counter(ids)
        return [query_id for query_id, count in counts.items() if count > 1]

    def _per_query(self, spellings: Spellings) -> PerQuery:
        if not self.setup.per_query:
            return PerQuery([], {})
        rows = zip(self.setup.measures, self._values(), strict=True)
        columns = {measure.label: row for measure, row in rows if not measure.in_curve}
        return PerQuery(self.ids + self.unscored, columns, spellings)

    def _values(self) -> FloatArray:
        """The value of each measure (row) for each query (column), those not scored last."""
        if len(self.blocks) == 1 and not self.unscored:
            return self.blocks[0]
        unscored = np.full((len(self.setup.measures), len(self.unscored)), np.nan)
        return np.concatenate([*self.blocks, unscored], axis=1)


def _find_tokenless(rows: Rows) -> list[str]:
    """Return the queries whose results have no number of tokens."""
    cases = zip(rows.ids, rows.tokens, map(len, rows.results), strict=True)
    return [query_id for query_id, tokens, length in cases if length and tokens is None]
