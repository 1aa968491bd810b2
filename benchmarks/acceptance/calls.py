"""Calls for one query, timed by whichever groupwise the interpreter has: `python -P calls.py`.

It prints the microseconds of processor time per call. It must run with old versions, too, so it
imports nothing of this folder.
"""

import json
import time
from collections.abc import Callable
from typing import Any

from groupwise import evaluate, hit_vector
from groupwise.metrics import recall

CALLS = 1_000
METRICS = ["precision", "recall", "f1", "mrr", "map", "ndcg"]
GROUPS = [["doc-1", "doc-2"], ["doc-3"]]
RESULTS = [f"other-{number}" for number in range(8)] + ["doc-2", "doc-3"]


def main() -> None:
    """Time each call in a loop, after some calls that are not timed."""
    truths, run = {"q": GROUPS}, {"q": RESULTS}
    calls: dict[str, Callable[[], Any]] = {
        "hit_vector": lambda: hit_vector(GROUPS, RESULTS),
        "recall": lambda: recall(GROUPS, RESULTS, k=5),
        "evaluate": lambda: evaluate(truths, run, metrics=METRICS),
    }
    print(json.dumps({name: _time_call(call) for name, call in calls.items()}))


def _time_call(call: Callable[[], Any]) -> float:
    for _ in range(CALLS // 10):
        call()
    started = time.process_time()
    for _ in range(CALLS):
        call()
    return (time.process_time() - started) / CALLS * 1e6


if __name__ == "__main__":
    main()
