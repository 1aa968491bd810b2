"""The section "What is promised" of the page."""

from collections.abc import Iterator

from benchmarks.acceptance.promise import read_promises
from benchmarks.store import Store
from benchmarks.tables import table

_PROMISES = """\
## What is promised

Printed by `python -m benchmarks.acceptance`: medians of interleaved rounds, in brackets the lowest
and highest.

{table}
"""


def show_promises(store: Store) -> str:
    """Return the section."""
    head = ["", "measured", "bound", ""]
    return _PROMISES.format(table=table(head, _list_rows(store)))


def _list_rows(store: Store) -> Iterator[list[str]]:
    for rows in store.points.values():
        for promise in read_promises(rows):
            found = f"{promise.value:.3g} ({promise.low:.3g}-{promise.high:.3g})"
            yield [promise.what, promise.note or found, promise.sign, promise.verdict]
