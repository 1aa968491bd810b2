"""The fixtures: examples hold and are worked out right, what is invalid is refused as written."""

import json
import math
from pathlib import Path
from statistics import fmean
from typing import Any

import orjson
import pytest

from groupwise import InputError, check_fixture, evaluate
from tests import oracle
from tests.comparing import agree
from tests.paths import EDGE_CASES, EXAMPLES, INVALID

FIXTURES = sorted([*EXAMPLES.glob("*.json"), *EDGE_CASES.glob("*.json")])
EXPECTED: dict[str, str] = json.loads((INVALID / "expected.json").read_text("utf-8"))
if tuple(map(int, orjson.__version__.split(".")[:2])) < (3, 12):
    EXPECTED |= {
        "lone-surrogate.json": "3:43: a lone surrogate (half of a \\u pair) in a string",
        "python-set.json": "3:39: invalid JSON: unexpected character",
    }
SIX = ("precision", "recall", "f1", "mrr", "map", "ndcg")


def names(paths: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("path", paths, ids=[path.name for path in paths])


def oracle_group(group: Any) -> oracle.Group:
    """A group of a fixture, in any of its three ways of writing, as the oracle takes it."""
    if isinstance(group, list):
        return oracle.Group([(one, 1.0) for one in group])
    if "alternatives" not in group:
        return oracle.Group(list(group.items()))
    pairs = [one if isinstance(one, dict) else {"id": one} for one in group["alternatives"]]
    alternatives = [(one["id"], one.get("grade", 1.0)) for one in pairs]
    return oracle.Group(alternatives, group.get("weight", 1.0))


def oracle_value(query: dict[str, Any], metric: str) -> float | None:
    name, _, k = metric.partition("@")
    groups = [oracle_group(group) for group in query["ground_truth"]]
    return (
        oracle.value(f"autorag:{name}", groups, query["results"], int(k) if k else None)
        if groups
        else None
    )


def follows(value: float | None, expected: Any) -> bool:
    """Whether a value worked out from the formulas is what is expected."""
    if expected == "no_worse":
        return True
    if isinstance(expected, str):
        sign, number = expected.split()
        assert value is not None
        return {">=": value >= float(number), "<=": value <= float(number)}[sign]
    if isinstance(expected, dict):
        return agree(value, expected["value"], within=expected["tolerance"])
    return agree(value, expected)


@names(FIXTURES)
def test_an_example_meets_its_expectations(path: Path) -> None:
    check = check_fixture(path)
    assert check.ok, str(check)
    fixture = json.loads(path.read_text("utf-8"))
    of_queries = sum(len(query.get("expected", {})) for query in fixture["queries"])
    assert check.checked == len(fixture["expected"]) + of_queries


@names(FIXTURES)
def test_what_an_example_expects_follows_from_the_formulas(path: Path) -> None:
    fixture = json.loads(path.read_text("utf-8"))
    for query in fixture["queries"]:
        for metric, expected in query.get("expected", {}).items():
            assert follows(oracle_value(query, metric), expected), (query["id"], metric)
    for metric, expected in fixture["expected"].items():
        each = [oracle_value(query, metric) for query in fixture["queries"]]
        assert follows(fmean(one for one in each if one is not None), expected), metric


def test_the_running_example_is_that_of_the_contract() -> None:
    fixture = json.loads((EXAMPLES / "running-example.json").read_text("utf-8"))
    (query,) = fixture["queries"]
    assert query["ground_truth"] == [["test-1", "test-2"], ["test-3"]]
    assert query["results"] == ["test-1", "pred-1", "test-2", "pred-3"]
    ndcg = 1.5 / (1.5 + 1 / math.log2(3))
    assert fixture["expected"] == {
        "precision": 0.5,
        "recall": 0.5,
        "f1": 0.5,
        "mrr": 0.5,
        "map": 0.41666666666666663,
        "ndcg": pytest.approx(ndcg, abs=1e-15),
    }


def test_the_example_of_a_data_set_and_a_run() -> None:
    report = evaluate(EXAMPLES / "ground_truth.jsonl", EXAMPLES / "run.jsonl")
    ndcg = 1.5 / (1.5 + 1 / math.log2(3))
    means = [1 / 2, 1 / 2, 1 / 2, 5 / 12, 7 / 18, (ndcg + 1) / 3]
    for name, expected in zip(SIX, means, strict=True):
        assert agree(report.scores[name], expected), name
    assert report.counts.model_dump() == {
        "queries": 4,
        "scored": 3,
        "missing": 1,
        "empty_results": 0,
        "unanswerable": 1,
        "extra": 1,
    }


@pytest.mark.parametrize("name", EXPECTED)
def test_an_invalid_file_is_refused_with_the_message_it_should_get(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(INVALID)
    with pytest.raises(InputError) as error:
        evaluate(name)
    assert [without(name, str(one)) for one in error.value.problems] == EXPECTED[name].split("\n")


def without(name: str, message: str) -> str:
    """The message without the name of the file in front."""
    return message.removeprefix(f"{name}:").lstrip(" ")


@pytest.mark.parametrize("name", EXPECTED)
def test_the_place_of_an_invalid_file_is_there_for_programs_too(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(INVALID)
    with pytest.raises(InputError) as error:
        evaluate(name)
    for one, expected in zip(error.value.problems, EXPECTED[name].split("\n"), strict=True):
        assert one.line is None or expected.startswith(f"{one.line}:{one.column}: ")
        assert expected.endswith(one.message)


def test_every_invalid_file_has_its_message() -> None:
    assert {path.name for path in INVALID.iterdir() if path.is_file()} == {
        *EXPECTED,
        "expected.json",
    }
    assert len(EXPECTED) >= 70
