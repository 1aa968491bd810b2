"""The beginning of the page: how to read it, the machine, the data."""

from benchmarks.measures import CUTOFFS, METRICS, NAMES
from benchmarks.rounds import SLOW, SLOW_ROUNDS
from benchmarks.store import Store

_OPENING = """\
# Performance

<!-- Written by `make bench`; edit benchmarks/pages, not this file. -->

How fast groupwise is compared with other tools, on the same data, in one run, on one machine.
Compare the ratios rather than the seconds: ratios carry over to other machines, seconds do not.

Machine: {machine}.

Versions: {versions}.

Every ratio is the median of {rounds} rounds, with the lowest and highest round in brackets;
answers that take more than {slow:g} seconds are asked for in {slow_rounds} rounds. In each round
every candidate runs once, in sequence, and ratios are taken between neighbours of the same round.
Times are processor time, summed over all threads, unless a table says otherwise.

The data: UUID-like ids of 36 characters, 1-4 groups of 1-3 alternatives per query, two thirds of
the alternatives somewhere in the ranking. The metrics:
{metrics} at k = {cutoffs},
which makes {count} numbers per query, and their means.

{agreement}
"""


def show_opening(stores: dict[str, Store]) -> str:
    """Return the beginning of the page."""
    first = next(iter(stores.values()))
    return _OPENING.format(
        **first.setting,
        rounds=first.rounds,
        slow=SLOW,
        slow_rounds=SLOW_ROUNDS,
        metrics=", ".join(METRICS),
        cutoffs=", ".join(map(str, CUTOFFS)),
        count=len(NAMES),
        agreement=_show_agreement(stores),
    )


def _show_agreement(stores: dict[str, Store]) -> str:
    checked = stores["agreement"].points["checked"] if "agreement" in stores else []
    if not checked:
        return "The numbers were not compared with AutoRAG's: it is not installed."
    (_, numbers, queries), (_, single_numbers, single), (_, _, precisions) = checked
    return (
        f"Before the clock started, all {numbers} numbers of {queries} queries "
        f"agreed with AutoRAG's\nto 1e-9, and those of the tutorial functions where the "
        f"definitions coincide: all {single_numbers} of the {single}\nqueries reduced to "
        f"one relevant document, precision of all {precisions}."
    )
