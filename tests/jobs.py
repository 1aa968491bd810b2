"""Small files read in parts, as if in other processes."""

import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from groupwise.evaluator.evaluation import parallel


class Pool:
    """Works in this process; what goes there and back is pickled."""

    parts = 0

    def __init__(self, _jobs: int, _context: Any, _start: Any, given: tuple[Any, ...]) -> None:
        self._work = given[0] if isinstance(given[0], bytes) else pickle.dumps(given[0])
        self._processes: dict[int, Any] = {}

    def map(self, _function: Callable[[Any], Any], parts: Sequence[Any]) -> Iterator[Any]:
        """Yield what is found in each part."""
        work = pickle.loads(self._work)  # noqa: S301  (written here)
        for part in parts:
            yield through_pickle(work(through_pickle(part)))
            type(self).parts += 1

    def shutdown(self, **_options: bool) -> None:
        """End nothing: there is no process."""


def through_pickle(value: Any) -> Any:
    """Return what arrives in another process."""
    return pickle.loads(pickle.dumps(value))  # noqa: S301  (written here)


@contextmanager
def small_parts(size: int) -> Iterator[None]:
    """Cut files into parts of so many bytes, however small they are."""
    with patch.object(parallel, "LEAST_BYTES", 1), patch.object(parallel, "MOST_BYTES", size):
        yield


@contextmanager
def pretend_processes(size: int) -> Iterator[type[Pool]]:
    """Cut files into parts of so many bytes, and read them in this process; count the parts.

    What does not fit together is read as a whole without a word, so tests look at the count.
    """
    pool = type("Pool", (Pool,), {})
    with small_parts(size), patch.object(parallel, "ProcessPoolExecutor", pool):
        yield pool
