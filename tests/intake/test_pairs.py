"""Pairs of id and score as results, and objects that are no ids."""

import datetime as dt
import decimal
import enum
import fractions
import json
import pathlib
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import groupwise
from groupwise import Evaluator, InputError, Run, convert, evaluate, hit_vector, read, validate
from groupwise.evaluator.errors import Problem
from tests.strategies import FEWER

TRUTH = [["a", "b"], ["c"]]
PAIRS = [("a", 0.5), ("x", 0.9), ("c", 0.7)]
LISTED = [list(pair) for pair in PAIRS]
ORDERED = {"results": ["a", "x", "c"], "scores": [0.5, 0.9, 0.7]}
METRICS = ["mrr", "map", "ndcg@2", "trec:mrr", "trec:ndcg", "coverage:ndcg"]


def of_query(results: Any) -> dict[str, float | None]:
    return dict(evaluate({"q": TRUTH}, {"q": results}, metrics=METRICS).scores)


def problem_of(call: Callable[[], object]) -> Problem:
    with pytest.raises(InputError) as error:
        call()
    (problem,) = error.value.problems
    return problem


def test_the_order_counts_in_autorag_and_the_score_in_trec() -> None:
    """By hand: a is first as given; by score it is third, after x and c."""
    scores = of_query(PAIRS)
    assert scores["mrr"] == pytest.approx((1 + 1 / 3) / 2)
    assert scores["trec:mrr"] == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    "results",
    [
        PAIRS,
        tuple(PAIRS),
        LISTED,
        [(id_, np.float32(score)) for id_, score in PAIRS],
        [(id_, np.float64(score)) for id_, score in PAIRS],
        [(np.str_(id_), score) for id_, score in PAIRS],
        [{"id": id_, "score": score} for id_, score in PAIRS],
        {"results": PAIRS},
    ],
)
def test_pairs_are_results_with_scores(results: Any) -> None:
    assert of_query(results) == of_query(ORDERED)


@pytest.mark.parametrize("pairs", [PAIRS, LISTED], ids=["tuples", "lists"])
def test_every_entrance_takes_pairs(pairs: Any, tmp_path: Path) -> None:
    expected = of_query(ORDERED)
    truths = {"q": TRUTH}
    assert Evaluator(truths, metrics=METRICS).evaluate({"q": pairs}).scores == expected
    assert evaluate([TRUTH], [pairs], metrics=METRICS).scores == expected
    records = [{"id": "q", "results": pairs}]
    assert evaluate(truths, records, metrics=METRICS).scores == expected
    assert evaluate(truths, Run.model_validate({"q": pairs}), metrics=METRICS).scores == expected
    assert hit_vector(TRUTH, pairs) == [1, 0, 1]
    assert groupwise.metrics.mrr(TRUTH, pairs) == expected["mrr"]
    assert groupwise.metrics.mrr(TRUTH, pairs, profile="trec") == expected["trec:mrr"]
    asked = [{"id": "q", "query": "why?", "ground_truth": TRUTH}]
    report = evaluate(asked, retriever=lambda _: pairs, metrics=METRICS)
    assert (report.scores, report.failures) == (expected, {})
    for name, content in (("run.json", {"q": pairs}), ("run.jsonl", records[0])):
        path = tmp_path / name
        path.write_text(json.dumps(content))
        assert evaluate(truths, path, metrics=METRICS).scores == expected
        (query,) = read(path, role="run")
        assert (query.ids(), query.given_scores()) == (["a", "x", "c"], [0.5, 0.9, 0.7])
        convert(path, tmp_path / "again.jsonl")
        assert json.loads((tmp_path / "again.jsonl").read_text()) == {"id": "q", **ORDERED}


def test_a_file_of_pairs_is_a_run(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps({"q": LISTED}))
    assert isinstance(read(path), Run)
    assert [finding.code for finding in validate(path).findings] == ["RN005"]


def test_validate_sees_the_ids_and_scores_of_pairs() -> None:
    report = validate({"q": TRUTH}, run={"q": [("a", 0.9), ("x", 0.5), ("a", 0.4)]})
    (finding,) = report.findings
    assert (finding.code, finding.query) == ("RN001", "q")
    assert validate({"q": TRUTH}, run={"q": [("a", 0.9), ("c", 0.5)]}).ok


def test_frames_have_pairs_in_their_cells() -> None:
    pandas = pytest.importorskip("pandas", reason="the extra of frames is missing")
    truths = pandas.DataFrame({"id": ["q"], "ground_truth": [TRUTH]})
    run = pandas.DataFrame({"id": ["q"], "results": [PAIRS]})
    assert evaluate(truths, run, metrics=METRICS).scores == of_query(ORDERED)


@given(
    st.lists(
        st.lists(st.tuples(st.sampled_from("abcx"), st.floats(-1e9, 1e9) | st.integers(0, 9))),
        min_size=1, max_size=4,
    )
)  # fmt: skip
@FEWER
def test_pairs_mean_what_their_columns_mean(rankings: list[list[tuple[str, float]]]) -> None:
    """A score with a fraction makes all numbers of a query scores; without one, all are refused."""
    is_clear = all(not pairs or any(type(s) is float for _, s in pairs) for pairs in rankings)
    truths = {str(number): TRUTH for number in range(len(rankings))}
    run = {str(number): pairs for number, pairs in enumerate(rankings)}
    if not is_clear:
        with pytest.raises(InputError, match="if the number is a score"):
            evaluate(truths, run)
        return
    columns = {
        query: {"results": [i for i, _ in pairs], "scores": [s for _, s in pairs]}
        for query, pairs in run.items()
    }
    found, expected = (evaluate(truths, each, metrics=METRICS) for each in (run, columns))
    assert found.per_query == expected.per_query


