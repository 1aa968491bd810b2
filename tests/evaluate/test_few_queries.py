"""One query at a time has the values of a batch, and the report of the long way, bit for bit."""

import copy
import importlib
import pickle
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from inspect import signature
from random import Random
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import Evaluator, Hits, InputError, OptionError, UnknownMetric, evaluate, metric
from groupwise.evaluator.evaluation import few_queries, plan, single
from groupwise.evaluator.evaluation.single import match_query, metric_function
from groupwise.schemas import Counts, Report
from tests.metrics.every import METRICS

NAMES = [name for name, metric in METRICS.items() if not metric.needs]
SCORES = [name for name in NAMES if METRICS[name].kind != "rank"]
"""What the short way computes; ranks take the long one."""
CUTOFFS = (None, 1, 3, 1000)
WITH_RANKS = 100
"""How many single queries are ranked as well."""
IDS = st.sampled_from("abcdefxyz")
TRUTHS = st.lists(st.lists(IDS, min_size=1, max_size=3), min_size=1, max_size=4)
QUERIES = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", "é"]), st.tuples(TRUTHS, st.lists(IDS, max_size=8))
)
POLICIES = st.fixed_dictionaries(
    {},
    optional={
        "missing": st.sampled_from(["zero", "skip"]),
        "empty_results": st.sampled_from(["zero", "skip"]),
        "ids": st.just("text"),
        "ties": st.sampled_from(["score", "input", "report"]),
        "flat": st.sampled_from(["any", "all"]),
        "per_query": st.booleans(),
        "k": st.sampled_from([1, 2, [1, 3], (2,), range(1, 3)]),
        "profile": st.sampled_from(["autorag", "trec", "coverage"]),
        "metrics": st.lists(st.sampled_from(NAMES), min_size=1, max_size=6),
    },
)


def list_queries(count: int, kind: type[str] | type[int]) -> Iterator[tuple[Any, Any]]:
    """Queries with shared alternatives, repeated results, none that is met, and all."""
    draw = Random(f"few {kind}")  # noqa: S311  (nothing is secret)
    pool = [str(number) if kind is str else number for number in range(24)]
    for _ in range(count):
        sizes = [draw.randint(1, 3) for _ in range(draw.randint(1, 4))]
        groups = [draw.choices(pool[:12], k=size) for size in sizes]
        yield groups, draw.choices(pool, k=draw.randint(1, 20))


@contextmanager
def without_the_long_way() -> Iterator[None]:
    """Fail where an evaluation, or a function of one query, takes the way of many queries."""
    module = importlib.import_module("groupwise.evaluator.evaluation.evaluate")
    with (
        mock.patch.object(module, "OnePass", side_effect=AssertionError("the long way")),
        mock.patch.object(Evaluator, "_add_run", side_effect=AssertionError("the long way")),
        mock.patch.object(single, "read_row", side_effect=AssertionError("the long way")),
    ):
        yield


@pytest.mark.parametrize("k", CUTOFFS)
@pytest.mark.parametrize("kind", [str, int])
def test_every_metric_has_the_value_of_a_batch(kind: Any, k: int | None) -> None:
    queries = {f"q{n}": query for n, query in enumerate(list_queries(few_queries.FEW + 1, kind))}
    truths = {name: truth for name, (truth, _) in queries.items()}
    results = {name: ranking for name, (_, ranking) in queries.items()}
    batch = evaluate(truths, results, metrics=NAMES, k=k)
    for number, (name, (truth, ranking)) in enumerate(queries.items()):
        expected = dict(batch.per_query[name])
        with without_the_long_way():
            found = evaluate({name: truth}, {name: ranking}, metrics=SCORES, k=k).per_query[name]
        assert dict(found) == {label: expected[label] for label in found}
        if number < WITH_RANKS:
            alone = evaluate({name: truth}, {name: ranking}, metrics=NAMES, k=k)
            assert dict(alone.per_query[name]) == expected


