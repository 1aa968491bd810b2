"""The topics of promises, by name."""

from collections.abc import Callable, Iterable

from benchmarks.acceptance.files import promise_files, promise_memory
from benchmarks.acceptance.fixes import promise_fixes
from benchmarks.acceptance.growth import promise_growth
from benchmarks.acceptance.objects import promise_objects
from benchmarks.acceptance.promise import Promise
from benchmarks.acceptance.starts import promise_bad_records, promise_starts
from benchmarks.context import Context

Topic = Callable[[Context], Iterable[Promise]]
TOPICS: dict[str, Topic] = {
    "objects": promise_objects,
    "files": promise_files,
    "memory": promise_memory,
    "fixes": promise_fixes,
    "growth": promise_growth,
    "starts": promise_starts,
    "bad-records": promise_bad_records,
}
