"""`evaluate` and its relatives from eight threads at once give the same, byte by byte."""

import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Barrier
from typing import Any

import pytest

from groupwise import (
    Evaluator,
    InputError,
    compare,
    convert,
    evaluate,
    evaluate_stream,
    explain,
    fix,
    hit_vector,
    inspect,
    read,
    validate,
)
from groupwise.metrics import ndcg, recall

THREADS = 8


def at_once(work: Callable[[int], Any]) -> list[Any]:
    """Return what each thread's call gives; they begin together and take turns all the time."""
    start, before = Barrier(THREADS), sys.getswitchinterval()

    def call(number: int) -> Any:
        start.wait(60)
        return work(number)

    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            return list(pool.map(call, range(THREADS)))
    finally:
        sys.setswitchinterval(before)


draw = Random("threads")  # noqa: S311  (nothing is secret)
IDS = [f"d{number}" for number in range(30)]
TRUTH = {f"q{n}": [draw.sample(IDS, 2), draw.sample(IDS, 1)] for n in range(40)}
RUN = {query: draw.sample(IDS, 12) for query in TRUTH}
OTHER = {query: draw.sample(IDS, 12) for query in TRUTH}
METRICS = ["recall@5", "ndcg@10", "coverage:alpha_ndcg@5", "trec:map", "mrr"]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """The same data in files of several formats."""
    lines = [
        json.dumps({"id": q, "query": q, "ground_truth": TRUTH[q], "results": RUN[q]})
        for q in TRUTH
    ]
    both = tmp_path / "both.jsonl"
    both.write_text("\n".join(lines))
    found = {"jsonl": both}
    for name in ("truth.json", "truth.csv", "truth.parquet"):
        convert(both, tmp_path / name, role="ground_truth", lossy=True)
        found[name] = tmp_path / name
    faulty = tmp_path / "faulty.jsonl"
    faulty.write_text(
        lines[0] + "\n" + lines[0] + '\n{"id": "x", "ground_truth": [["a", "a"], []]}\n'
    )
    return found | {"faulty": faulty}


def works(files: dict[str, Path]) -> dict[str, Callable[[], Any]]:
    shared = Evaluator(TRUTH, metrics=METRICS)
    return {
        "evaluate": lambda: evaluate(TRUTH, RUN, metrics=METRICS, confidence=0.9).to_json(),
        "evaluate a file": lambda: evaluate(files["jsonl"], metrics=METRICS).to_json(),
        "evaluate JSON": lambda: evaluate(files["truth.json"], RUN).to_json(),
        "evaluate CSV": lambda: evaluate(files["truth.csv"], RUN).to_json(),
        "evaluate parquet": lambda: evaluate(files["truth.parquet"], RUN).to_json(),
        "evaluate by text": lambda: evaluate(TRUTH, RUN, matching="normalised").to_json(),
        "a shared Evaluator": lambda: shared.evaluate(RUN).to_json(),
        "hit_vector": lambda: [hit_vector(TRUTH[q], RUN[q]) for q in TRUTH],
        "metrics of one query": lambda: [
            (recall(TRUTH[q], RUN[q], k=5), ndcg(TRUTH[q], RUN[q])) for q in TRUTH
        ],
        "a stream": lambda: [
            report.to_json() for report in evaluate_stream(_records(), metrics=METRICS, window=7)
        ],
        "compare": lambda: compare(
            TRUTH, {"a": RUN, "b": OTHER}, metrics=METRICS[:2], permutations=200
        ).to_json(),
        "explain": lambda: explain(TRUTH, RUN, k=5).to_json(),
        "validate": lambda: validate(files["faulty"]).to_json(),
        "inspect": lambda: inspect(files["jsonl"]).to_json(),
        "fix": lambda: fix(files["faulty"], unsafe=True, write=False).new,
        "read": lambda: read(files["jsonl"]).model_dump_json(),
        "refuse": lambda: _refuse(files["faulty"]),
        "page": lambda: evaluate(TRUTH, RUN, metrics=METRICS).render("html"),
    }


def _records() -> list[dict[str, Any]]:
    return [{"id": q, "ground_truth": TRUTH[q], "results": RUN[q]} for q in TRUTH]


def _refuse(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        evaluate(path, RUN)
    return str(caught.value)


NAMES = list(
    works(dict.fromkeys(["jsonl", "truth.json", "truth.csv", "truth.parquet", "faulty"], Path()))
)


def test_eight_threads_that_do_different_things(files: dict[str, Path]) -> None:
    """What is shared between them, such as caches and limits, does not mix."""
    all_ = works(files)
    expected = {name: work() for name, work in all_.items()}
    found = at_once(lambda number: {n: all_[n]() for n in NAMES[number:] + NAMES[:number]})
    assert found == [expected] * THREADS


FRESH = """
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
start = Barrier(8)
sys.setswitchinterval(1e-6)
def work(number):
    start.wait(60)
    import groupwise
    from groupwise.metrics import recall
    truth, run = {"q": [["a", "b"], ["c"]]}, {"q": ["a", "x", "c"]}
    if number % 4 == 0: groupwise.validate(truth)
    if number % 4 == 1: groupwise.read("both.jsonl")
    if number % 4 == 2: groupwise.inspect("both.jsonl")
    report = groupwise.evaluate(truth, run, metrics=["recall@2", "coverage:ndcg", "trec:map"])
    return report.to_json(), recall(truth["q"], run["q"])
with ThreadPoolExecutor(8) as pool:
    found = set(pool.map(work, range(8)))
assert len(found) == 1, found
"""


def test_first_imports_from_eight_threads(files: dict[str, Path]) -> None:
    """Names, registries and modules are loaded when they are first used."""
    done = subprocess.run(
        [sys.executable, "-c", FRESH], capture_output=True, text=True, check=False,
        cwd=files["jsonl"].parent,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
