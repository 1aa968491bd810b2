"""The sections of a comparison for people: titles, tables and notes, not yet in any form."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from groupwise.evaluator.reporting.comparison.changes import describe_change
from groupwise.evaluator.reporting.comparison.shown import PAIRS_WITH_QUERIES, SHOWN_CHANGES
from groupwise.evaluator.reporting.comparison.wording import (
    NOTHING,
    describe_share,
    format_difference,
    format_effect,
    format_interval,
    format_outcomes,
    format_p,
    format_relative,
    format_score,
    join_letters,
    name_letters,
    name_pair,
)
from groupwise.evaluator.statistics.intervals import FEW
from groupwise.evaluator.text import plural
from groupwise.schemas.comparison import ComparedSlice, Comparison, Pair, QueryChange, RunScore

Part: TypeAlias = Comparison | ComparedSlice
Kind: TypeAlias = Literal["runs", "pairs", "queries", "metrics", "note"]
SHOWN_PAIRS = 30
"""With more pairs, a table shows those of the first metric; with more than that, the first ones."""
SHOWN_SLICES = 20
ALL_OF_THEM = "json and csv have all of them"


class Cell(NamedTuple):
    """A value of a table, whether it is the best, and the letters of the runs that it beats."""

    text: str
    is_best: bool = False
    interval: str = ""
    letters: str = ""


class Details(NamedTuple):
    """What is said about a row besides its cells: a text, and lines below it."""

    text: str
    lines: tuple[str, ...]


class Section(NamedTuple):
    """A table with its title; ``notes`` are sentences below it.

    ``verdicts`` has a sentence per row, ``details`` several, ``short`` another text for the first
    cell of each, in case there is no room.
    """

    kind: Kind
    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]
    notes: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    details: tuple[Details, ...] = ()


def build_sections(comparison: Comparison, explain: int | None = None) -> Iterator[Section]:
    """Yield the sections of a comparison, the most important first.

    Args:
        comparison: The comparison.
        explain: How many of the largest gains and losses to show, of each pair and metric; None: a
            few, of the first metric, if there are few pairs.
    """
    letters = name_letters(list(comparison.runs))
    yield build_runs(comparison, letters, "")
    yield from build_pairs(comparison, _title_pairs(comparison), comparison.test.correction)
    yield from build_changes(comparison, explain)
    yield from build_metrics(comparison)
    yield from build_slices(comparison, letters)


def build_runs(part: Part, letters: dict[str, str], title: str) -> Section:
    """Return the means of runs by metric."""
    rows = [
        (Cell(letters[run]), Cell(run), *(_build_mean(score, letters) for score in scores.values()))
        for run, scores in part.runs.items()
    ]
    return Section("runs", title, ("", "run", *part.metrics), rows, tuple(_list_notes(part)))


def _build_mean(score: RunScore, letters: dict[str, str]) -> Cell:
    better = join_letters(score.better_than, letters)
    return Cell(format_score(score.mean), score.best, format_interval(score), better)


def _list_notes(part: Part) -> Iterator[str]:
    """Yield what a reader of a table of runs should know about its queries."""
    few = sorted({metric.n for metric in part.metrics.values() if metric.n < FEW})
    if few:
        numbers = " and ".join(map(str, few)) if len(few) < 3 else f"{few[0]} to {few[-1]}"
        queries = "query" if few == [1] else "queries"
        yield f"{numbers} {queries}: fewer than {FEW} are too few to say anything"
    for name, metric in part.metrics.items():
        dropped, count = plural(metric.dropped, "query", "queries"), f"{metric.n:,} compared"
        if metric.dropped:
            yield f"{name}: {dropped} not scored in every run, left out of all runs; {count}"
        elif metric.n < part.counts.compared:
            yield f"{name}: {count}, those that have a value"


def _title_pairs(comparison: Comparison) -> str:
    if comparison.baseline is None:
        return "differences"
    return f"differences to {comparison.baseline}"


def build_pairs(part: Part, title: str, correction: str) -> Iterator[Section]:
    """Yield differences, tests and what follows from them, by metric."""
    shown = choose_pairs(part.pairs)
    hidden = len(part.pairs) - len(shown)
    letters = name_letters(list(part.runs))
    for metric in dict.fromkeys(pair.metric for pair in shown):
        pairs = [pair for pair in shown if pair.metric == metric]
        short = tuple(f"{letters[pair.b]} - {letters[pair.a]}" for pair in pairs)
        yield _build_metric(pairs, f"{title}: {metric}", correction)._replace(short=short)
    if hidden:
        note = f"{plural(hidden, 'more pair')} of runs and metrics; {ALL_OF_THEM}"
        yield Section("note", "", (), [], (note,))


def _build_metric(pairs: Sequence[Pair], title: str, correction: str) -> Section:
    p = "p" if correction == "none" else f"p {correction}"
    head = ["pair", "difference", "relative", "interval", p, "win/tie/loss", "effect"]
    margin = any(pair.p_non_inferior is not None for pair in pairs)
    if margin:
        head.append("p margin")
    rows = [(*_build_pair(pair), *(_build_margin(pair) if margin else ())) for pair in pairs]
    return Section(
        "pairs", title, tuple(head), rows, verdicts=tuple(pair.verdict for pair in pairs)
    )


def choose_pairs(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs that tables have room for."""
    if len(pairs) <= SHOWN_PAIRS:
        return list(pairs)
    return [pair for pair in pairs if pair.metric == pairs[0].metric][:SHOWN_PAIRS]


