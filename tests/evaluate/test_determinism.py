"""The same data gives the same bytes: in any order, any batches, under any hash seed."""

import json
import os
import random
import subprocess
import sys
from functools import partialmethod
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import evaluate
from groupwise.evaluator.evaluation import partial
from groupwise.evaluator.intake.objects import Objects
from tests.formats.reading import blocks_of
from tests.strategies import CASES, FEWER, Case

METRICS = ["precision", "recall", "f1", "mrr", "map", "ndcg@3", "first_hit", "complete"]
Queries = dict[str, Any]


def bytes_of(truths: Queries, results: Queries) -> str:
    return evaluate(truths, results, metrics=METRICS).to_json()


def queries(cases: list[Case]) -> tuple[Queries, Queries]:
    """Ground truths and results; here and there one is missing, extra, empty or unanswerable."""
    truths = {f"q{number}": case.truth for number, case in enumerate(cases) if number % 7 != 5}
    results = {f"q{number}": case.ranking for number, case in enumerate(cases) if number % 5 != 3}
    return truths | {"q none": []}, results


@FEWER
@given(cases=st.lists(CASES, min_size=1, max_size=12), source=st.randoms())
def test_the_order_of_queries_changes_nothing(cases: list[Case], source: random.Random) -> None:
    truths, results = queries(cases)
    shuffled = dict(source.sample(list(truths.items()), len(truths)))
    others = dict(source.sample(list(results.items()), len(results)))
    assert bytes_of(shuffled, others) == bytes_of(truths, results)


@FEWER
@given(source=st.randoms())
def test_nor_does_it_where_no_id_is_shared(source: random.Random) -> None:
    truths = {f"q{number}": [[f"doc-{number}"]] for number in range(6)}
    results = {f"q{number}": [f"uuid-{number}"] for number in range(6)}
    shuffled = dict(source.sample(list(truths.items()), len(truths)))
    others = dict(source.sample(list(results.items()), len(results)))
    assert bytes_of(shuffled, others) == bytes_of(truths, results)


@pytest.mark.parametrize("size", [1, 2, 3, 7])
@FEWER
@given(cases=st.lists(CASES, min_size=1, max_size=12))
def test_the_size_of_batches_changes_nothing(size: int, cases: list[Case]) -> None:
    truths, results = queries(cases)
    expected = bytes_of(truths, results)
    with (
        mock.patch.object(partial, "QUERIES_PER_BATCH", size),
        mock.patch.object(Objects, "batches", partialmethod(Objects.batches, size=size)),
    ):
        assert bytes_of(truths, results) == expected


@pytest.mark.parametrize("block", [1, 50, 700])
def test_the_size_of_blocks_changes_nothing(block: int, tmp_path: Path) -> None:
    truth, run = tmp_path / "truth.jsonl", tmp_path / "run.json"
    truth.write_text("".join(f'{{"id": "q{n}", "ground_truth": [["a"]]}}\n' for n in range(60)))
    run.write_text(json.dumps({f"q{n}": ["x"] * (n % 7) + ["a"] for n in range(59, -1, -1)}))
    expected = evaluate(truth, run).to_json()
    with blocks_of(block):
        assert evaluate(truth, run).to_json() == expected


SCRIPT = """
import sys
from groupwise import evaluate
from groupwise.evaluator.metrics.registry import every_metric
truths = {f"q{n}": [{"a", "b", f"d{n}"}, {"c"}] for n in range(40)}
results = {f"q{n}": ["x", f"d{n}", "c"][: n % 4] for n in range(44)}
names = [f"{profile}:{metric.name}" for profile, metric in every_metric()]
sys.stdout.write(evaluate(truths, results, metrics=names).to_json())
"""


def test_the_seed_of_hashes_changes_nothing() -> None:
    outputs = {run_with_seed(seed) for seed in ("0", "1", "12345")}
    assert len(outputs) == 1
    assert '"counts"' in outputs.pop()


def run_with_seed(seed: str) -> str:
    environment = os.environ | {"PYTHONHASHSEED": seed}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_a_report_holds_no_time_no_path_and_no_host(tmp_path: Path) -> None:
    path = tmp_path / "fixture.json"
    path.write_text('[{"id": "q1", "ground_truth": [["a"]], "results": ["a"]}]')
    assert set(json.loads(evaluate(path).to_json())) == {
        "schema",
        "profile",
        "counts",
        "scores",
        "per_query",
        "warnings",
        "provenance",
    }
    assert str(tmp_path) not in evaluate(path).to_json()
