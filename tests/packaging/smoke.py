"""Whether an installed wheel works, compiled or pure: ``python smoke.py compiled`` says so.

It needs nothing but the wheel, and runs anywhere: in an empty folder, without the repository.
"""

import sys
from concurrent.futures import ThreadPoolExecutor

from groupwise import evaluate, hit_vector
from groupwise.evaluator.native.loader import COMPILED

TRUTH = [["test-1", "test-2"], ["test-3"]]
RESULTS = ["test-1", "pred-1", "test-2", "pred-3"]
EXPECTED = {"recall": 0.5, "map": 0.41666666666666663, "ndcg": 0.7039180890341347}
"""The running example; the values are AutoRAG's."""


def score(_number: int) -> dict[str, float | None]:
    """Return the scores of the running example."""
    return dict(evaluate({"q": TRUTH}, {"q": RESULTS}, metrics=list(EXPECTED)).scores)


def main(kind: str) -> None:
    """Evaluate, also from eight threads at once; exit with a message if anything is wrong."""
    if COMPILED is not (kind == "compiled"):
        sys.exit(f"expected the {kind} walk over ids, but COMPILED is {COMPILED}")
    if hit_vector(TRUTH, RESULTS) != [1, 0, 1, 0]:
        sys.exit("the hit vector is wrong")
    with ThreadPoolExecutor(8) as threads:
        if any(found != EXPECTED for found in threads.map(score, range(64))):
            sys.exit("scores are wrong")
    is_locked = getattr(sys, "_is_gil_enabled", lambda: True)()
    sys.stdout.write(f"{sys.implementation.cache_tag}: {kind}, GIL {is_locked}, all as expected\n")


if __name__ == "__main__":
    main(sys.argv[1])