def _build_pair(pair: Pair) -> tuple[Cell, ...]:
    cells = (
        name_pair(pair), format_difference(pair.difference),
        format_relative(pair.relative), format_interval(pair, "+") or NOTHING,
        format_p(pair.p_corrected), format_outcomes(pair), format_effect(pair.effect),
    )  # fmt: skip
    return tuple(Cell(text, number == 1 and pair.significant) for number, text in enumerate(cells))


def _build_margin(pair: Pair) -> tuple[Cell]:
    return (Cell(format_p(pair.p_non_inferior), bool(pair.non_inferior)),)


def build_changes(comparison: Comparison, explain: int | None) -> Iterator[Section]:
    """Yield the queries with the largest gains and losses, and the groups that differ."""
    pairs = choose_changes(comparison) if explain is None else choose_pairs(comparison.pairs)
    most = SHOWN_CHANGES if explain is None else explain
    for pair in pairs:
        changes = [*pair.largest_gains[:most], *reversed(pair.largest_losses[:most])]
        if changes:
            yield Section(
                "queries",
                title=f"largest gains and losses, {name_pair(pair)}: {pair.metric}",
                head=("query", pair.a, pair.b, "difference"),
                rows=[_build_change(change) for change in changes],
                details=tuple(
                    Details(change.text or "", tuple(describe_change(change, pair)))
                    for change in changes
                ),
            )


def choose_changes(comparison: Comparison) -> list[Pair]:
    """Return the pairs on the first metric, if they are few."""
    first = [pair for pair in comparison.pairs if pair.metric == comparison.pairs[0].metric]
    return first if len(first) <= PAIRS_WITH_QUERIES else []


def _build_change(change: QueryChange) -> tuple[Cell, ...]:
    values = format_score(change.a), format_score(change.b), format_difference(change.difference)
    return (Cell(change.query), *map(Cell, values))


def build_metrics(comparison: Comparison) -> Iterator[Section]:
    """Yield how well metrics tell the runs apart, and how alike they order them."""
    metrics = comparison.metrics
    if len(metrics) < 2 or len(comparison.runs) < 3:
        return
    ranked = sorted(metrics, key=lambda name: -(metrics[name].share or 0.0))
    rows = [
        (Cell(name), Cell(describe_share(metrics[name].significant, metrics[name].pairs)))
        for name in ranked
    ]
    yield Section("metrics", "which metric tells the runs apart", ("metric", "pairs"), rows)
    if comparison.agreement:
        yield _build_agreement(comparison)


def _build_agreement(comparison: Comparison) -> Section:
    """Return Kendall's tau of each two metrics, as a triangle."""
    names = list(comparison.metrics)
    found = {(each.a, each.b): each.tau for each in comparison.agreement}
    rows = [
        (Cell(name), *(Cell(_format_tau(found, other, name)) for other in names[:-1]))
        for name in names[1:]
    ]
    title = "do the metrics order the runs alike (Kendall's tau-b; 1: the same order)"
    return Section("metrics", title, ("", *names[:-1]), rows)


def _format_tau(found: dict[tuple[str, str], float | None], first: str, second: str) -> str:
    if (first, second) not in found:
        return ""
    tau = found[first, second]
    return NOTHING if tau is None else f"{tau:.2f}"


def build_slices(comparison: Comparison, letters: dict[str, str]) -> Iterator[Section]:
    """Yield the runs and the differences of each slice."""
    for field, slices in comparison.slices.items():
        for name, part in [*slices.items()][:SHOWN_SLICES]:
            yield from _build_slice(comparison, part, f"{field} = {name}", letters)
        if len(slices) > SHOWN_SLICES:
            more = plural(
                len(slices) - SHOWN_SLICES, f"more slice of {field}", f"more slices of {field}"
            )
            yield Section("note", "", (), [], (f"{more}; {ALL_OF_THEM}",))


def _build_slice(
    comparison: Comparison, part: ComparedSlice, name: str, letters: dict[str, str]
) -> Iterable[Section]:
    queries = plural(part.counts.compared, "query", "queries")
    yield build_runs(part, letters, f"{name} ({queries})")
    yield from build_pairs(part, f"{name}: {_title_pairs(comparison)}", comparison.test.correction)
