"""The data of four retrievers is what its README says of it."""

import json
import math
from collections import Counter
from typing import Any

import pytest

from groupwise import evaluate, validate
from tests.paths import RETRIEVERS

RUNS = ("bm25", "fusion", "tfidf", "trigrams")


def read(name: str) -> list[dict[str, Any]]:
    text = (RETRIEVERS / f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_the_data_is_as_its_readme_says() -> None:
    queries = read("ground_truth")
    groups = [group for query in queries for group in query["ground_truth"]]
    assert (len(queries), len(groups)) == (250, 352)
    assert sum(len(query["ground_truth"]) > 1 for query in queries) == 71
    assert Counter(map(len, groups)) == {1: 231, 2: 121}
    assert set(Counter(query["metadata"]["corpus"] for query in queries).values()) == {50}
    assert {query["metadata"]["references"] for query in queries} == {1, 2, 3, 4, 5}


@pytest.mark.parametrize("name", RUNS)
def test_a_run_is_whole_and_its_order_is_that_of_its_scores(name: str) -> None:
    run = read(name)
    assert [record["id"] for record in run] == [query["id"] for query in read("ground_truth")]
    for record in run:
        pairs = list(zip(record["scores"], record["results"], strict=True))
        assert len(pairs) == len(set(record["results"])) == 20
        assert pairs == sorted(pairs, reverse=True)


def test_nothing_is_found_in_the_data() -> None:
    truth, *runs = [RETRIEVERS / f"{name}.jsonl" for name in ("ground_truth", *RUNS)]
    for run in runs:
        assert not validate(truth, run=run).findings


@pytest.mark.parametrize("name", RUNS)
def test_recall_of_a_run_is_the_mean_share_of_groups(name: str) -> None:
    found = {record["id"]: set(record["results"][:5]) for record in read(name)}
    shares = [
        sum(not found[query["id"]].isdisjoint(group) for group in query["ground_truth"])
        / len(query["ground_truth"])
        for query in read("ground_truth")
    ]
    report = evaluate(
        RETRIEVERS / "ground_truth.jsonl", RETRIEVERS / f"{name}.jsonl", metrics=["recall@5"]
    )
    assert report.scores["recall@5"] == pytest.approx(math.fsum(shares) / 250, abs=1e-12)
