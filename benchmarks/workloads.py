"""The data: queries with grouped ground truth and a ranking each, the same in every run."""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

METRICS = ("precision", "recall", "f1", "mrr", "map", "ndcg")
CUTOFFS = (1, 3, 5, 10, 100)
DEEPEST = max(CUTOFFS)
NAMES = [f"{metric}@{k}" for metric in METRICS for k in CUTOFFS]

Truths = dict[str, list[list[str]]]
Results = dict[str, list[str]]


class Record(TypedDict):
    """One query as it stands in a file."""

    id: str
    ground_truth: list[list[str]]
    results: list[str]


@dataclass(frozen=True)
class Workload:
    """A number of queries with a number of results each."""

    queries: int
    results: int

    @property
    def name(self) -> str:
        """The size as people write it, for instance `10,000 x 100`."""
        return f"{self.queries:,} x {self.results:,}"

    @property
    def size(self) -> int:
        """Results of all queries together."""
        return self.queries * self.results

    def records(self) -> Iterator[Record]:
        """Yield random queries; equal sizes give equal data."""
        draw = random.Random(f"{self.queries} by {self.results}")
        return (_record(draw, number, self.results) for number in range(self.queries))


STANDARD = (Workload(1_000, 10), Workload(10_000, 100), Workload(6_980, 1_000))
QUICK = (Workload(200, 10), Workload(1_000, 100), Workload(200, 1_000))


def write_jsonl(workload: Workload, folder: Path) -> Path:
    """Write a record a line, without ever holding two."""
    path = folder / f"{workload.queries}x{workload.results}.jsonl"
    with path.open("w") as file:
        file.writelines(f"{_compact(record)}\n" for record in workload.records())
    return path


def write_array(jsonl: Path) -> Path:
    """Write the same records as one JSON array on one line."""
    path = jsonl.with_suffix(".json")
    with jsonl.open() as lines, path.open("w") as file:
        file.write("[")
        file.writelines(f"{',' if n else ''}{line.rstrip()}" for n, line in enumerate(lines))
        file.write("]\n")
    return path


def _compact(record: Record) -> str:
    return json.dumps(record, separators=(",", ":"))


def _record(draw: random.Random, number: int, length: int) -> Record:
    groups = truth(draw)
    results = ids(draw, length)
    for alternative in (identifier for group in groups for identifier in group):
        _place(draw, alternative, results)
    return {"id": f"query-{number}", "ground_truth": groups, "results": results}


def truth(draw: random.Random) -> list[list[str]]:
    """Return one to four random groups of one to three alternatives."""
    return [ids(draw, draw.randint(1, 3)) for _ in range(draw.randint(1, 4))]


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
