"""Flat scores: names that trackers accept, tested against the rules of each, and a real store."""

import re
from typing import Any

import pytest

from groupwise import Report, evaluate
from groupwise.evaluator.reporting.flat import spell_names

GRAPHQL = re.compile(r"[_a-zA-Z][_a-zA-Z0-9]*")
"""What Weights & Biases can sort and filter by: docs.wandb.ai, "Metric naming constraints"."""
MLFLOW = re.compile(r"[/\w.\- :]*")
"""What MLflow accepts beside a length of 250 characters: mlflow/utils/validation.py."""
HOSTILE = [
    "two words", "two-words", "Two Words", "5", "", "@", "日本", "中国", "a/../b", "..", "a//b",
    "__", "<script>", "\x1b[31m", "\ud800", "=1+1", "x" * 500, "x" * 501, "recall@1", "low",
    "a: b",
]  # fmt: skip
METRICS = ["recall@1", "recall@3", "ndcg@3", "first_hit"]


def build_report(values: list[str]) -> Report:
    truth = {
        f"q{number}": {"ground_truth": [["a"], ["b"]], "metadata": {value: value, "type": value}}
        for number, value in enumerate(values)
    }
    run = {f"q{number}": ["x", "a", "b"][number % 3 :] for number in range(len(values))}
    return evaluate(truth, run, metrics=METRICS, by=["type", values[0]], confidence=0.9)


@pytest.fixture(scope="module")
def hostile() -> Report:
    return build_report(HOSTILE)


def test_names_of_scores_intervals_ranks_and_slices() -> None:
    truth = {
        "q1": {"ground_truth": [["a"]], "metadata": {"type": "bridge"}},
        "q2": {"ground_truth": [["b"]], "metadata": {"type": "yes/no"}},
        "q3": {"ground_truth": [["c"]], "metadata": {"type": "bridge"}},
    }
    run = {"q1": ["a"], "q2": ["x"], "q3": ["x", "c"]}
    plain = evaluate(truth, run, metrics=["recall@1", "first_hit"])
    assert plain.flat() == {
        "recall_at_1": 1 / 3,
        "first_hit__median": 1.5,
        "first_hit__worst": 2.0,
        "first_hit__found": 2.0,
        "first_hit__not_found": 1.0,
    }
    flat = evaluate(truth, run, metrics=["recall@1"], by="type", confidence=0.95).flat()
    assert {"recall_at_1__low", "recall_at_1__high", "type__bridge__recall_at_1__low"} <= {*flat}
    assert flat["type__bridge__recall_at_1"] == 0.5
    assert flat["type__yes_no__recall_at_1"] == 0.0
    assert all(type(value) is float for value in flat.values())


def test_what_has_no_value_is_left_out() -> None:
    report = evaluate({"q": []}, {"q": ["a"]}, metrics=["recall", "first_hit"])
    assert report.scores == {"recall": None}
    assert report.flat() == {"first_hit__found": 0.0, "first_hit__not_found": 0.0}


def count_values(report: Report) -> int:
    """Return how many values a report has, without their names."""
    parts: list[Any] = [report, *(part for by in report.slices.values() for part in by.values())]
    found = [value for part in parts for value in part.scores.values()]
    ends = [
        end for part in parts for each in part.intervals.values() for end in (each.low, each.high)
    ]
    ranks = [
        value
        for part in parts
        for each in part.ranks.values()
        for value in (each.median, each.worst, each.found, each.not_found)
    ]
    return sum(value is not None for value in (*found, *ends, *ranks))


def test_every_name_is_accepted_and_no_value_is_lost(hostile: Report) -> None:
    flat = hostile.flat()
    assert len(flat) == count_values(hostile) > 100
    assert len({name.lower() for name in flat}) == len(flat)
    for name in flat:
        assert GRAPHQL.fullmatch(name), name
        assert MLFLOW.fullmatch(name), name
        assert len(name) <= 250


def test_names_made_to_collide_do_not() -> None:
    first, second = spell_names(["a b", "a-b"]).values()
    names = ["a b", "a-b", first, second]
    assert len({*spell_names(names).values()}) == 4
