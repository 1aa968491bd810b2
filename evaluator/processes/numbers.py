"""The numbers of tasks in a pipe, from which each process takes the next one.

A pipe is read by one process at a time, and one that is killed leaves nothing locked. All numbers
are written before any is taken, so there are no more of them than any pipe can hold.
"""

import os
import sys
from array import array
from collections.abc import Iterator
from contextlib import contextmanager

NUMBER = "H"
NUMBER_BYTES = array(NUMBER).itemsize
MOST_NUMBERS = 4096 // NUMBER_BYTES
"""What fits into the smallest pipe."""


@contextmanager
def pour_numbers(count: int) -> Iterator[int]:
    """Yield the end of a pipe from which the numbers below a count can be taken."""
    if count > MOST_NUMBERS:
        raise ValueError(f"{count} tasks are too many to be shared: at most {MOST_NUMBERS}")
    pipe, writer = os.pipe()
    try:
        try:
            os.write(writer, array(NUMBER, range(count)).tobytes())
        finally:
            os.close(writer)
        yield pipe
    finally:
        os.close(pipe)


def take_number(pipe: int) -> int | None:
    """Return the next number; None if there is none left."""
    data = os.read(pipe, NUMBER_BYTES)
    return int.from_bytes(data, sys.byteorder) if data else None
