"""The topics of promises, by name."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from benchmarks.acceptance.files import promise_files, promise_jobs, promise_memory
from benchmarks.acceptance.fixes import promise_fixes
from benchmarks.acceptance.growth import promise_growth
from benchmarks.acceptance.objects import promise_objects
from benchmarks.acceptance.promise import Promise
from benchmarks.acceptance.single import promise_single
from benchmarks.acceptance.starts import promise_bad_records, promise_starts
from benchmarks.context import Context

Topic = Callable[[Context], Iterable[Promise]]
TOPICS: dict[str, Topic] = {
    "objects": promise_objects,
    "files": promise_files,
    "jobs": promise_jobs,
    "memory": promise_memory,
    "fixes": promise_fixes,
    "growth": promise_growth,
    "one-query": partial(promise_single, old=None),
    "starts": promise_starts,
    "bad-records": promise_bad_records,
}


def list_topics(names: Iterable[str], old: Path | None) -> dict[str, Topic]:
    """Return the chosen topics; calls for one query are compared with those of a checkout."""
    known: dict[str, Topic] = {**TOPICS, "one-query": partial(promise_single, old=old)}
    return {name: known[name] for name in names}
