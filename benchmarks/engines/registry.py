"""The engines by name; a module is imported only in the process that runs it."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from typing import Any

from benchmarks.measures import DEEPEST, Measures
from benchmarks.workloads import Results, Truths, Workload

Scores = dict[str, float]


@dataclass(frozen=True)
class Engine:
    """A way to compute the numbers, in two steps that are timed separately."""

    build: Callable[[Truths, Results], Any]
    evaluate: Callable[[Any], Scores]


@dataclass(frozen=True)
class Entry:
    """What is known of an engine without importing it.

    Attributes:
        label: Its name in the tables.
        numbers: How many of the 30 numbers per query it gives.
        package: The distribution whose version is reported; none for code of this folder.
        factory: Where the engine is made, as `module:function` of this package.
        module: What a program imports to use it; none for code of this folder.
        curve: Its name in the charts of growth; none if another input of it is shown there.
        largest: It is skipped in workloads with more results than this.
        smallest_depth: It is skipped in workloads with rankings shorter than this.
    """

    label: str
    numbers: int
    package: str | None
    factory: str
    module: str | None = None
    curve: str | None = None
    largest: int | None = None
    smallest_depth: int = 0

    def takes(self, workload: Workload) -> bool:
        """Whether the engine is run on this workload."""
        small_enough = self.largest is None or workload.size <= self.largest
        return small_enough and workload.results >= self.smallest_depth


class MissingPeerError(Exception):
    """A peer that is not installed, or does not run here."""


ENGINES: dict[str, Entry] = {
    "groupwise": Entry("groupwise", 30, "groupwise", "ours:engine", "groupwise", "groupwise"),
    "pytrec": Entry(
        "pytrec_eval", 22, "pytrec-eval-terrier", "pytrec:engine", "pytrec_eval", "pytrec_eval"
    ),
    "pytrec-cut": Entry(
        f"pytrec_eval, given the first {DEEPEST} results only",
        22,
        "pytrec-eval-terrier",
        "pytrec:cut_engine",
        smallest_depth=DEEPEST + 1,
    ),
    "ranx-dicts": Entry("ranx, from dicts", 30, "ranx", "ranx:from_dicts", "ranx", "ranx"),
    "ranx-dicts-cut": Entry(
        f"ranx, from dicts, given the first {DEEPEST} results only",
        30,
        "ranx",
        "ranx:from_cut_dicts",
        smallest_depth=DEEPEST + 1,
    ),
    "ranx-lists": Entry("ranx, from its typed lists", 30, "ranx", "ranx:from_lists"),
    "ranx-objects": Entry(
        "ranx, from Qrels and Run", 30, "ranx", "ranx:from_objects", largest=1_000_000
    ),
    "tutorial": Entry("tutorial functions", 30, None, "textbook:engine", curve="tutorial"),
    "ir-measures": Entry(
        "ir_measures", 25, "ir-measures", "measures:engine", "ir_measures", "ir_measures"
    ),
    "autorag": Entry("AutoRAG's functions", 30, "AutoRAG", "autorag:engine", curve="AutoRAG"),
}


def load(name: str, measures: Measures | None = None) -> Engine:
    """Import and create an engine that computes these measures, or the standard ones.

    Raises:
        MissingPeerError: if the peer is not there.
    """
    module, function = ENGINES[name].factory.split(":")
    try:
        make = getattr(importlib.import_module(f"benchmarks.engines.{module}"), function)
        made: Engine = make(measures or Measures())
    except (ImportError, metadata.PackageNotFoundError) as error:
        raise MissingPeerError(f"{ENGINES[name].label}: {error}") from error
    return made
