"""Statistics of the data for people: counts, small histograms, ceilings."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from groupwise.evaluator.text import plural, printable
from groupwise.schemas.validation import Histogram, Summary

BINS = 8
BAR = "█"
LONGEST_BAR = 40
LABEL = 24


class Bin(NamedTuple):
    """A bar of a histogram: the sizes it covers, and how often they occur."""

    label: str
    times: int


def summary_lines(data: Summary, width: int, bold: Callable[[str], str]) -> Iterator[str]:
    """Yield the lines of the summary."""
    yield bold("the data")
    yield from (f"  {label:<{LABEL}}{text}" for label, text in _list_facts(data))
    yield from _draw_bars("groups per query", build_bins(data.groups_per_query), width)
    yield from _draw_bars("alternatives per group", build_bins(data.alternatives_per_group), width)
    yield from _list_ceilings(data, width)


def _list_facts(data: Summary) -> Iterator[tuple[str, str]]:
    unanswerable = f", {data.unanswerable:,} unanswerable" if data.unanswerable else ""
    yield "queries", f"{data.queries:,}{unanswerable}"
    yield "groups", f"{data.groups:,}"
    if data.multi_group_share is not None:
        yield "with several groups", f"{data.multi_group_share:.1%} of the queries"
    yield "distinct ids", f"{data.distinct_ids:,}"
    several = plural(data.ids_in_several_queries, "id")
    within = plural(data.queries_with_shared_ids, "query", "queries")
    yield "shared ids", f"{several} in several queries; {within} with an id in several groups"


def build_bins(sizes: Histogram) -> list[Bin]:
    """Return a bar for each of the smallest sizes, and one for all larger sizes.

    >>> build_bins({1: 5, 3: 2})
    [Bin(label='1', times=5), Bin(label='3', times=2)]
    """
    ordered = sorted(sizes.items())
    head = ordered if len(ordered) <= BINS else ordered[: BINS - 1]
    tail = ordered[len(head) :]
    found = [Bin(f"{size:,}", count) for size, count in head]
    if tail:
        found.append(Bin(f"{tail[0][0]:,} to {tail[-1][0]:,}", sum(count for _, count in tail)))
    return found


def _draw_bars(title: str, found: list[Bin], width: int) -> Iterator[str]:
    if not found:
        return
    most = max(bar.times for bar in found)
    label = max(len(bar.label) for bar in found)
    room = width - LABEL - label - len(f"{most:,}") - 6
    longest = min(LONGEST_BAR, max(1, room))
    for number, bar in enumerate(found):
        drawn = BAR * max(round(bar.times / most * longest), 1 if bar.times else 0)
        head = "" if number else title
        yield f"  {head:<{LABEL}}{bar.label:>{label}}  {drawn} {bar.times:,}"


def _list_ceilings(data: Summary, width: int) -> Iterator[str]:
    """Yield the scores of an ideal ranking, as many metrics per line as fit."""
    cells = [
        f"{printable(name)} {'none' if value is None else f'{value:.4f}'}"
        for name, value in data.ceilings.items()
    ]
    head = f"ceilings ({printable(data.profile)})"
    line = f"  {head:<{LABEL}}"
    for number, cell in enumerate(cells):
        if number and len(line) + len(cell) > width:
            yield line.rstrip()
            line = " " * (LABEL + 2)
        line += f"{cell}  "
    if cells:
        yield line.rstrip()
