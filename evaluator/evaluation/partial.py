"""Queries are taken in rows, scored in batches, and reported at the end."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.hits import Budget, FloatArray
from groupwise.evaluator.intake.checking import first_id
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.intake.vectors import VectorTable
from groupwise.evaluator.matching import EXACT, MatchedBatch, Orders
from groupwise.evaluator.metrics.names import Measure
from groupwise.evaluator.metrics.scoring import scored
from groupwise.evaluator.reading.packed_ids import are_filled, lengths_of
from groupwise.evaluator.statistics.curves import curve_of
from groupwise.evaluator.statistics.means import ExactMeans
from groupwise.evaluator.statistics.ranks import RankCounts
from groupwise.evaluator.statistics.ties import TieBounds
from groupwise.schemas import Counts, Id, PerQuery, Policies, Report, Scores, Truth
from groupwise.schemas.shape import shortened

QUERIES_PER_BATCH = 4096
Progress = Callable[[int], None]
NO_TOKENS = (
    "a budget of tokens needs the tokens of every result: write them as "
    '{"id": …, "tokens": 130}, or give its "text" and say how many characters a token has '
    "(characters_per_token)"
)


class Evaluation:
    """What has been found so far."""

    def __init__(
        self,
        chosen: Sequence[Measure],
        profile: str,
        policies: Policies,
        *,
        per_query: bool = True,
        progress: Progress | None = None,
        vectors: VectorTable | None = None,
    ) -> None:
        self.chosen = chosen
        self.profile = profile
        self.policies = policies
        self.problems = Problems()
        self.per_query = per_query
        self.progress = progress
        self.counts = dict.fromkeys(Counts.model_fields, 0)
        self._budgets = sorted({one.k.tokens for one in chosen if isinstance(one.k, Budget)})
        self._orders = Orders(
            EXACT, {one.order for one in chosen}, _depth(chosen), self._budgets, policies.ties,
            (vectors or VectorTable([], [])) if any(one.metric.needs for one in chosen) else None,
        )  # fmt: skip
        self._tied = TieBounds(chosen) if policies.ties == "report" else None
        self._means = ExactMeans(len(chosen))
        self._ranks = RankCounts([one.label for one in chosen if one.metric.kind == "rank"])
        self._ids: list[str] = []
        self._unscored: list[str] = []
        self._blocks: list[FloatArray] = []
        self._missing: list[str] = []
        self._extra: list[str] = []
        self._example: tuple[str, Truth, list[Id]] | None = None
        self._matched = False
        self._repeating = 0
        self._greedy = 0

    def add(self, rows: Rows) -> None:
        """Take queries that have both ground truth and results."""
        if not rows:
            return
        self.counts["queries"] += len(rows)
        if not (all(rows.truths) and are_filled(rows.results)):
            rows = self._scorable(rows)
        if not self._matched and any(lengths_of(rows.results)):
            self._note_example(rows)
        self._score(rows)

    def _note_example(self, rows: Rows) -> None:
        """Keep what belongs to the first query by id, so that the order of queries never shows."""
        some = [row for row, length in enumerate(lengths_of(rows.results)) if length]
        row = min(some, key=rows.ids.__getitem__)
        if self._example is None or rows.ids[row] < self._example[0]:
            self._example = rows.ids[row], rows.truths[row], rows.results[row]

    def _scorable(self, rows: Rows) -> Rows:
        """The rows that are scored; what is left out is counted."""
        kept: list[int] = []
        cases = zip(rows.ids, rows.truths, rows.results, strict=True)
        for number, (query_id, truth, results) in enumerate(cases):
            if truth and not results:
                self.counts["empty_results"] += 1
            if not truth:
                self._add_unanswerable(query_id)
            elif not results and self.policies.empty_results == "skip":
                self._leave_out(query_id)
            else:
                kept.append(number)
        return rows.only(kept)

    def _score(self, rows: Rows) -> None:
        if self._budgets and (not rows.tokens or None in rows.tokens):
            self._name_tokenless(rows)
            return
        self._ids.extend(rows.ids)
        self._orders.add(rows)
        if len(self._orders) >= QUERIES_PER_BATCH:
            self._flush()

    def _name_tokenless(self, rows: Rows) -> None:
        """A budget needs to know how long every result is."""
        for number, query_id in enumerate(rows.ids):
            if not rows.tokens or rows.tokens[number] is None:
                self.problems.add(Problem(NO_TOKENS, query=query_id))

    def add_missing(self, rows: Mapping[str, Rows]) -> None:
        """Take queries that have ground truth only."""
        self.counts["queries"] += len(rows)
        for query_id, row in rows.items():
            if not row.truths[0]:
                self._add_unanswerable(query_id)
                continue
            self.counts["missing"] += 1
            self._missing.append(query_id)
            if self.policies.missing == "zero":
                self._score(replace(row, results=[[]], tokens=[[]]))
            else:
                self._leave_out(query_id)

    def _add_unanswerable(self, query_id: str) -> None:
        self.counts["unanswerable"] += 1
        if self.policies.unanswerable == "error":
            self.problems.add(Problem("no groups: nothing answers this query", query=query_id))
        self._leave_out(query_id)

    def _leave_out(self, query_id: str) -> None:
        if self.per_query:
            self._unscored.append(query_id)

    def note_extra(self, results: Mapping[str, Any]) -> None:
        """Take note of queries that have results only."""
        self.counts["extra"] = len(results)
        self._extra = list(results)

    def _flush(self) -> None:
        batches = self._orders.batches()
        for batch in batches:
            self._score_batch(batch)
        if self.progress and batches:
            self.progress(self.counts["queries"])

    def _score_batch(self, batch: MatchedBatch) -> None:
        ordered = batch.hits
        hits = next(iter(ordered.values()))
        self.counts["scored"] += hits.queries
        self._matched = self._matched or len(hits.rank) > 0
        self._repeating += hits.repeating_queries
        block = scored(self.chosen, ordered)
        self._greedy += max(one.greedy_queries for one in ordered.values())
        self._means.add(block)
        if self._tied:
            self._tied.add(block, batch.tied)
        self._ranks.add(self.chosen, block)
        if self.per_query:
            self._blocks.append(block)
        else:
            self._ids.clear()

    def report(self, warnings: Sequence[str] = ()) -> Report:
        """Everything found, or one InputError for all problems."""
        self._flush()
        self._check()
        means = list(zip(self.chosen, self._means.means(), strict=True))
        return Report.model_construct(
            schema_="groupwise.report/1",
            profile=self.profile,
            counts=Counts.model_construct(None, **self.counts),
            scores=Scores({one.label: mean for one, mean in means if one.is_asked_score}),
            ranks=self._ranks.summaries(self.counts["scored"]),
            ties=self._tied.summary() if self._tied else None,
            curve=curve_of(means) if self.chosen[-1].in_curve else None,
            per_query=self._table(),
            warnings=(*warnings, *self._warnings()),
            failures={},
        )

    def _check(self) -> None:
        if self._missing and self.policies.missing == "error":
            self.problems.add(*(Problem("no results", query=one) for one in sorted(self._missing)))
        if self._extra and self.policies.extra == "error":
            self.problems.add(
                *(Problem("no ground truth", query=one) for one in sorted(self._extra))
            )
        self.problems.raise_if_any()
        if not self.counts["queries"]:
            raise InputError([Problem("no queries in the ground truth")])

    def _table(self) -> PerQuery:
        if not self.per_query:
            return PerQuery([], {})
        rows = zip(self.chosen, self._values(), strict=True)
        columns = {one.label: row for one, row in rows if not one.in_curve}
        return PerQuery(self._ids + self._unscored, columns)

    def _values(self) -> FloatArray:
        """The value of each measure (row) for each query (column), those not scored last."""
        if len(self._blocks) == 1 and not self._unscored:
            return self._blocks[0]
        unscored = np.full((len(self.chosen), len(self._unscored)), np.nan)
        return np.concatenate([*self._blocks, unscored], axis=1)

    def _warnings(self) -> Iterator[str]:
        if self._example and not self._matched:
            gold, found = (shortened(repr(first_id(one))) for one in self._example[1:])
            yield (
                "no result of any query is in its ground truth: are these two id spaces? "
                f"The ground truth has {gold}, the results have {found}"
            )
        if self._greedy:
            yield (
                f"queries whose groups share too many documents for an exact ideal ranking, "
                f"normalised by one that takes the next best document: {self._greedy}"
            )
        yield from self._never_scored()
        if self._repeating:
            verb = "repeats" if self._repeating == 1 else "repeat"
            yield f"{_queries(self._repeating)} {verb} a relevant result"
        yield from self._left_out()

    def _never_scored(self) -> Iterator[str]:
        for one, count in zip(self.chosen, self._means.counts, strict=True):
            if not count and self.counts["scored"] and one.is_asked_score:
                need = f": it needs {one.metric.needs}" if one.metric.needs else ""
                yield f"{one.label} has no value for any query{need}"

    def _left_out(self) -> Iterator[str]:
        counts, skips = self.counts, self.policies
        if counts["missing"]:
            outcome = "scored 0" if skips.missing == "zero" else "not scored"
            missing = _queries(counts["missing"])
            yield f"{missing} without results, {outcome}: {_some(self._missing)}"
        if counts["empty_results"] and skips.empty_results == "skip":
            yield f"{_queries(counts['empty_results'])} with an empty result, not scored"
        if counts["unanswerable"]:
            unanswerable = _queries(counts["unanswerable"])
            yield f"{unanswerable} without ground truth (unanswerable), not scored"
        if counts["extra"]:
            yield f"{_queries(counts['extra'])} in the results only, ignored: {_some(self._extra)}"


def _depth(chosen: Sequence[Measure]) -> int | None:
    """The deepest cutoff; None if a measure looks at whole rankings, or at a budget."""
    cutoffs = [one.k for one in chosen]
    ranks = [k for k in cutoffs if isinstance(k, int)]
    return max(ranks) if len(ranks) == len(cutoffs) else None


def _queries(count: int) -> str:
    return "1 query" if count == 1 else f"{count} queries"


def _some(ids: list[str]) -> str:
    shown = ", ".join(shortened(repr(one)) for one in sorted(ids)[:3])
    return shown + (", …" if len(ids) > 3 else "")
