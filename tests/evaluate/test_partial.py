"""Partials of any cut of the queries, merged in any order, report the bytes of one piece."""

import pickle
import random
import subprocess
import sys
from functools import reduce
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, evaluate
from groupwise.evaluator.evaluation.partial import Partial
from groupwise.evaluator.evaluation.plan import Plan
from groupwise.evaluator.evaluation.sources import add_pair
from groupwise.evaluator.intake.objects import as_records
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.intake.vectors import load_vectors
from tests.comparing import without_inputs
from tests.paths import ROOT
from tests.strategies import CASES, FEWER, Case

METRICS = [
    "precision", "recall@2", "ndcg", "map", "first_hit", "completion_rank@4", "complete",
    "trec:map", "trec:ndcg@3", "trec:bpref", "coverage:ndcg", "coverage:alpha_ndcg@5",
    "recall(label=vital)", "coverage:ndcg(label=other)@3", "recall@40t",
    "trec:precision@90t", "ild",
]  # fmt: skip
VECTORS = {letter: [1.0, float(place)] for place, letter in enumerate("abcdefghwxy")}
Queries = dict[str, Any]


def with_labels(truth: list[Any], labels: list[str | None]) -> list[Any]:
    return [{**group, "label": label} for group, label in zip(truth, labels, strict=False)]


def queries(cases: list[Case], source: random.Random) -> tuple[Queries, Queries]:
    """Ground truths and results with all they can hold; some are missing, extra or empty."""
    truths: Queries = {"q none": []}
    results: Queries = {"q none": [{"id": "a", "tokens": 1}], "q extra": []}
    for number, case in enumerate(cases):
        labels = [source.choice(["vital", "other", None]) for _ in case.groups]
        ranked = [
            {"id": one, "score": source.choice([0.1, 0.5, 0.9]), "tokens": source.randrange(50)}
            for one in case.ranking
        ]
        if number % 7 != 5:
            groups = with_labels(case.truth, labels)
            kind = source.choice(["x", 2, ["x", "y"], None])
            truths[f"q{number}"] = {"ground_truth": groups, "metadata": {"kind": kind}}
        if number % 5 != 3:
            results[f"q{number}"] = ranked
    return truths, results


def part(plan: Plan, ids: set[str], truths: Queries, results: Queries) -> Partial:
    """A partial of some of the queries."""
    partial = plan.start()
    chosen = [{one: side[one] for one in side if one in ids} for side in (truths, results)]
    sides = zip(chosen, ("ground_truth", "results"), strict=True)
    add_pair(partial, *(as_records(side, name) for side, name in sides))
    return partial


def cut(truths: Queries, results: Queries, parts: int, source: random.Random) -> list[set[str]]:
    """The query ids in some parts, of which any may be empty."""
    cuts: list[set[str]] = [set() for _ in range(parts)]
    for query_id in dict.fromkeys([*truths, *results]):
        source.choice(cuts).add(query_id)
    return cuts


def merge_somehow(partials: list[Partial], source: random.Random) -> Partial:
    """Merge two at a time, in a random tree."""
    partials = list(partials)
    while len(partials) > 1:
        source.shuffle(partials)
        partials.append(partials.pop().merge(partials.pop()))
    return partials[0]


def through_pickle(partial: Partial) -> Partial:
    loaded: Partial = pickle.loads(pickle.dumps(partial))  # noqa: S301  (written here)
    return loaded


POLICIES = st.fixed_dictionaries(
    {
        "missing": st.sampled_from(["zero", "skip"]),
        "empty_results": st.sampled_from(["zero", "skip"]),
        "ties": st.sampled_from(["score", "input", "report"]),
    }
)


@FEWER
@given(
    cases=st.lists(CASES, min_size=1, max_size=10),
    source=st.randoms(use_true_random=False),
    parts=st.integers(1, 5),
    policies=POLICIES,
    per_query=st.booleans(),
    extras=st.sampled_from(
        [
            {},
            {"curve": 3},
            {"by": ("groups",)},
            {"by": ("kind", "groups")},
            {"by": ("groups",), "confidence": 0.95},
        ]
    ),
    profile=st.sampled_from(["autorag", "trec", "coverage"]),
    metrics=st.lists(st.sampled_from(METRICS), min_size=1, max_size=6, unique=True),
)
def test_any_cut_merged_in_any_order_gives_the_same_bytes(
    cases: list[Case],
    source: random.Random,
    parts: int,
    policies: dict[str, Any],
    per_query: bool,
    extras: dict[str, Any],
    profile: str,
    metrics: list[str],
) -> None:
    truths, results = queries(cases, source)
    options: Any = {"per_query": per_query, "vectors": load_vectors(VECTORS), **extras}
    whole = evaluate(truths, results, metrics=metrics, profile=profile, **policies, **options)
    plan = Plan(tuple(metrics), profile, policies=policies, **options)
    pieces = [part(plan, ids, truths, results) for ids in cut(truths, results, parts, source)]
    merged = merge_somehow([through_pickle(piece) for piece in pieces], source)
    assert without_inputs(merged.report()) == without_inputs(whole)


