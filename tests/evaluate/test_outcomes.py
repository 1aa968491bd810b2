"""Expectations against scores: numbers, bounds, no_worse, and scores that do not exist."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from groupwise import Fixture, FixtureCheck, InputError, check_fixture, convert, read
from groupwise.evaluator.statistics.bounds import Bound, parse_bound
from groupwise.schemas.expectation import BOUND

A_AT = {rank: [*[f"x{n}" for n in range(1, rank)], "a"] for rank in range(1, 6)}
"""Rankings with the document at a rank."""


def check(folder: Path, content: Any, run: Any = None) -> FixtureCheck:
    path = folder / "fixture.json"
    path.write_text(json.dumps(content), "utf-8")
    return check_fixture(path, run=run)


def passed(folder: Path, expected: Any, run: Any = None, **query: Any) -> bool | None:
    """Whether a query, of which a is the second result, meets an expectation of one metric."""
    record = {"id": "q", "ground_truth": [["a"]], "results": A_AT[2]} | query
    other = {"id": "other", "ground_truth": [["b"]], "results": ["b"]}
    content = {"queries": [record | {"expected": expected}, other]}
    runs = None if run is None else {"q": run, "other": ["b"]}
    (outcome,) = check(folder, content, runs).outcomes
    return outcome.passed


BOUNDS = {
    ">= 0.5": True, ">0.5": False, "<= .5": True, "< 0.5": False, " >=  5e-1 ": True, "> -1": True,
    ">= 0.5000000000000001": False, "<= 0.5000000000000001": True, "< 1": True,
}  # fmt: skip


@pytest.mark.parametrize("bound", BOUNDS)
def test_a_bound_compares_exactly(tmp_path: Path, bound: str) -> None:
    assert passed(tmp_path, {"mrr": bound}) is BOUNDS[bound]


@pytest.mark.parametrize("bound", BOUNDS)
def test_a_bound_of_a_mean_has_no_tolerance(tmp_path: Path, bound: str) -> None:
    query = {"id": "q", "ground_truth": [["a"]], "results": A_AT[2]}
    content = {"queries": [query], "expected": {"mrr": bound}, "tolerance": 0.4}
    assert check(tmp_path, content).ok is BOUNDS[bound]


def test_ten_queries_of_four_fifths_are_at_least_four_fifths(tmp_path: Path) -> None:
    truth = [[name] for name in "abcde"]
    queries = [{"id": n, "ground_truth": truth, "results": list("abcd")} for n in range(10)]
    content: dict[str, Any] = {"queries": queries, "expected": {"recall": ">= 0.8"}}
    assert check(tmp_path, content).ok
    assert not check(tmp_path, content | {"expected": {"recall": "> 0.8"}}).ok


@pytest.mark.parametrize("value", [n / 100 for n in range(0, 101, 7)])
def test_a_tolerance_is_compared_as_it_is_written(tmp_path: Path, value: float) -> None:
    """In binary 0.5 is farther from 0.48 than 0.02; in the digits of the fixture it is not."""
    for tolerance in (0.0, 0.02, 0.08, 0.15, 0.43):
        near = abs(Fraction("0.5") - Fraction(str(value))) <= Fraction(str(tolerance))
        found = passed(tmp_path, {"mrr": {"value": value, "tolerance": tolerance}})
        assert found is near, (value, tolerance)


def test_a_value_may_have_a_tolerance_of_its_own(tmp_path: Path) -> None:
    query = {"id": "q", "ground_truth": [["a"]], "results": A_AT[2]}
    expected = {"mrr": {"value": 0.6, "tolerance": 0.1}, "precision": 0.6}
    content = {"queries": [query], "expected": expected, "tolerance": 1e-3}
    (difference,) = check(tmp_path, content).differences
    assert str(difference) == "mean, precision: expected 0.6, found 0.5"
    expected["mrr"] = {"value": 0.4, "tolerance": 0.05}
    found = check(tmp_path, content).differences[0]
    assert str(found) == "mean, mrr: expected 0.4 ± 0.05, found 0.5"


@pytest.mark.parametrize("metric", ["mrr", "first_hit", "completion_rank", "coverage:ndcg"])
@pytest.mark.parametrize("rank", [1, 2, 3, 5, None])
def test_no_worse_knows_which_way_is_better(tmp_path: Path, metric: str, rank: int | None) -> None:
    run = A_AT[rank] if rank else ["x", "y"]
    assert passed(tmp_path, {metric: "no_worse"}, run) is (rank is not None and rank <= 2)


def test_a_rank_that_was_not_reached_is_worse_than_any(tmp_path: Path) -> None:
    nothing: list[str] = []
    assert passed(tmp_path, {"first_hit": "<= 3"}, ["x"]) is False
    assert passed(tmp_path, {"first_hit": "> 100"}, ["x"]) is True
    assert passed(tmp_path, {"first_hit": "<= 3"}, nothing) is False
    assert passed(tmp_path, {"first_hit@1": "no_worse"}) is True, "neither is reached"
    assert passed(tmp_path, {"first_hit@1": "no_worse"}, ["a"]) is True
    assert passed(tmp_path, {"first_hit": None}, ["x"]) is True
    assert passed(tmp_path, {"first_hit": 1}, ["x"]) is False


LABELLED = [{"alternatives": ["a"], "label": "vital"}]


def test_a_query_that_a_rank_is_not_asked_of_has_no_value(tmp_path: Path) -> None:
    labelled = {"ground_truth": LABELLED}
    assert passed(tmp_path, {"first_hit(label=vital)": "<= 2"}, **labelled) is True
    assert passed(tmp_path, {"first_hit(label=vital)": "<= 2"}, ["x"], **labelled) is False
    assert passed(tmp_path, {"first_hit(label=okay)": "<= 2"}, **labelled) is None
    assert passed(tmp_path, {"first_hit(label=okay)": "no_worse"}, **labelled) is None


UNANSWERABLE = {"ground_truth": [], "answerable": False}


@pytest.mark.parametrize("expected", [">= 0", "< 1", "no_worse"])
@pytest.mark.parametrize("metric", ["recall", "first_hit"])
def test_a_bound_without_a_value_cannot_be_judged(
    tmp_path: Path, metric: str, expected: str
) -> None:
    assert passed(tmp_path, {metric: expected}, **UNANSWERABLE) is None
    content = {
        "policies": {"empty_results": "skip"},
        "queries": [
            {"id": "q", "ground_truth": [["a"]], "results": ["a"], "expected": {metric: expected}},
            {"id": "other", "ground_truth": [["b"]], "results": ["b"]},
        ],
    }
    found = check(tmp_path, content, {"q": [], "other": ["b"]})
    assert (found.ok, found.is_complete) == (False, False)
    assert str(found.outcomes[0]).endswith("but there is no value")


def test_no_worse_than_nothing_cannot_be_judged(tmp_path: Path) -> None:
    """The own result is empty and skipped; the fresh one is not."""
    query = {"id": "q", "ground_truth": [["a"]], "results": [], "expected": {"recall": "no_worse"}}
    other = {"id": "other", "ground_truth": [["b"]], "results": ["b"]}
    content = {"policies": {"empty_results": "skip"}, "queries": [query, other]}
    (outcome,) = check(tmp_path, content, {"q": ["a"], "other": ["b"]}).outcomes
    assert outcome.passed is None
    assert "the fixture's own results have no value" in str(outcome)


def test_a_number_without_a_value_is_a_difference_as_ever(tmp_path: Path) -> None:
    assert passed(tmp_path, {"recall": 0.5}, **UNANSWERABLE) is False
    assert passed(tmp_path, {"recall": None}, **UNANSWERABLE) is True
    assert passed(tmp_path, {"recall": {"value": 0.5, "tolerance": 9}}, **UNANSWERABLE) is False


def test_a_rank_has_no_mean_to_bound(tmp_path: Path) -> None:
    query = {"id": "q", "ground_truth": [["a"]], "results": ["a"]}
    for expected in ("<= 2", "no_worse"):
        with pytest.raises(InputError, match="ranks have no mean"):
            check(tmp_path, {"queries": [query], "expected": {"first_hit": expected}})


@pytest.mark.parametrize("profile", ["autorag", "trec", "coverage"])
def test_the_profile_of_the_fixture_is_that_of_its_bounds(tmp_path: Path, profile: str) -> None:
    """With two of five results, precision@5 is 1/2 of the results, but 1/5 of k in trec."""
    query = {"id": "q", "ground_truth": [["a"]], "results": A_AT[2]}
    bound = "<= 0.2" if profile == "trec" else ">= 0.5"
    content = {"profile": profile, "queries": [query], "expected": {"precision@5": bound}}
    assert check(tmp_path, content).ok


def test_the_order_of_records_changes_nothing(tmp_path: Path) -> None:
    queries = [
        {"id": f"q{n}", "ground_truth": [["a"]], "results": ["a"] * (n % 2), "metadata": {},
         "expected": {"recall": "> 0", "mrr": 1}}
        for n in range(20)
    ]  # fmt: skip
    texts = set()
    for start in (0, 7, 13):
        queries = [*queries[start:], *queries[:start]][:: 1 if start else -1]
        texts.add(str(check(tmp_path, {"queries": queries, "expected": {"recall": 1}})))
    (text,) = texts
    assert text.splitlines()[:2] == [
        f"{tmp_path}/fixture.json: 21 of 41 expectations not met",
        "  mean, recall: expected 1.0, found 0.5",
    ]
    assert text.endswith("… and 1 more")


NO_BOUNDS = ["", ">=", "0.8", ">= 80%", ">= high", "=> 1", "== 1", ">= nan", ">= inf", ">= 1e999",
             ">= 1_0", "recall >= 1", ">= 0.5 <= 0.7", ">= 0x1", ">> 1", ">= 1 2"]  # fmt: skip


def test_the_grammar_of_bounds_is_that_of_the_json_schema() -> None:
    import re  # noqa: PLC0415

    for text in NO_BOUNDS:
        with pytest.raises(InputError, match="is not a bound"):
            parse_bound(text)
        assert not re.match(BOUND, text) or text == ">= 1e999"
    for text in BOUNDS:
        assert re.match(BOUND, text)
    assert parse_bound(" <=1e-3 ") == Bound("<=", 0.001)


@pytest.mark.parametrize(
    "expected",
    [*NO_BOUNDS, True, [1], {}, {"value": 1}, {"value": 1, "tolerance": -1}, "No_Worse", "noworse",
     {"value": "1", "tolerance": 0}, {"value": 1, "tolerance": 0, "more": 1}, {"min": 0}],
)  # fmt: skip
def test_what_is_no_expectation_is_refused_with_its_place(tmp_path: Path, expected: Any) -> None:
    query = {"id": "q", "ground_truth": [["a"]], "results": ["a"]}
    for content in ([query | {"expected": {"mrr": expected}}],
                    {"queries": [query], "expected": {"mrr": expected}}):  # fmt: skip
        with pytest.raises(InputError) as error:
            check(tmp_path, content)
        (problem,) = error.value.problems
        assert str(problem.pointer).endswith("/expected/mrr")
        assert problem.line == 1
        assert problem.message.startswith("expected a number, null, a bound such as '>= 0.8'")


def test_bounds_survive_reading_and_converting(tmp_path: Path) -> None:
    expected = {"recall": ">= 0.5", "mrr": "no_worse", "ndcg": {"value": 1.0, "tolerance": 0.5}}
    query = {"id": "q", "ground_truth": [["a"]], "results": ["a"], "expected": expected}
    path, other = tmp_path / "f.json", tmp_path / "g.jsonl"
    path.write_text(json.dumps({"queries": [query]}), "utf-8")
    fixture = read(path)
    assert isinstance(fixture, Fixture)
    assert fixture.queries[0].expected == expected
    convert(path, other)
    assert json.loads(other.read_text("utf-8"))["expected"] == expected
    assert check_fixture(other).ok
