"""The section "Memory" of the page."""

from benchmarks.memory import RESULTS
from benchmarks.processes import Usage
from benchmarks.store import Store
from benchmarks.tables import table

_MEMORY = """\
## Memory

`groupwise evaluate FILE --no-per-query --format json` over JSONL with {results} results per query:

{table}

Without `--no-per-query`, the report keeps the scores of every query, and memory grows with them.
"""


def show_memory(store: Store) -> str:
    """Return the section."""
    usages = {int(count): Usage.read(numbers) for count, numbers in store.points.items()}
    rows = (
        [f"{count:,}", f"{usage.megabytes:,.0f}", f"{usage.span.cpu / count * 1e6:.1f}"]
        for count, usage in usages.items()
    )
    head = ["queries", "peak MB", "µs a query, start included"]
    return _MEMORY.format(results=RESULTS, table=table(head, rows))
