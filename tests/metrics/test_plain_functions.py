"""Every metric as a plain function: the value that ``evaluate`` has for the query."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import groupwise.metrics
from groupwise import InputError, OptionError, UnknownMetric, evaluate
from groupwise.evaluator.metrics.registry import Metric, every_metric
from groupwise.evaluator.plugins.parameters import Parameter
from tests.strategies import FEWEST, TRUTHS, written

EVERY = list(every_metric())
VECTORS = {one: [ord(one) % 5 - 2.0, ord(one) % 3 + 1.0, ord(one) % 7] for one in "abcdefghwxyz"}


@st.composite
def truths(draw: st.DrawFn) -> Any:
    """Groups with weights, grades and labels, and documents judged not relevant."""
    groups = [
        {**written(group), "label": draw(st.sampled_from(["vital", "okay", None]))}
        for group in draw(TRUTHS)
    ]
    return {"ground_truth": groups, "not_relevant": draw(st.lists(st.sampled_from("wx")))}


@st.composite
def rankings(draw: st.DrawFn) -> Any:
    """Results with tokens and scores; equal scores and repeats occur."""
    ids = draw(st.lists(st.sampled_from("abcdefghwxyz"), max_size=8))
    scores = st.sampled_from([0.5, 1.0, 2.0])
    return [{"id": one, "tokens": draw(st.integers(1, 9)), "score": draw(scores)} for one in ids]


def values_of(parameter: Parameter) -> st.SearchStrategy[Any]:
    """Values that a parameter accepts."""
    if parameter.choices:
        return st.sampled_from(parameter.choices)
    assert parameter.bounds is not None
    return st.integers(int(parameter.bounds.low), min(int(parameter.bounds.high), 5)) | st.just(
        parameter.default
    )


@st.composite
def spelled(draw: st.DrawFn, metric: Metric) -> tuple[str, dict[str, Any]]:
    """The parameters of a metric, with its cutoff: as part of a name, and as keywords."""
    known = {name: draw(values_of(one)) for name, one in metric.parameters.items()}
    given = {name: value for name, value in known.items() if draw(st.booleans())}
    label = draw(st.sampled_from([None, "Vital", "okay"]))
    k = draw(st.none() | st.integers(1, 9) | st.just("12t"))
    parts = [f"{name}={value}" for name, value in given.items()]
    parts += [f"label={label}"] if label else []
    name = f"({', '.join(parts)})" if parts else ""
    return f"{name}@{k}" if k else name, {**given, "label": label, "k": k}


@pytest.mark.parametrize(("profile", "metric"), EVERY, ids=[f"{p}:{m.name}" for p, m in EVERY])
@FEWEST
@given(data=st.data())
def test_the_function_equals_evaluate_of_one_query(
    profile: str, metric: Metric, data: st.DataObject
) -> None:
    truth, ranking = data.draw(truths()), data.draw(rankings())
    text, keywords = data.draw(spelled(metric))
    shared: dict[str, Any] = {
        "ties": data.draw(st.sampled_from(["score", "input"])),
        "empty_results": data.draw(st.sampled_from(["zero", "skip"])),
        "vectors": VECTORS,
        "profile": profile,
    }
    report = evaluate({"query": truth}, {"query": ranking}, metrics=metric.name + text, **shared)
    (expected,) = report.per_query["query"].values()
    function = getattr(groupwise.metrics, metric.name)
    assert function(truth, ranking, **shared, **keywords) == expected


IDS = st.sampled_from("abcdefghwxyz")
PLAIN_TRUTHS = st.lists(st.lists(IDS, min_size=1, max_size=3), min_size=1, max_size=3)
WITHOUT_VECTORS = [(profile, metric) for profile, metric in EVERY if not metric.needs]


@pytest.mark.parametrize(
    ("profile", "metric"), WITHOUT_VECTORS, ids=[f"{p}:{m.name}" for p, m in WITHOUT_VECTORS]
)
@FEWEST
@given(truth=PLAIN_TRUTHS, ranking=st.lists(IDS, max_size=8), k=st.none() | st.integers(1, 9))
def test_lists_of_ids_score_as_in_evaluate(
    profile: str, metric: Metric, truth: Any, ranking: Any, k: int | None
) -> None:
    name = metric.name if k is None else f"{metric.name}@{k}"
    report = evaluate({"query": truth}, {"query": ranking}, metrics=name, profile=profile)
    (expected,) = report.per_query["query"].values()
    function = getattr(groupwise.metrics, metric.name)
    assert function(truth, ranking, k=k, profile=profile) == expected


@given(truth=PLAIN_TRUTHS, ranking=st.lists(IDS, max_size=8))
def test_a_hit_is_a_result_that_any_group_lists(truth: Any, ranking: list[str]) -> None:
    expected = [int(any(result in group for group in truth)) for result in ranking]
    assert groupwise.hit_vector(truth, ranking) == expected
    assert groupwise.hit_vector(truth, ranking, ids="text") == expected


SHAPES: list[tuple[Any, Any, dict[str, Any]]] = [
    (["a", "b"], ["b", "x"], {"profile": "trec"}),
    ({"a": 3, "b": 1, "c": 0}, {"a": 0.1, "c": 0.9, "b": 0.5}, {"profile": "trec"}),
    (["a", "b"], ["b", "x"], {"flat": "any"}),
    (["a", "b"], ["b", "x"], {"flat": "all", "profile": "coverage"}),
    ([[1], ["2"]], ["1", 7, 2], {"ids": "text"}),
    ([["a"]], {"results": ["x", "a"], "scores": [0.1, 0.2]}, {"profile": "trec"}),
    ([["a"]], [{"id": "a", "text": "x" * 40}], {"characters_per_token": 4, "k": "9t"}),
    ([["a"], ["b"]], ("b", "a"), {"matching": "exact"}),
    ([], ["a"], {}),
]


@pytest.mark.parametrize(("truth", "results", "options"), SHAPES)
def test_the_function_takes_what_evaluate_takes(
    truth: Any, results: Any, options: dict[str, Any]
) -> None:
    k = options.pop("k", None)
    name = "ndcg" if k is None else f"ndcg@{k}"
    report = evaluate({"query": truth}, {"query": results}, metrics=name, **options)
    assert groupwise.metrics.ndcg(truth, results, k=k, **options) == report.per_query["query"][name]


def test_scores_order_the_results_in_trec() -> None:
    results = {"results": ["a", "b"], "scores": [0.1, 0.9]}
    assert groupwise.metrics.mrr([["b"]], results, profile="trec") == 1.0
    assert groupwise.metrics.mrr([["b"]], results, profile="trec", ties="input") == 0.5
    assert groupwise.metrics.mrr([["b"]], results, profile="autorag") == 0.5


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("rbp", {"p": 7}, "'rbp': p is a number from 0 to 1, not 7"),
        ("rbp", {"p": float("nan")}, "'rbp': p is a number from 0 to 1, not nan"),
        ("rbp", {"q": 0.5}, "'rbp': rbp has no parameter 'q'; it has p, rel, label"),
        ("ndcg", {"gain": "cubic", "profile": "trec"}, "gain is linear or exponential"),
        ("recall", {"label": ""}, "'recall': label is text, not ''"),
        ("recall", {"label": 3}, "'recall': label is text, not 3"),
        ("recall", {"k": 0}, "expected a whole number from 1 on as cutoff, got 0"),
        ("recall", {"k": "2x"}, "or tokens such as 2000t"),
        ("recall", {"profile": "nist"}, "no profile 'nist'"),
    ],
)
def test_what_a_metric_does_not_accept_is_refused(
    name: str, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(OptionError) as error:
        getattr(groupwise.metrics, name)([["a"]], ["a", "b"], **options)
    assert said in str(error.value)


def test_a_metric_that_the_profile_does_not_have_is_unknown() -> None:
    with pytest.raises(UnknownMetric, match="no metric 'bpref' in the profile coverage"):
        groupwise.metrics.bpref([["a"]], ["a"], profile="coverage")  # type: ignore[arg-type]


def test_a_policy_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InputError, match="ties='random': expected 'score', 'input' or 'report'"):
        groupwise.metrics.recall([["a"]], ["a"], ties="random")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no groups"):
        groupwise.metrics.recall([], ["a"], unanswerable="error")
    with pytest.raises(InputError, match="needs the tokens of every result"):
        groupwise.metrics.recall([["a"]], ["a"], k="10t")
