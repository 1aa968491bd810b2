"""Data with all that an evaluation looks at, in files, and how a journal of it is cut."""

import gzip
import json
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from groupwise.evaluator.evaluation.journal.lines import SEAL_LENGTH

Records = list[dict[str, Any]]
LETTERS = "abcdefghijkl"


def build_truths(count: int, seed: int = 0) -> Records:
    """Ground truths with weights, grades, labels, metadata; some without groups."""
    source = random.Random(seed)  # noqa: S311
    return [
        {
            "id": f"q{number:03}",
            "query": f"question {number}",
            "ground_truth": [_group(source) for _ in range(source.randrange(0, 4))],
            "not_relevant": source.sample("xyz", source.randrange(3)),
            "metadata": {"kind": source.choice(["x", 2, None]), "hops": [1, source.randrange(4)]},
        }
        for number in range(count)
    ]


def _group(source: random.Random) -> dict[str, Any]:
    alternatives = [
        {"id": letter, "grade": source.choice([1, 2, 0.5])}
        for letter in source.sample(LETTERS, source.randrange(1, 4))
    ]
    label = source.choice(["vital", "other", None])
    return {"alternatives": alternatives, "weight": source.choice([1, 0.3, 2]), "label": label}


def build_results(count: int, seed: int = 1) -> Records:
    """Results with scores, ties, tokens and repeats; some are empty."""
    source = random.Random(seed)  # noqa: S311
    return [{"id": f"q{number:03}", "results": _ranking(source)} for number in range(count)]


def _ranking(source: random.Random) -> Records:
    ids = source.choices(LETTERS + "xyz", k=source.choice([0, 1, 5, 12]))
    return [
        {"id": letter, "score": source.choice([0.1, 1 / 3, 0.9]), "tokens": source.randrange(40)}
        for letter in ids
    ]


def join(truths: Records, results: Records) -> Records:
    """Records that hold both."""
    return [{**truth, **found} for truth, found in zip(truths, results, strict=True)]


def write_lines(path: Path, records: Iterable[Any]) -> str:
    """Write JSON Lines, compressed if the name says so."""
    data = "".join(json.dumps(record) + "\n" for record in records).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return str(path)


def read_journal(path: Path) -> list[Any]:
    """The objects of a journal, the header first."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def read_ids(path: Path) -> list[str]:
    """The queries of a journal, in its order."""
    return [query for entry in read_journal(path)[1:] for query in entry["ids"]]


def cuts_of(data: bytes) -> list[int]:
    """Places to cut a journal at: around the ends of lines, in seals, and anywhere."""
    source = random.Random(0)  # noqa: S311
    ends = [place + 1 for place, byte in enumerate(data) if byte == ord("\n")]
    near = [end + by for end in ends for by in (-SEAL_LENGTH, -1, 0, 1)]
    places = {*near, *(source.randrange(len(data)) for _ in range(8))}
    return sorted(place for place in places if 0 <= place <= len(data))


def spread(places: Sequence[int], count: int) -> list[int]:
    """So many of the places, evenly spread; all if there are no more."""
    if len(places) <= count:
        return [*places]
    return [places[number * len(places) // count] for number in range(count)]
