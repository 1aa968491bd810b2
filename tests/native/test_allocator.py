"""Memory that is freed and needed again does not go back to the system in between."""

import os
import platform
import subprocess
import sys

import pytest

OTHER_ALLOCATORS = ("LD_PRELOAD", "PYTHONMALLOC")
"""What puts another allocator in place of glibc's, as the sanitisers do."""
COUNT_FAULTS = """
import resource, sys
from groupwise.evaluator.native.collector import paused_collector

def count_faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

def read_blocks():
    del [b"x" * (1 << 19) for _ in range(6)][:]

for keeps in (False, True):
    if keeps:
        with paused_collector():
            pass
    read_blocks()
    before = count_faults()
    for _ in range(40):
        read_blocks()
    print(count_faults() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc gives it back so soon")
def test_blocks_that_are_freed_are_used_again() -> None:
    words, own = [sys.executable, "-c", COUNT_FAULTS], {**os.environ}
    for name in OTHER_ALLOCATORS:
        own.pop(name, None)
    output = subprocess.run(words, check=True, capture_output=True, text=True, env=own).stdout
    usual, kept = map(int, output.split())
    assert usual > 10_000
    assert kept < usual / 10
