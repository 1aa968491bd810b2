"""Live traffic: queries come one by one and without end, and reports are taken on the way.

Memory does not grow with the queries: what is kept is sums, counts and histograms. So there are no
scores per query, no bootstrap intervals, and ids that occur twice are not looked for.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

from groupwise.evaluator.errors import InputError, OptionError, Problem, Problems
from groupwise.evaluator.evaluation.arguments import checks_arguments
from groupwise.evaluator.evaluation.partial import NO_TOKENS, Partial, Setup
from groupwise.evaluator.evaluation.plan import Plan, list_cutoffs
from groupwise.evaluator.evaluation.slicing import check_fields
from groupwise.evaluator.evaluation.sources import open_intake
from groupwise.evaluator.intake.kinds import Kinds
from groupwise.evaluator.intake.objects import OBJECTS_PER_BATCH, Objects
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.intake.seen_ids import UncheckedIds
from groupwise.evaluator.intake.vectors import load_vectors
from groupwise.evaluator.matching import EXACT, Matching
from groupwise.evaluator.text import plural
from groupwise.schemas import FIELD_NAMES, FixtureQuery
from groupwise.schemas.values import describe

if TYPE_CHECKING:
    from groupwise.schemas import Report

NAME = "stream"
NO_QUERIES = "no queries yet"
PAIR = 2


class Tally:
    """Queries of a stretch of traffic: their partial, and the records that were refused.

    All tallies of a stream share the kinds of ids that were found.
    """

    def __init__(self, plan: Plan, kinds: Kinds) -> None:
        self._plan = plan
        self.partial = plan.start()
        self.partial.kinds = kinds
        self.records = 0
        self.refused = 0
        self.first_refusal: str | None = None

    def add(self, records: list[Any]) -> Problems:
        """Add records; return what is wrong with those that are refused."""
        self.records += len(records)
        intake = open_intake(self.partial, Objects(NAME, records, None), FixtureQuery)
        intake.seen = UncheckedIds()
        accepted = sum(map(self._add_rows, intake.rows()))
        problems, self.partial.problems = self.partial.problems, Problems()
        if problems.count:
            self._note_refused(len(records) - accepted, str(InputError(problems.kept[:1])))
        return problems

    def _add_rows(self, rows: Rows) -> int:
        """Add queries, apart from those that cannot be matched or sliced; return how many."""
        if _is_always_scored(self.partial.setup):
            self.partial.add(rows)
            return len(rows)
        tried, problems = self._try(rows)
        if problems and len(rows) > 1:
            return sum(self._add_rows(rows.only([row])) for row in range(len(rows)))
        if problems:
            self.partial.problems.add(*(each._replace(source=NAME) for each in problems))
            return 0
        self.partial.merge(tried)
        return len(rows)

    def _try(self, rows: Rows) -> tuple[Partial, list[Problem]]:
        """Return a partial of these queries alone, and what is wrong with them."""
        tried = self._plan.start()
        try:
            tried.add(rows)
        except InputError as error:
            return tried, [*error.problems]
        return tried, _list_problems(tried)

    def learn_fields(self, others: "Tally") -> None:
        """Take over which fields of metadata other queries have."""
        if self.partial.slices and others.partial.slices:
            self.partial.slices.slicer.merge(others.partial.slices.slicer)

    def _note_refused(self, count: int, reason: str) -> None:
        self.refused += count
        self.first_refusal = self.first_refusal or reason

    def merge(self, later: "Tally") -> "Tally":
        """Add the queries that came after these; return this tally."""
        self.partial.merge(later.partial)
        self.records += later.records
        if later.first_refusal is not None:
            self._note_refused(later.refused, later.first_refusal)
        return self

    def report(self) -> "Report":
        """Return the report on these queries.

        Raises:
            InputError: There are none.
        """
        if not self.partial.counts["queries"]:
            raise InputError([Problem(self.first_refusal or NO_QUERIES)])
        return self.partial.report(self._warnings())

    def _warnings(self) -> list[str]:
        if not self.refused:
            return []
        verb = "was" if self.refused == 1 else "were"
        return [f"{plural(self.refused, 'record')} {verb} refused; the first: {self.first_refusal}"]


class EvaluationStream:
    """Scores queries as they come; ``evaluate_stream`` opens one.

    Iterating takes the records and yields a report on each window. ``add`` is for records that
    arrive some other way, and ``snapshot`` reports on everything so far, at any time and from any
    thread.
    """

    def __init__(
        self, records: Iterable[Any], plan: Plan, window: int | None, *, skips: bool
    ) -> None:
        self._records = records
        self._plan = plan
        self._window = window
        self._skips = skips
        self._lock = Lock()
        self._waiting: list[Any] = []
        self._kinds = Kinds()
        self._before = self._start_tally()
        self._current = self._start_tally()
        self._taken = 0

    def __iter__(self) -> "Iterator[Report]":
        for record in self._records:
            if (report := self.add(record)) is not None:
                yield report
        with self._lock:
            self._check_waiting()
            rest = self._close_window() if self._current.records else None
        if rest is not None:
            yield rest

    def add(self, record: Any) -> "Report | None":
        """Add a query; return the report on the window that it completes, if it does.

        Args:
            record: A mapping with ground truth and results, as a query of a fixture, or a pair of
                both. A query without an id is numbered.

        Raises:
            InputError: A record is invalid. Records are checked a few at a time, so it may be one
                that was added before.
        """
        with self._lock:
            self._taken += 1
            self._waiting.append(_number(record, self._taken))
            is_full = self._window is not None and self._count_current() >= self._window
            if is_full or len(self._waiting) >= OBJECTS_PER_BATCH:
                self._check_waiting()
            return self._close_window() if is_full else None

    def snapshot(self) -> "Report":
        """Return the report on all queries so far.

        Raises:
            InputError: There are none yet, or a record is invalid.
        """
        with self._lock:
            self._check_waiting()
            return self._start_tally().merge(self._before).merge(self._current).report()

    def _start_tally(self) -> Tally:
        return Tally(self._plan, self._kinds)

    def _count_current(self) -> int:
        return self._current.records + len(self._waiting)

    def _check_waiting(self) -> None:
        """Check and match the records that have been taken.

        What concerns more than a record, such as ids of both kinds, is an error in any case.
        """
        waiting, self._waiting = self._waiting, []
        refused = self._current.refused
        problems = self._current.add(waiting) if waiting else Problems()
        if not self._skips or self._current.refused == refused:
            problems.raise_if_any()

    def _close_window(self) -> "Report | None":
        """Return the report on the window, and begin the next; None if no record was accepted."""
        done, self._current = self._current, self._start_tally()
        self._before.merge(done)
        done.learn_fields(self._before)
        return done.report() if done.partial.counts["queries"] else None


@checks_arguments
def evaluate_stream(  # noqa: PLR0913  (the policies of evaluate, all by keyword)
    records: Iterable[Any] = (),
    *,
    window: int | None = None,
    errors: Literal["raise", "skip"] = "raise",
    metrics: str | Iterable[str] | None = None,
    profile: str | None = None,
    k: int | Sequence[int] | None = None,
    empty_results: Literal["zero", "skip"] | None = None,
    unanswerable: Literal["skip", "zero"] | None = None,
    flat: Literal["any", "all"] | None = None,
    ids: Literal["text"] | None = None,
    ties: Literal["score", "input", "report"] | None = None,
    characters_per_token: float | None = None,
    matching: str | Mapping[str, Any] | None = None,
    vectors: Any = None,
    by: str | Iterable[str] | None = None,
) -> EvaluationStream:
    """Score live traffic: queries that come one by one, in memory that does not grow with them.

    Iterate over the stream to take the records and get a report on each window, or add records
    yourself; take a snapshot of everything so far at any time.

    Args:
        records: Mappings with ground truth and results, as the queries of a fixture, or pairs of
            both. Any iterator, also one without end.
        window: How many queries a report covers while iterating; None: one report, at the end.
        errors: What happens to an invalid record: ``"raise"`` an error, or ``"skip"`` it; the
            report then says how many there were, and why the first was refused.
        metrics: As for ``evaluate``, and so are all that follow.
        profile: What names of metrics without a profile mean.
        k: Cutoffs for names without one.
        empty_results: Policy for queries with an empty result.
        unanswerable: Policy for queries without groups.
        flat: What a flat list of ids means.
        ids: ``"text"`` compares all ids as strings.
        ties: How equal scores are ordered.
        characters_per_token: To count tokens of texts.
        matching: A matcher, with its options.
        vectors: For metrics of diversity.
        by: Fields of the metadata; each of their values has scores of its own, which are kept.

    Returns:
        The stream. Its reports have no scores per query, and ids that occur twice count twice.

    Raises:
        UnknownMetric: There is no such metric; the nearest name is suggested.
        OptionError: There is no such profile, or an argument has a value that it cannot have.

    Example:
        >>> traffic = [([["a", "b"], ["c"]], ["a", "c"]), ([["d"]], ["x", "y"])]
        >>> stream = evaluate_stream(traffic, metrics="recall", window=1)
        >>> [report.scores["recall"] for report in stream]
        [1.0, 0.0]
        >>> stream.snapshot().scores["recall"]
        0.5
    """
    policies = {
        "empty_results": empty_results, "unanswerable": unanswerable, "flat": flat, "ids": ids,
        "ties": ties, "characters_per_token": characters_per_token,
    }  # fmt: skip
    plan = Plan(
        metrics=metrics if metrics is None or isinstance(metrics, str) else tuple(metrics),
        profile=profile,
        cutoffs=list_cutoffs(k),
        policies={name: value for name, value in policies.items() if value is not None},
        matching=None if matching is None else Matching.parse(matching),
        per_query=False,
        vectors=None if vectors is None else load_vectors(vectors),
        by=check_fields(by),
    )
    _check_choice("errors", errors, ("raise", "skip"))
    _check_choice("unanswerable", unanswerable, (None, "skip", "zero"))
    return EvaluationStream(
        _check_records(records), plan, _check_window(window), skips=errors == "skip"
    )


def _is_always_scored(setup: Setup) -> bool:
    """Whether every valid record can be scored: nothing but its ids is looked at."""
    return setup.matching == EXACT and not setup.budgets and not setup.by


def _list_problems(partial: Partial) -> list[Problem]:
    """Return what is wrong with queries that were valid records."""
    tokenless = [Problem(NO_TOKENS, query=query) for query in partial.observations.tokenless]
    sliced = partial.slices.slicer.problems if partial.slices else []
    return [*partial.problems.kept, *tokenless, *sliced]


def _check_records(records: Any) -> Iterable[Any]:
    if isinstance(records, Iterable) and not isinstance(records, str | bytes | Mapping):
        return records
    message = f"records: expected an iterator of mappings or pairs, got {describe(records)}"
    raise OptionError([Problem(message)])


def _check_choice(name: str, value: Any, choices: Sequence[str | None]) -> None:
    if value not in choices:
        expected = " or ".join(map(repr, filter(None, choices)))
        raise OptionError([Problem(f"{name}={value!r}: expected {expected}")])


def _check_window(window: Any) -> int | None:
    if window is None or (type(window) is int and window >= 1):
        return window
    message = f"window={window!r}: expected a whole number of queries from 1 on"
    raise OptionError([Problem(message)])


def _number(record: Any, number: int) -> Any:
    """Return a record with its number as id, if it has none."""
    if isinstance(record, tuple) and len(record) == PAIR:
        truth, results = record
        return {"id": str(number), "ground_truth": truth, "results": results}
    if isinstance(record, Mapping) and not any(name in record for name in FIELD_NAMES["id"]):
        return {"id": str(number), **record}
    return record