@pytest.mark.parametrize("name", NAMES)
def test_every_function_has_the_value_of_a_batch(name: str) -> None:
    profile, _, metric = name.partition(":")
    queries = list(list_queries(few_queries.FEW + 1, str))
    truths, rankings = ([query[part] for query in queries] for part in range(2))
    batch = evaluate(truths, rankings, metrics=name, k=3).per_query
    values = [value for _, value in sorted(batch.column(f"{name}@3"), key=lambda row: int(row[0]))]
    function = metric_function(metric)
    with without_the_long_way():
        assert [function(*query, k=3, profile=profile) for query in queries] == values


@pytest.mark.parametrize(
    "options",
    [
        {}, {"k": [1, 3]}, {"profile": "trec"}, {"profile": "coverage", "per_query": False},
        {"missing": "skip", "empty_results": "skip"}, {"ids": "text", "ties": "input"},
        {"metrics": ["recall@2", "trec:map", "ndcg"]}, {"metrics": SCORES},
    ],
    ids=str,
)  # fmt: skip
def test_plain_queries_take_the_short_way(options: dict[str, Any]) -> None:
    truths: dict[str, Any] = {"q1": [["a", "b"], ["c"]], "q2": [["d"]], "é": [["a"]]}
    results: dict[str, Any] = {"q1": ["x", "b", "a"], "q2": ["y"], "é": ["a"]}
    long = evaluate(truths, {query: tuple(ids) for query, ids in results.items()}, **options)
    evaluator = Evaluator(truths, **options)
    with without_the_long_way():
        assert evaluate(truths, results, **options).to_json() == long.to_json()
        assert evaluator.evaluate(results).to_json() == long.to_json()


@given(queries=QUERIES, options=POLICIES)
def test_the_report_is_that_of_the_long_way(queries: Any, options: dict[str, Any]) -> None:
    truths = {query: truth for query, (truth, _) in queries.items()}
    results = {query: ranking for query, (_, ranking) in queries.items()}
    tuples = {query: tuple(ranking) for query, ranking in results.items()}
    long = describe(truths, tuples, options)
    assert describe(truths, results, options) == long
    assert describe(truths, results, options) == long  # what is known by now changes nothing
    assert describe_again(truths, results, options) == long


def describe(truths: Any, results: Any, options: dict[str, Any]) -> str:
    """Return the report as JSON, or the error's text."""
    try:
        return evaluate(truths, results, **options).to_json()
    except InputError as error:
        return str(error)


def describe_again(truths: Any, results: Any, options: dict[str, Any]) -> str:
    """Return the second report of an evaluator as JSON, or the error's text."""
    try:
        evaluator = Evaluator(truths, **options)
        evaluator.evaluate(results)
        return evaluator.evaluate(results).to_json()
    except InputError as error:
        return str(error)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"k": True}, OptionError),
        ({"k": [1, True]}, OptionError),
        ({"k": 0}, OptionError),
        ({"profile": "other"}, OptionError),
        ({"missing": "never"}, InputError),
        ({"metrics": "recal"}, UnknownMetric),
        ({"metrics": []}, UnknownMetric),
        ({"metrics": [["recall"]]}, UnknownMetric),
    ],
)
def test_what_is_not_accepted_is_refused_after_what_equals_it(
    options: dict[str, Any], error: type[Exception]
) -> None:
    evaluate({"q": [["a"]]}, {"q": ["a"]}, k=1)
    evaluate({"q": [["a"]]}, {"q": ["a"]}, k=[1, 1])
    with pytest.raises(error):
        evaluate({"q": [["a"]]}, {"q": ["a"]}, **options)


def test_names_may_come_from_a_generator() -> None:
    names = (name for name in ["recall", "mrr"])
    cutoffs = (k for k in (1, 2))
    found = evaluate({"q": [["a"]]}, {"q": ["x", "a"]}, metrics=names, k=cutoffs)  # type: ignore[arg-type]
    assert found.scores == {"recall@1": 0, "recall@2": 1, "mrr@1": 0, "mrr@2": 0.5}


def test_the_report_explains_the_data_that_it_is_of() -> None:
    report = evaluate({"q": [["a"], ["b"]]}, {"q": ["x", "a"]}, metrics=["recall@1"])
    query = report.explain().queries["q"]
    assert [group.rank for group in query.groups] == [2, None]


