"""The section "From a file" of the page."""

from collections.abc import Iterator

from benchmarks import files
from benchmarks.measurements import of_parsing, peak
from benchmarks.store import Store
from benchmarks.tables import format_spread, table

_FILES = """\
## From a file

One file holds the ground truth and results of every query, as JSONL or as one JSON array. The time
of `groupwise.evaluate(path)`, from opening the file to the finished report with per-query scores,
relative to `orjson`:

{table}

- *Loading whole* is `orjson.loads` of the whole file's bytes, already read: a list of records and
  nothing else. It holds everything in memory and spends much of its time on page faults, which
  flatters streaming readers.
- *Loading by line* is `orjson.loads` of each line, read from the file and discarded: a fairer lower
  bound, since no JSON reader can be faster.
- Peak memory is that of the whole process, including interpreter and libraries, in the worst round.
"""


def show_files(store: Store) -> str:
    """Return the section."""
    usages = {name: files.read_usage(point) for name, point in store.points.items()}
    head = ["", "times loading whole", "times loading by line", "peak MB", "MB of loading whole"]
    return _FILES.format(table=table(head, _list_rows(usages)))


def _list_rows(usages: dict[str, files.FileUsage]) -> Iterator[list[str]]:
    for name, usage in usages.items():
        for way in (files.JSONL, files.ARRAY):
            yield [
                f"{name}, {way}",
                format_spread(of_parsing(usage, way, files.WHOLE)),
                format_spread(of_parsing(usage, way, files.LINES)),
                f"{peak(usage[way]):,.0f}",
                f"{peak(usage[files.WHOLE]):,.0f}",
            ]