@pytest.mark.parametrize(
    "results",
    [
        [("a", 3), ("b", 2)],
        [["a", 3]],
        [("a", np.int64(3)), ("b", np.int64(2))],
    ],
)
def test_whole_numbers_alone_may_be_parts_of_ids(results: Any) -> None:
    problem = problem_of(lambda: of_query(results))
    assert problem.query == "q"
    assert problem.message == (
        'results are pairs such as ["a", 3]; if the number is a score, write it with a fraction '
        "(3.0), or all of them in 'scores'; if it is a part of the id, join the two, as in "
        '"a#3", in a file with --map results=PATH.*.0+1'
    )


def test_what_is_said_of_whole_numbers_is_said_once() -> None:
    truths = {f"q{number}": TRUTH for number in range(20)}
    with pytest.raises(InputError) as error:
        evaluate(truths, {query: [(query, 1)] for query in truths})
    assert str(error.value).count("\n") == 0
    assert len(error.value.problems) == 20


@pytest.mark.parametrize(
    ("results", "pointer", "message"),
    [
        ([("a", 0.9), "b"], "/0", "a pair with a score is not an id; give an id and its score for"),
        (["a", ("b", 0.9)], "/1", "a pair with a score is not an id; give an id and its score for"),
        ([(0.9, "a")], "/0", "a pair with a score is not an id; give an id and its score for"),
        ([("a", 0.9, "text")], "/0", "a list is not an id"),
        ([("a", 0.9), ("b", float("nan"))], "/1", "score should be a finite number"),
        ([("a", 0.9), ("", 0.5)], "/1", "a blank id"),
        ([("a", 0.9), (None, 0.5)], "/1", "null is not an id"),
    ],
)
def test_other_pairs_are_refused_by_place(results: Any, pointer: str, message: str) -> None:
    problem = problem_of(lambda: of_query(results))
    assert (problem.query, problem.pointer) == ("q", pointer)
    assert problem.message.startswith(message)


def test_scores_are_given_once() -> None:
    problem = problem_of(lambda: of_query({"results": PAIRS, "scores": [1, 2, 3]}))
    assert problem.message.startswith("'results' has scores, and there is 'scores' as well")


def test_a_retriever_gives_scores_for_all_results_or_for_none() -> None:
    asked = [{"id": "q", "query": "why?", "ground_truth": TRUTH}]
    report = evaluate(asked, retriever=lambda _: [("a", 0.9), "b"], metrics="recall")
    assert report.failures == {
        "q": "expected a score for each result or for none, got 1 for 2; result 2 has none"
    }


class Kind(enum.Enum):
    A = "a"


class Name(str, enum.Enum):  # noqa: UP042  (StrEnum has another text)
    A = "a"


NO_IDS = [
    (pathlib.Path("a"), "str(path), or path.as_posix() for the same text on every system"),
    (pathlib.PurePosixPath("a"), "str(path), or path.as_posix() for the same text on every system"),
    (uuid.UUID(int=7), "str(uuid)"),
    (Kind.A, "member.value, or member.name"),
    (b"a", "value.decode()"),
    (decimal.Decimal("1.5"), "str(number), or int(number) if it is whole"),
    (fractions.Fraction(1, 2), "str(number), or int(number) if it is whole"),
    (dt.date(2026, 1, 2), "value.isoformat()"),
    (dt.datetime(2026, 1, 2), "value.isoformat()"),  # noqa: DTZ001
]


@pytest.mark.parametrize(("value", "advice"), NO_IDS, ids=lambda value: type(value).__name__)
def test_objects_that_are_no_ids_are_refused_with_what_to_write(value: Any, advice: str) -> None:
    kind = type(value).__name__
    as_id = f"a value of type {kind} is not an id; write {advice}; an id is"
    as_query = f"a value of type {kind} is not a query id; write {advice}; expected"
    for call in (
        lambda: evaluate({"q": [[value]]}, {"q": ["a"]}),
        lambda: evaluate({"q": [["a"]]}, {"q": [value]}),
        lambda: evaluate({"q": [["a"]]}, {"q": [(value, 0.5)]}),
        lambda: evaluate({"q": [["a"]]}, {"q": [{"id": value}]}),
        lambda: evaluate({"q": [["a"]]}, {"q": {value: 0.5}}),
        lambda: evaluate({"q": {value: 1}}, {"q": ["a"]}, flat="any"),
        lambda: hit_vector([[value]], ["a"]),
        lambda: groupwise.metrics.recall([["a"]], [value]),
        lambda: Evaluator({"q": [[value]]}),
    ):
        assert problem_of(call).message.startswith(as_id)
    assert problem_of(lambda: evaluate({value: [["a"]]}, {"q": []})).message.startswith(as_query)
    (finding,) = validate({"q": [[value]]}).findings
    assert finding.message.startswith(as_id)


def test_a_string_that_is_a_member_of_an_enum_is_an_id() -> None:
    assert evaluate({"q": [[Name.A]]}, {"q": ["a"]}, metrics="recall").scores == {"recall": 1.0}
