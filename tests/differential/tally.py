"""What a differential run counts."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.differential.comparing import TOLERANCE, Comparison

SHOWN = 40


@dataclass
class Tally:
    """Values compared by way and by kind, the largest difference, and what was found wrong."""

    cases: int = 0
    by_way: Counter[str] = field(default_factory=Counter)
    by_kind: Counter[str] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)
    largest: float = 0.0
    wrong: list[str] = field(default_factory=list)
    classes: Counter[str] = field(default_factory=Counter)

    @property
    def values(self) -> int:
        return sum(self.by_way.values())

    def add(self, seed: int, way: str, comparisons: Iterable[Comparison]) -> None:
        for one in comparisons:
            self.by_way[way] += 1
            self.by_kind[kind_of(one)] += 1
            if one.distance > TOLERANCE:
                name = one.metric.text if one.metric else ""
                self.note(
                    f"{way}, {kind_of(one)}",
                    f"seed {seed}, {way}: {name} of {one.place} is {one.found}, not {one.expected}",
                )
            elif one.distance > self.largest:
                self.largest = one.distance

    def check(self, what: str, failures: Iterable[Any], seed: int) -> None:
        """Count a property, and what breaks it."""
        self.checks[what] += 1
        for failure in failures:
            self.note(what, f"seed {seed}, {what}: {str(failure)[:1000]}")

    def note(self, kind: str, text: str) -> None:
        if not self.classes[kind] or len(self.wrong) < SHOWN:
            self.wrong.append(text)
        self.classes[kind] += 1

    def lines(self) -> Iterator[str]:
        yield f"{self.values:,} values of {self.cases:,} cases"
        yield f"largest difference: {self.largest:.3g}"
        yield from _table("way in", self.by_way)
        yield from _table("profile", self.by_kind)
        yield from _table("property", self.checks)
        yield f"{sum(self.classes.values()):,} wrong"
        yield from self.wrong
        if self.classes:
            yield from _table("wrong", self.classes)


def kind_of(one: Comparison) -> str:
    """The profile of a value, or what else it is."""
    if one.place.startswith("ties"):
        return "tie bounds"
    if one.metric is None:
        return "counts"
    if one.metric.name in {"ild", "novelty_ndcg", "novelty_dcg"}:
        return "diversity from vectors"
    return one.metric.profile


def _table(title: str, counts: Counter[str]) -> Iterator[str]:
    yield from ("", f"| {title} | number |", "|---|---:|")
    yield from (f"| {name} | {number:,} |" for name, number in sorted(counts.items()))
    yield ""