def test_reports_share_nothing_that_can_be_changed() -> None:
    first = evaluate({"q": [["a"]]}, {"q": ["a"]}, metrics="recall")
    assert first.provenance is not None
    fields: list[Any] = [first.scores, first.intervals, first.ranks, first.slices, first.failures]
    for field in fields:
        field["changed"] = 1
    first.provenance.matching["changed"] = 1
    second = evaluate({"q": [["a"]]}, {"q": ["a"]}, metrics="recall")
    assert "changed" not in second.to_json()


def test_an_assembled_model_is_like_any_other() -> None:
    report = evaluate({"q": [["a"]]}, {"q": ["x", "a"]}, metrics=["recall", "mrr"])
    assert list(vars(report)) == list(Report.model_fields)
    assert Report.model_validate_json(report.to_json()) == report
    again = pickle.loads(pickle.dumps(report))  # noqa: S301  (our own)
    assert again == copy.deepcopy(report) == report
    assert report.model_copy(update={"profile": "trec"}).profile == "trec"
    counts = {name: number for number, name in enumerate(Counts.model_fields)}
    assert Counts.assemble(dict(counts)) == Counts(**counts)
    assert repr(Counts.assemble(dict(counts))) == repr(Counts(**counts))


@pytest.mark.usefixtures("nothing_added")
def test_an_evaluator_computes_a_metric_that_is_declared_again() -> None:
    def declare(factor: int) -> None:
        @metric
        def times_met(hits: Hits) -> Any:
            """How many groups are met, times a factor."""
            return factor * hits.per_query(hits.met_query)

    declare(1)
    evaluator = Evaluator({"q": [["a"], ["b"]]}, metrics="times_met")
    before = evaluator.evaluate({"q": ["a", "b"]}).scores["times_met"]
    declare(3)
    assert (before, evaluator.evaluate({"q": ["a", "b"]}).scores["times_met"]) == (2, 6)


def test_what_calls_ask_for_is_kept_within_a_limit() -> None:
    for k in range(1, 200):
        evaluate({"q": [["a"]]}, {"q": ["a"]}, metrics="recall", k=k)
    assert plan._find_setup.cache_info().currsize <= 64


def test_sums_of_no_rows_are_not_whole_numbers() -> None:
    hits = match_query([["a"]], ["x"])
    nothing = hits.rank[:0]
    assert hits.per_query(nothing).dtype == hits.per_query(nothing, hits.grade[:0]).dtype == float


PLAIN = {
    "metrics", "profile", "k", "missing", "extra", "empty_results", "unanswerable", "flat", "ids",
    "ties", "per_query",
}  # fmt: skip
"""What the short way knows."""
PARTS_OF_OTHERS = {"allow_other_data", "workers", "timeout"}
"""Options of a baseline and of a retriever: alone, they change nothing."""


@pytest.mark.parametrize(
    "name", sorted({*list(signature(evaluate).parameters)[2:]} - PLAIN - PARTS_OF_OTHERS)
)
def test_the_short_way_is_left_for_every_argument_that_it_does_not_know(name: str) -> None:
    """A new argument must be added to those that are compared, or it would be ignored here."""
    module = importlib.import_module("groupwise.evaluator.evaluation.evaluate")
    other: dict[str, Any] = {name: object()}
    with mock.patch.object(module, "_evaluate_few") as few, suppress(Exception):
        evaluate({"q": [["a"]]}, {"q": ["a"]}, **other)
    assert not few.called


def test_the_short_way_is_taken_without_other_arguments() -> None:
    module = importlib.import_module("groupwise.evaluator.evaluation.evaluate")
    with mock.patch.object(module, "_evaluate_few", wraps=module._evaluate_few) as few:
        with without_the_long_way():
            evaluate({"q": [["a"]]}, {"q": ["a"]})
        with pytest.raises(AssertionError, match="the long way"), without_the_long_way():
            evaluate({"q": [["a"]]}, {"q": ("a",)})
    assert few.call_count == 2
