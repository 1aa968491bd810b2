"""The data: queries with grouped ground truth and a ranking each, the same in every run."""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO, TypedDict

Truths = dict[str, list[list[str]]]
Results = dict[str, list[str]]


class Record(TypedDict):
    """One query as it stands in a file."""

    id: str
    ground_truth: list[list[str]]
    results: list[str]


@dataclass(frozen=True)
class Workload:
    """A number of queries with a number of results each.

    Attributes:
        queries: The number of queries.
        results: The number of results of each.
        groups: The number of groups of each; None: 1 to 4, at random.
        alternatives: The number of alternatives of each group; None: 1 to 3, at random.
        shared: Whether each group has an alternative of the group before it, too.
    """

    queries: int
    results: int
    groups: int | None = None
    alternatives: int | None = None
    shared: bool = False

    @property
    def name(self) -> str:
        """The size as people write it, for instance `10,000 x 100`."""
        return ", ".join([f"{self.queries:,} x {self.results:,}", *self._shape])

    @property
    def size(self) -> int:
        """Results of all queries together."""
        return self.queries * self.results

    @property
    def stem(self) -> str:
        """The name of its files, without suffix."""
        return "-".join([f"{self.queries}x{self.results}", *self._shape]).replace(" ", "-")

    @property
    def _shape(self) -> list[str]:
        """What is not as usual, in words."""
        groups = [] if self.groups is None else [f"{self.groups} groups"]
        each = [] if self.alternatives is None else [f"{self.alternatives} alternatives"]
        return [*groups, *each, *(["shared"] if self.shared else [])]

    def records(self) -> Iterator[Record]:
        """Yield random queries; equal sizes give equal data."""
        seed = " ".join([f"{self.queries} by {self.results}", *self._shape])
        draw = random.Random(seed)
        return (self._record(draw, number) for number in range(self.queries))

    def _record(self, draw: random.Random, number: int) -> Record:
        groups = truth(draw, self.groups, self.alternatives)
        if self.shared:
            _share(groups)
        results = ids(draw, self.results)
        for alternative in dict.fromkeys(listed for group in groups for listed in group):
            _place(draw, alternative, results)
        return {"id": f"query-{number}", "ground_truth": groups, "results": results}


STANDARD = (Workload(1_000, 10), Workload(10_000, 100), Workload(6_980, 1_000))
LARGE = Workload(100_000, 100)
QUICK = (Workload(200, 10), Workload(1_000, 100), Workload(200, 1_000))


def write_jsonl(workload: Workload, folder: Path) -> Path:
    """Write a record a line, without ever holding two; a file that is there is left as it is."""
    path = folder / f"{workload.stem}.jsonl"
    if not path.exists():
        with complete(path) as file:
            file.writelines(f"{_compact(record)}\n" for record in workload.records())
    return path


def write_array(jsonl: Path) -> Path:
    """Write the same records as one JSON array on one line."""
    path = jsonl.with_suffix(".json")
    if not path.exists():
        with jsonl.open() as lines, complete(path) as file:
            file.write("[")
            file.writelines(f"{',' if n else ''}{line.rstrip()}" for n, line in enumerate(lines))
            file.write("]\n")
    return path


@contextmanager
def complete(path: Path) -> Iterator[TextIO]:
    """Open a file for writing that has its name only once it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.partial")
    with partial.open("w", encoding="utf-8") as file:
        yield file
    partial.replace(path)


def _compact(record: Record) -> str:
    return json.dumps(record, separators=(",", ":"))


def truth(
    draw: random.Random, groups: int | None = None, alternatives: int | None = None
) -> list[list[str]]:
    """Return random groups: one to four of one to three alternatives, unless told otherwise."""
    count = draw.randint(1, 4) if groups is None else groups
    return [ids(draw, alternatives or draw.randint(1, 3)) for _ in range(count)]


def _share(groups: list[list[str]]) -> None:
    """Replace the last alternative of each group by the first of the group before it."""
    firsts = [group[0] for group in groups]
    for first, group in zip(firsts, groups[1:], strict=False):
        group[-1] = first


def _place(draw: random.Random, alternative: str, results: list[str]) -> None:
    """Return results with two of three alternatives, more of them near the top."""
    if draw.random() < 2 / 3:
        results[int(len(results) * draw.random() ** 3)] = alternative


def ids(draw: random.Random, count: int) -> list[str]:
    """Return random ids that look like UUIDs."""
    digits = draw.randbytes(16 * count).hex()
    return [_uuid(digits[start : start + 32]) for start in range(0, 32 * count, 32)]


def _uuid(digits: str) -> str:
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
