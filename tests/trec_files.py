"""TREC's own files: judgements, runs, and what trec_eval prints."""

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Judgements = dict[str, dict[str, int]]
Scored = dict[str, list[tuple[str, float]]]
Printed = dict[tuple[str, str], str]
"""What was printed, by query and measure; the query of a mean is ``all``."""


def lines_of(path: Path) -> Iterator[str]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="latin-1") as lines:
        yield from lines


def golden(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines_of(folder / "golden.jsonl.gz")]


def judgements(path: Path) -> Judgements:
    """Relevance by query and document; trec_eval holds what is below 0 for not judged."""
    found: Judgements = defaultdict(dict)
    for line in lines_of(path):
        query, _, document, relevance = line.split()
        if int(relevance) >= 0:
            found[query][document] = int(relevance)
    return dict(found)


def run(path: Path) -> Scored:
    found: Scored = defaultdict(list)
    for line in lines_of(path):
        query, _, document, _, score, *_ = line.split()
        found[query].append((document, float(score)))
    return dict(found)


def printed(path: Path) -> Printed:
    columns = [line.split() for line in lines_of(path)]
    return {(row[1], row[0]): row[2] for row in columns if len(row) == 3}


def truths(judged: Judgements) -> list[dict[str, Any]]:
    """Judgements as records: each relevant document is a group of its own."""
    return [
        {
            "id": query,
            "ground_truth": [{one: grade} for one, grade in documents.items() if grade > 0],
            "not_relevant": [one for one, grade in documents.items() if grade == 0],
        }
        for query, documents in judged.items()
    ]


def results(scored: Scored, *, shuffled: bool = False) -> list[dict[str, Any]]:
    """A run as records, its lines as they are or in another order."""
    source = random.Random(20)  # noqa: S311  (an order, no secret)
    records = []
    for query, pairs in scored.items():
        order = source.sample(pairs, len(pairs)) if shuffled else pairs
        documents, scores = zip(*order, strict=True)
        records.append({"id": query, "results": list(documents), "scores": list(scores)})
    return source.sample(records, len(records)) if shuffled else records


def is_printed_as(value: float | None, text: str) -> bool:
    """Whether a value is the printed one, as far as its four decimals go."""
    return value is not None and abs(value - float(text)) <= 0.5e-4 + 1e-12