SCRIPT = """
import pickle, random, sys
from groupwise.evaluator.evaluation.plan import Plan
from tests.evaluate.test_partial import PLANNED, TRUTHS, RESULTS, part
plan = Plan(*PLANNED)
ids = sorted(TRUTHS | RESULTS)
parts = [part(plan, set(ids[number::3]), TRUTHS, RESULTS) for number in range(3)]
sys.stdout.buffer.write(pickle.dumps(parts[int(sys.argv[1])]))
"""
TRUTHS: Queries = {f"q{n}": [{"a", "b", f"d{n}"}, {"c"}] for n in range(40)}
RESULTS: Queries = {f"q{n}": ["x", f"d{n}", "c"][: n % 4] for n in range(44)}
PLANNED: Any = (
    ("recall", "trec:ndcg@2", "coverage:ndcg", "first_hit"), "autorag", (), {"ties": "report"},
)  # fmt: skip


def test_partials_of_processes_with_other_hash_seeds_merge() -> None:
    pieces = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT, str(number)],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            cwd=ROOT, capture_output=True, check=True,
        ).stdout
        for number, seed in enumerate(["0", "1", "12345"])
    ]  # fmt: skip
    whole = evaluate(TRUTHS, RESULTS, metrics=PLANNED[0], ties="report")
    for order in ([0, 1, 2], [2, 0, 1]):
        partials = [pickle.loads(pieces[number]) for number in order]  # noqa: S301
        merged = reduce(Partial.merge, partials).report()
        assert without_inputs(merged) == without_inputs(whole)


def test_where_no_result_is_relevant_the_example_is_that_of_one_piece() -> None:
    truths = {f"q{number}": [[f"doc-{number}"]] for number in range(6)}
    results = {f"q{number}": [f"uuid-{number}"] for number in range(6)}
    (warning,) = evaluate(truths, results).warnings
    plan = Plan()
    pieces = [part(plan, ids, truths, results) for ids in ({"q4", "q2"}, {"q0", "q5"}, {"q1"})]
    merged = reduce(Partial.merge, pieces).merge(part(plan, {"q3"}, truths, results))
    assert merged.report().warnings == (warning,)


def test_greedy_and_repeating_queries_are_added() -> None:
    shared = [[f"d{n}", f"d{n + 1}", f"d{n + 2}"] for n in range(20)]
    truths = {"q1": shared, "q2": shared, "q3": [["a"]]}
    results = {"q1": ["d1", "d1"], "q2": ["d2"], "q3": ["a", "a"]}
    whole = evaluate(truths, results, metrics=["coverage:ndcg"])
    assert [warning.rpartition(" ")[2] for warning in whole.warnings[:1]] == ["2"]
    assert "2 queries repeat a relevant result" in whole.warnings
    plan = Plan("coverage:ndcg")
    pieces = [part(plan, {query}, truths, results) for query in truths]
    merged = reduce(Partial.merge, pieces).report()
    assert without_inputs(merged) == without_inputs(whole)


def test_problems_of_all_parts_are_raised_together() -> None:
    truths: Queries = {"q1": [["a"]], "q2": [], "q3": [["b"]], "q4": [["c"]]}
    results: Queries = {"q1": ["a"], "q3": [""], "q5": ["x"]}
    asked = {"missing": "error", "extra": "error", "unanswerable": "error"}
    plan = Plan(policies=asked)
    pieces = [part(plan, {query}, truths, results) for query in ["q3", "q5", "q1", "q2", "q4"]]
    with pytest.raises(InputError) as whole:
        part(plan, {*truths, *results}, truths, results).report()
    with pytest.raises(InputError) as merged:
        reduce(Partial.merge, pieces).report()
    assert merged.value.count == whole.value.count == 5
    assert set(merged.value.problems) == set(whole.value.problems)


def test_ids_of_two_kinds_in_different_parts_are_refused() -> None:
    plan = Plan()
    truths, results = {"q1": [["a"]], "q2": [[1]]}, {"q1": ["a"], "q2": [1]}
    pieces = [through_pickle(part(plan, {query}, truths, results)) for query in truths]
    with pytest.raises(InputError, match="ids of both kinds") as error:
        reduce(Partial.merge, pieces).report()
    assert error.value.count == 1


def test_a_query_in_two_parts_is_refused() -> None:
    plan = Plan()
    pieces = [part(plan, {"q1"}, {"q1": [["a"]]}, {"q1": ["a"]}) for _ in range(2)]
    with pytest.raises(InputError, match="query 'q1': the query id is repeated"):
        reduce(Partial.merge, pieces).report()


def test_partials_of_different_evaluations_do_not_merge() -> None:
    recall, other = (Plan(names).start() for names in ("recall", "mrr"))
    with pytest.raises(ValueError, match="set up differently"):
        recall.merge(other)


def test_a_pickled_partial_takes_no_more_queries() -> None:
    plan = Plan("recall")
    pickled = through_pickle(part(plan, {"q1"}, TRUTHS, RESULTS))
    with pytest.raises(TypeError, match="takes no more queries"):
        add_pair(pickled, as_records({"q2": [["a"]]}, "t"), as_records({"q2": ["a"]}, "r"))


def test_a_report_can_be_asked_for_again() -> None:
    partial = part(Plan(), {"q1", "q2"}, TRUTHS, RESULTS)
    first = partial.report().to_json()
    partial.merge(part(Plan(), {"q3"}, TRUTHS, RESULTS))
    whole = part(Plan(), {"q1", "q2", "q3"}, TRUTHS, RESULTS)
    assert partial.report().to_json() == whole.report().to_json() != first


@pytest.mark.parametrize(("result", "example"), [("a", None), ("x", ("q", "a", "x"))])
def test_an_example_of_other_ids_is_looked_for_only_while_none_is_relevant(
    result: str, example: tuple[str, str, str] | None
) -> None:
    partial = Plan("recall").start()
    partial.add(Rows(["q"], [[["a"]]], [[result]]))
    assert partial.observations.example == example
