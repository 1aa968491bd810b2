"""`evaluate` and its relatives from eight threads at once give the same, byte by byte."""

import csv
import gc
import io
import json
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from groupwise import (
    Evaluator,
    Format,
    Hits,
    InputError,
    add_format,
    compare,
    convert,
    evaluate,
    evaluate_stream,
    explain,
    fix,
    hit_vector,
    inspect,
    metric,
    read,
    validate,
)
from groupwise.evaluator.formats.registry import find_format, list_formats
from groupwise.evaluator.native.collector import paused_collector
from groupwise.evaluator.plugins import loading
from groupwise.evaluator.reading.lines import read_csv
from groupwise.metrics import ndcg, recall
from tests.threads.at_once import THREADS, at_once

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


@pytest.mark.parametrize("name", NAMES)
def test_eight_threads_give_the_same_as_one(name: str, files: dict[str, Path]) -> None:
    work = works(files)[name]
    expected = work()
    assert at_once(lambda _: work()) == [expected] * THREADS
    assert gc.isenabled()


def test_eight_threads_that_do_different_things(files: dict[str, Path]) -> None:
    """What is shared between them, such as caches and limits, does not mix."""
    all_ = works(files)
    expected = {name: work() for name, work in all_.items()}
    found = at_once(lambda number: {n: all_[n]() for n in NAMES[number:] + NAMES[:number]})
    assert found == [expected] * THREADS


def test_what_one_thread_refuses_does_not_disturb_the_others() -> None:
    def work(number: int) -> Any:
        truth = {**TRUTH, "bad": [[None]]} if number % 2 else TRUTH
        return evaluate(truth, RUN).scores

    found = at_once(work)
    assert all(isinstance(each, InputError) for each in found[1::2])
    assert found[::2] == [evaluate(TRUTH, RUN).scores] * (THREADS // 2)
    assert gc.isenabled()


@pytest.mark.parametrize("was_on", [True, False])
def test_the_collector_is_as_it_was_after_threads_and_errors(was_on: bool) -> None:
    def work(number: int) -> None:
        for _ in range(200):
            with paused_collector():
                if number % 3 == 0:
                    raise ValueError

    try:
        if not was_on:
            gc.disable()
        at_once(work)
        assert gc.isenabled() is was_on
    finally:
        gc.enable()


def test_the_collector_is_off_until_the_last_pause_ends() -> None:
    first, second = paused_collector(), paused_collector()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()


def test_files_of_long_cells_are_read_side_by_side() -> None:
    """The limit of a field belongs to the process: the last reader sets it back, no other."""
    before = csv.field_size_limit()
    text = f"id,text\n1,{'x' * (before + 10)}\n2,{'y' * (before + 10)}\n".encode()
    first, second = (read_csv(io.BytesIO(text), "file.csv") for _ in range(2))
    assert [len(next(rows)[1]) for rows in (first, second, first)] == [2, 2, 2]
    del first
    assert [len(cells[1]) for _, cells in second][-1] == before + 10
    assert csv.field_size_limit() == before
    found = at_once(lambda _: len(list(read_csv(io.BytesIO(text), "file.csv"))))
    assert found == [3] * THREADS
    assert csv.field_size_limit() == before


def test_filters_of_warnings_are_as_they_were() -> None:
    pytest.importorskip("scipy", reason="scipy is in the extra 'peers'")
    before, runs = list(warnings.filters), {"a": RUN, "b": OTHER}

    def work(_number: int) -> str:
        return compare(TRUTH, runs, metrics=["recall@5"], test="wilcoxon").to_json()

    assert at_once(work) == [work(0)] * THREADS
    assert warnings.filters == before


@pytest.mark.usefixtures("nothing_added")
def test_own_metrics_and_formats_from_all_threads_are_there() -> None:
    def add(number: int) -> None:
        for part in range(10):
            declare(f"threaded_{number}_{part}")
            add_format(Format(f"threaded-{number}-{part}", parse=lambda _: iter(())))

    def declare(name: str) -> None:
        def count(hits: Hits) -> Any:
            """Results that meet a group."""
            return hits.per_query(hits.results.query)

        count.__name__ = name
        metric(count)

    assert at_once(add) == [None] * THREADS
    names = [f"threaded_{number}_{part}" for number in range(THREADS) for part in range(10)]
    assert set(evaluate(TRUTH, RUN, metrics=names).scores) == set(names)
    assert {name.replace("_", "-") for name in names} <= list_formats().keys()


@pytest.mark.usefixtures("nothing_added")
def test_a_name_that_a_plugin_brings_is_found_by_all_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first thread loads the plugins; those that wait for it look again."""

    def load() -> None:
        def from_plugin(hits: Hits) -> Any:
            """Results that meet a group."""
            return hits.per_query(hits.results.query)

        metric(from_plugin)
        add_format(Format("from-plugin", parse=lambda _: iter(())))

    monkeypatch.setattr(loading, "_searched", False)
    monkeypatch.setattr(loading, "_may_hold_plugins", lambda _: True)
    monkeypatch.setattr(loading, "_load_entry_points", load)

    def work(number: int) -> object:
        if number % 2:
            return find_format("from-plugin").name
        return evaluate(TRUTH, RUN, metrics=["from_plugin"]).scores

    assert not [each for each in at_once(work) if isinstance(each, Exception)]


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


@pytest.mark.parametrize("turn", range(3))
def test_first_imports_from_eight_threads(turn: int, files: dict[str, Path]) -> None:
    """Names, registries and modules are loaded when they are first used."""
    done = subprocess.run(
        [sys.executable, "-c", FRESH], capture_output=True, text=True, check=False,
        cwd=files["jsonl"].parent, env={"PYTHONHASHSEED": str(turn)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
