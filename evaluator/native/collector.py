"""Pause the cyclic garbage collector while records stream.

Records hold no cycles: they are freed as soon as they are dropped.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from groupwise.evaluator.native.allocator import keep_freed_memory


@contextmanager
def paused_collector() -> Iterator[None]:
    """Disable the collector, and enable it again if it was on; freed memory is kept for reuse."""
    keep_freed_memory()
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
