"""Let the allocator keep what is freed, as long as it is little: each block of records needs it.

The allocator of glibc gives memory back to the system as soon as a few hundred kilobytes are free,
and the system clears every page that it hands out again. Reading a large file, that costs up to a
fifth of the time. Once something large was freed, the allocator keeps about twice as much.
"""

from functools import cache

KEPT_BYTES = 1 << 23


@cache
def keep_freed_memory() -> None:
    """Free something large, once; its pages are never touched."""
    bytes(KEPT_BYTES)
