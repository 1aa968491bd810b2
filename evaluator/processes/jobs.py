"""How many processes pay, and how many parts they work on."""

from typing import Any

from groupwise.evaluator.errors import OptionError, Problem
from groupwise.evaluator.processes.numbers import MOST_NUMBERS
from groupwise.evaluator.text import quote

MOST_JOBS = 256
LEAST_BYTES = 1 << 24
"""What a process must have to read, or starting it takes longer than it saves."""
PART_BYTES = 1 << 26
"""What a part has at most: results that come back part by part are not large, then."""
LAST_SHARE = 32
"""The last parts are so many times smaller, so that processes finish together."""


def check_jobs(value: Any) -> int:
    """Return a number of jobs.

    Raises:
        OptionError: It is not a whole number from 1 to 256.
    """
    if type(value) is int and 1 <= value <= MOST_JOBS:
        return value
    message = f"jobs: expected a whole number from 1 to {MOST_JOBS}, got {quote(value)}"
    raise OptionError([Problem(message)])


def choose_jobs(asked: int, size: int) -> int:
    """Return how many processes pay for so many bytes, no more than are asked for."""
    paying = max(1, min(asked, size // LEAST_BYTES))
    return paying if paying > 1 and _can_start() else 1


def _can_start() -> bool:
    """Whether this process may start others; one of a pool may not."""
    from multiprocessing import current_process  # noqa: PLC0415  (slow, and seldom needed)

    return not current_process().daemon


def choose_shares(jobs: int, size: int, most: int | None = None) -> list[int]:
    """Return how many bytes each part has: as many as are allowed, and fewer towards the end.

    ``most`` is how many bytes a part has at most, if parts are to be smaller than usual.
    """
    return _cut(jobs, size, PART_BYTES if most is None else min(PART_BYTES, most))


def choose_limited_shares(jobs: int, size: int) -> list[int]:
    """Return how many bytes each part has if processes take parts by themselves.

    Of a very long file, parts are larger than usual: their number is limited.
    """
    largest = PART_BYTES
    while len(shares := _cut(jobs, size, largest)) > MOST_NUMBERS:
        largest *= 2
    return shares


def _cut(jobs: int, size: int, largest: int) -> list[int]:
    smallest = max(1, largest // LAST_SHARE)
    shares: list[int] = []
    while size > 0:
        shares.append(min(largest, _choose_share(jobs, size, smallest)))
        size -= shares[-1]
    return shares


def _choose_share(jobs: int, size: int, smallest: int) -> int:
    """Return a share of the bytes that are left; the last two are alike."""
    if size < 2 * smallest:
        return size if size <= smallest else -(-size // 2)
    return max(smallest, -(-size // (jobs + 1)))
