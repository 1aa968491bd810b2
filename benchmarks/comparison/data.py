"""Runs of different quality over the same queries, the same in every measurement.

Each query has one to four relevant documents. A run finds a relevant document with a probability of
its own, at a random rank. All else that it returns is not relevant.
"""

import random
from typing import NamedTuple

RESULTS = 20
NAMES = (
    "precision@1", "precision@5", "precision@10", "recall@5", "recall@10", "recall@20",
    "map", "mrr", "ndcg@5", "ndcg@10",
)  # fmt: skip

Truths = dict[str, list[str]]
Run = dict[str, list[str]]


class Size(NamedTuple):
    """How much is compared, and how many permutations are drawn."""

    runs: int
    queries: int
    metrics: int
    permutations: int

    def __str__(self) -> str:
        noun = "metric" if self.metrics == 1 else "metrics"
        return f"{self.runs} runs, {self.queries:,} queries, {self.metrics} {noun}"


def make_truths(size: Size) -> Truths:
    """Return the relevant documents of each query."""
    draw = random.Random(1)
    return {
        f"q{query}": [f"d{query}-{number}" for number in range(draw.randint(1, 4))]
        for query in range(size.queries)
    }


def make_runs(size: Size, truths: Truths) -> dict[str, Run]:
    """Return the results of each query of each run, by the name of the run."""
    return {f"run-{number:02}": _make_run(number, size, truths) for number in range(size.runs)}


def _make_run(number: int, size: Size, truths: Truths) -> Run:
    draw, chance = random.Random(f"run {number}"), 0.5 + 0.3 * number / size.runs
    return {query: _rank(draw, chance, query, relevant) for query, relevant in truths.items()}


def _rank(draw: random.Random, chance: float, query: str, relevant: list[str]) -> list[str]:
    results = [f"x{query}-{rank}" for rank in range(RESULTS)]
    for document in relevant:
        if draw.random() < chance:
            results[draw.randrange(RESULTS)] = document
    return results
