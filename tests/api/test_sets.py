"""Sets of ids stand for lists in a fixed order, wherever a list needs none."""

import os
import subprocess
import sys
from typing import Any

import pytest

from groupwise import Corpus, Dataset, InputError, evaluate, hit_vector, validate
from groupwise.schemas.values import sort_set

RUN = {"q1": ["a", "x"], "q2": ["c"]}


@pytest.mark.parametrize(
    ("truth", "as_lists"),
    [
        ({"q1": {"a", "b"}, "q2": frozenset("c")}, {"q1": ["a", "b"], "q2": ["c"]}),
        ({"q1": [{"b", "a"}, {"c"}], "q2": [["c"]]}, {"q1": [["a", "b"], ["c"]], "q2": [["c"]]}),
        (
            {"q1": {frozenset("ba"), frozenset("c")}, "q2": {"c"}},
            {"q1": [["a", "b"], ["c"]], "q2": ["c"]},
        ),
        (
            [{"id": "q1", "ground_truth": [["a"]], "not_relevant": {"z", "x"}}],
            [{"id": "q1", "ground_truth": [["a"]], "not_relevant": ["x", "z"]}],
        ),
        (
            {"q1": [{"alternatives": {"b", "a"}, "weight": 2}], "q2": []},
            {"q1": [{"alternatives": ["a", "b"], "weight": 2}], "q2": []},
        ),
    ],
)  # fmt: skip
@pytest.mark.parametrize("flat", ["any", "all"])
def test_a_set_is_read_as_a_list(truth: Any, as_lists: Any, flat: Any) -> None:
    assert evaluate(truth, RUN, flat=flat) == evaluate(as_lists, RUN, flat=flat)
    assert Dataset.model_validate(truth, context={"flat": flat}) == Dataset.model_validate(
        as_lists, context={"flat": flat}
    )
    assert validate(truth, flat=flat) == validate(as_lists, flat=flat)


def test_a_flat_set_asks_the_question_of_a_flat_list() -> None:
    with pytest.raises(InputError, match="a flat list of ids: must all of them be found"):
        evaluate({"q1": {"a", "b"}}, RUN)
    assert evaluate({"q1": {"a", "b"}}, RUN, profile="trec").scores["recall"] == 0.5
    assert hit_vector({"a", "b"}, ["x", "b"], flat="any") == [0, 1]


def test_what_needs_an_order_is_no_set() -> None:
    with pytest.raises(InputError, match="a set has no order; results are a list, best first"):
        evaluate({"q1": [["a"]]}, {"q1": {"a", "b"}})
    with pytest.raises(InputError, match="/scores: a set has no order"):
        evaluate({"q1": [["a"]]}, [{"id": "q1", "results": ["a", "b"], "scores": {1.0, 2.0}}])


def test_a_corpus_may_be_a_set_of_ids() -> None:
    report = validate({"q1": [["a"], ["lost"]]}, corpus={"a", "b"})
    assert [finding.id for finding in report.findings if finding.severity == "error"] == ["lost"]
    assert [document.id for document in Corpus.model_validate({"b", "a"})] == ["a", "b"]


def test_members_are_in_the_order_of_their_types_and_values() -> None:
    assert sort_set({10, 9, "b", "a", None}) == [None, 9, 10, "a", "b"]
    assert sort_set({frozenset({10, 9}), frozenset({9}), "a"}) == [
        frozenset({9}), frozenset({9, 10}), "a",
    ]  # fmt: skip


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_order_does_not_depend_on_the_hash_seed(seed: str) -> None:
    code = (
        "from groupwise import Dataset; print(Dataset.model_validate("
        "{'q': {'e', 'd', 'c', 'b', 'a'}}, context={'flat': 'any'}).model_dump_json())"
    )
    environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert '[["a","b","c","d","e"]]' in done.stdout
