"""The sections of the suite by name: what is measured, and into which file."""

from collections.abc import Callable
from typing import NamedTuple

from benchmarks.agreement import measure_agreement
from benchmarks.context import Context
from benchmarks.curves import measure_growth
from benchmarks.files import measure_files
from benchmarks.memory import measure_memory
from benchmarks.objects import measure_objects
from benchmarks.scale import measure_scale
from benchmarks.starts import measure_starts
from benchmarks.store import Store


class Section(NamedTuple):
    """A part of the suite.

    Attributes:
        measure: Measures its points and stores each.
        is_long: Whether only `make bench-full` measures it.
    """

    measure: Callable[[Store, Context], None]
    is_long: bool = False


SECTIONS = {
    "agreement": Section(measure_agreement),
    "starts": Section(measure_starts),
    "files": Section(measure_files),
    "objects": Section(measure_objects),
    "memory": Section(measure_memory),
    "growth": Section(measure_growth, is_long=True),
    "scale": Section(measure_scale, is_long=True),
}
