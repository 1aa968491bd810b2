"""Calls for one query, timed by whichever groupwise the interpreter has: `python -P calls.py`.

It prints the microseconds of processor time per call. Every call gets a query of its own, as in the
loops people write: with one query again and again, the hashes of its ids would be known. Each call
is timed twice: with hits at the same ranks in every query, and with hits at ranks that no query had
before. It must run with old versions, too, so it imports nothing of this folder.
"""

import json
import random
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from groupwise import evaluate, hit_vector
from groupwise.metrics import recall

CALLS = 1_000
WARMING = 100
METRICS = ["precision", "recall", "f1", "mrr", "map", "ndcg"]
Query = tuple[list[list[str]], list[str]]


def main() -> None:
    """Time each call in a loop, after some calls that are not timed."""
    calls: dict[str, Callable[[list[list[str]], list[str]], Any]] = {
        "hit_vector": hit_vector,
        "recall": lambda groups, results: recall(groups, results, k=5),
        "evaluate": lambda groups, results: evaluate(
            {"q": groups}, {"q": results}, metrics=METRICS
        ),
    }
    times = {}
    for name, call in calls.items():
        times[name] = _time_calls(call, list_queries)
        times[f"{name}, new hits"] = _time_calls(call, list_new_queries)
    print(json.dumps(times))


def _time_calls(
    call: Callable[[list[list[str]], list[str]], Any], list_of: Callable[[int, str], list[Query]]
) -> float:
    queries = list_of(WARMING + CALLS, "timed")
    for groups, results in queries[:WARMING]:
        call(groups, results)
    started = time.process_time()
    for groups, results in queries[WARMING:]:
        call(groups, results)
    return (time.process_time() - started) / CALLS * 1e6


def list_queries(count: int, seed: str) -> list[Query]:
    """Return queries of two groups and ten results, two of which are hits; no string is shared."""
    draw = random.Random(seed)
    return [_make_query(draw, Shape((2, 1), (8, 9), 10)) for _ in range(count)]


def list_new_queries(count: int, seed: str) -> list[Query]:
    """Return queries with two hits each, no two of which look alike, not even up to rank 5."""
    draw = random.Random(seed)
    shapes: dict[tuple[tuple[int, ...], int], Shape] = {}
    while len(shapes) < count:
        sizes = tuple(draw.randint(1, 5) for _ in range(draw.randint(2, 4)))
        place, length = draw.randrange(5), draw.randint(10, 40)
        shapes[sizes, place] = Shape(sizes, (place, draw.randrange(5, length)), length)
    return [_make_query(draw, shape) for shape in shapes.values()]


class Shape(NamedTuple):
    """A query without its ids: the sizes of its groups, the places of its hits, how many results.

    The hits are the last alternatives of the first and of the last group.
    """

    sizes: tuple[int, ...]
    places: tuple[int, int]
    length: int


def _make_query(draw: random.Random, shape: Shape) -> Query:
    """Return a query of this shape; equal ids are not the same object."""
    groups = [_make_ids(draw, size) for size in shape.sizes]
    results = _make_ids(draw, shape.length)
    for place, group in zip(shape.places, (groups[0], groups[-1]), strict=True):
        results[place] = "".join([*group[-1]])
    return groups, results


def _make_ids(draw: random.Random, count: int) -> list[str]:
    return [f"{draw.getrandbits(128):032x}" for _ in range(count)]


if __name__ == "__main__":
    main()
