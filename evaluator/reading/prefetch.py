"""Steps done in a thread ahead of their use, while what they gave before is worked on."""

from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

STEPS = 8
"""Enough to keep the thread busy while the scores of many queries are computed at once."""

Item = TypeVar("Item")


def ahead(step: Callable[[], Item | None]) -> Generator[Item, None, None]:
    """What a step gives, again and again until it gives None; some steps are done in advance.

    What a step raises is raised where its item would have come. When the iteration ends early,
    the steps that have not begun are dropped, and the one that is under way is waited for.
    """
    pool = ThreadPoolExecutor(1, "groupwise-ahead")
    coming = deque(pool.submit(step) for _ in range(STEPS))
    try:
        while (item := coming.popleft().result()) is not None:
            coming.append(pool.submit(step))
            yield item
    finally:
        pool.shutdown(cancel_futures=True)
