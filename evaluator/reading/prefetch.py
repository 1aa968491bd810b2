"""Reading ahead in a thread, while the caller works on what was read before."""

from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

STEPS = 8
"""Enough to keep the thread busy while the scores of many queries are computed at once."""

Item = TypeVar("Item")


def prefetch(step: Callable[[], Item | None]) -> Generator[Item, None, None]:
    """Yield what a step returns until it returns None; some steps are run in advance.

    An exception of a step is raised in place of its item. If the iteration ends early, the steps
    that have not begun are cancelled, and the one that is running is waited for. Where the system
    refuses a thread, each step is run when its item is needed.
    """
    pool = ThreadPoolExecutor(1, "groupwise-prefetch")
    try:
        coming = deque([pool.submit(step)])
    except RuntimeError:
        pool.shutdown(wait=False)
        yield from iter(step, None)
        return
    coming.extend(pool.submit(step) for _ in range(STEPS - 1))
    try:
        while (item := coming.popleft().result()) is not None:
            coming.append(pool.submit(step))
            yield item
    finally:
        pool.shutdown(cancel_futures=True)
