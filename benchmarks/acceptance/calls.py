"""Calls for one query, timed by whichever groupwise the interpreter has: `python -P calls.py`.

It prints the microseconds of processor time per call. Every call gets a query of its own, as in the
loops people write: with one query again and again, the hashes of its ids would be known. It must
run with old versions, too, so it imports nothing of this folder.
"""

import json
import random
import time
from collections.abc import Callable
from typing import Any

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
    print(json.dumps({name: _time_calls(call) for name, call in calls.items()}))


def _time_calls(call: Callable[[list[list[str]], list[str]], Any]) -> float:
    for groups, results in list_queries(WARMING, "warming"):
        call(groups, results)
    queries = list_queries(CALLS, "timed")
    started = time.process_time()
    for groups, results in queries:
        call(groups, results)
    return (time.process_time() - started) / CALLS * 1e6


def list_queries(count: int, seed: str) -> list[Query]:
    """Return queries of two groups and ten results, two of which are hits; no string is shared."""
    draw = random.Random(seed)
    return [_make_query(draw) for _ in range(count)]


def _make_query(draw: random.Random) -> Query:
    first, second, third, *others = (f"{draw.getrandbits(128):032x}" for _ in range(11))
    results = [*others, "".join([*second]), "".join([*third])]
    return [[first, second], [third]], results


if __name__ == "__main__":
    main()
