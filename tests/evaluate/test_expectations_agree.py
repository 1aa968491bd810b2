"""Random fixtures and runs: outcomes as a naive judge has them; updates touch only numbers."""

import json
import math
import operator
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from groupwise import check_fixture

Value = float | None
METRICS = ("recall", "mrr", "first_hit", "recall@2", "first_hit@2")
SIGNS = {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt}

numbers = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 0.75, 1.0, 2.0, 3.0])
expectations = st.one_of(
    numbers,
    st.none(),
    st.just("no_worse"),
    st.builds(lambda sign, number: f"{sign} {number!r}", st.sampled_from([*SIGNS]), numbers),
    st.fixed_dictionaries({"value": numbers, "tolerance": st.sampled_from([0.0, 0.25, 0.5])}),
)
rankings = st.sampled_from([["a"], ["x", "a"], ["x", "y", "a"], ["x"], []])


@st.composite
def cases(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, list[str]] | None]:
    """A fixture of queries that one document answers, or nothing; perhaps a run."""
    count = draw(st.integers(1, 5))
    queries: list[dict[str, Any]] = [
        {
            "id": f"q{number}",
            "ground_truth": [["a"]] if number == 0 or draw(st.booleans()) else [],
            "results": draw(rankings),
            "expected": draw(st.dictionaries(st.sampled_from(METRICS), expectations, max_size=3)),
        }
        for number in range(count)
    ]
    means = st.sampled_from([name for name in METRICS if "hit" not in name])
    head = {"expected": draw(st.dictionaries(means, expectations, min_size=1))}
    if draw(st.booleans()):
        return {"queries": queries, **head}, None
    return {"queries": queries, **head}, {
        query["id"]: draw(rankings)
        for query in queries
        if query["id"] == "q0" or draw(st.booleans())
    }


def value_of(metric: str, ranking: list[str]) -> Value:
    name, _, k = metric.partition("@")
    cut = ranking[: int(k)] if k else ranking
    rank = cut.index("a") + 1 if "a" in cut else None
    if name == "first_hit":
        return rank
    return 0.0 if rank is None else 1.0 if name == "recall" else 1 / rank


def value_in(fixture: dict[str, Any], metric: str, query: str | None, run: Any) -> Value:
    """The value of a query, or the mean over those that have an answer."""
    found = {
        record["id"]: value_of(
            metric, record["results"] if run is None else run.get(record["id"], [])
        )
        for record in fixture["queries"]
        if record["ground_truth"]
    }
    if query is not None:
        return found.get(query)
    return float(sum(Fraction(value or 0) for value in found.values()) / len(found))


def judge(
    expected: Any, found: Value, before: Value, *, is_rank: bool, scored: bool
) -> bool | None:
    if expected is None or isinstance(expected, float):
        return found == expected if None in (found, expected) else abs(found - expected) <= 1e-9  # type: ignore[operator]
    if isinstance(expected, dict):
        return found is not None and abs(found - expected["value"]) <= expected["tolerance"]
    if not scored:
        return None
    now, then = (math.inf if value is None else value for value in (found, before))
    if expected == "no_worse":
        return now <= then if is_rank else now >= then
    sign, number = expected.split()
    return bool(SIGNS[sign](now, float(number)))


@given(cases())
def test_outcomes_are_those_of_a_naive_judge(
    case: tuple[dict[str, Any], dict[str, list[str]] | None],
) -> None:
    fixture, run = case
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "f.json")
        path.write_text(json.dumps(fixture), "utf-8")
        check = check_fixture(path, run=run)
    answerable = {record["id"] for record in fixture["queries"] if record["ground_truth"]}
    for outcome in check.outcomes:
        found = value_in(fixture, outcome.metric, outcome.query, run)
        before = value_in(fixture, outcome.metric, outcome.query, None)
        assert outcome.found == found
        verdict = judge(
            outcome.expected, found, before,
            is_rank="hit" in outcome.metric,
            scored=outcome.query is None or outcome.query in answerable,
        )  # fmt: skip
        assert outcome.passed is verdict, outcome
    assert check.checked == sum(map(len, [fixture["expected"], *(
        record["expected"] for record in fixture["queries"])]))  # fmt: skip


@given(cases())
def test_an_update_touches_numbers_and_nothing_else(
    case: tuple[dict[str, Any], dict[str, list[str]] | None],
) -> None:
    fixture, _ = case
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "f.json")
        path.write_text(json.dumps(fixture, indent=1), "utf-8")
        check_fixture(path, update=True)
        updated = json.loads(path.read_text("utf-8"))
        assert all(isinstance(each.expected, str) for each in check_fixture(path).differences)
    for old, new in zip(
        [fixture, *fixture["queries"]], [updated, *updated["queries"]], strict=True
    ):
        assert list(old["expected"]) == list(new["expected"])
        for name, expected in old["expected"].items():
            if isinstance(expected, str):
                assert new["expected"][name] == expected
            elif isinstance(expected, dict) and new["expected"][name] is not None:
                assert new["expected"][name]["tolerance"] == expected["tolerance"]
        assert {**old, "expected": 0, "queries": 0} == {**new, "expected": 0, "queries": 0}
