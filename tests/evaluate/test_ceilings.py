"""Ceilings: no ranking of k results scores more, and one scores as much."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groupwise import Hits, OptionError, QueryMatcher, add_matcher, evaluate, metric
from groupwise.evaluator.evaluation.ideal_rankings import STRATEGIES
from groupwise.evaluator.evaluation.reach import find_ceilings
from groupwise.evaluator.evaluation.shapes import find_shape
from groupwise.evaluator.metrics.names import measures
from groupwise.evaluator.metrics.registry import every_metric
from groupwise.schemas import GroundTruth
from tests.strategies import FEWER

SCORES = sorted(
    {f"{profile}:{known.name}" for profile, known in every_metric()
     if known.kind == "score" and not known.needs and "tests" not in known.function.__module__}
)  # fmt: skip
MORE = [
    "trec:precision(rel=2)", "trec:f1(rel=2)", "trec:ndcg(gain=exponential)", "trec:rbp(p=0.3)",
    "trec:err(highest=2)", "coverage:alpha_dcg(alpha=0)", "coverage:err_ia(alpha=1)",
    "coverage:nrbp(alpha=0.2,beta=0.9)", "coverage:alpha_ndcg(alpha=0.9)",
    "recall(label=vital)", "coverage:f1(label=vital)", "trec:map(label=vital)",
    "coverage:err_ia(label=vital)", "autorag:map(label=vital)",
]  # fmt: skip


SOME = settings(max_examples=FEWER.max_examples // 2)


def all_rankings(documents: list[str], length: int) -> Iterator[list[str]]:
    """All rankings of so many results: documents, each once, and results that meet nothing."""
    if not length:
        yield []
        return
    for first in [*documents, f"x{length}"]:
        rest = [document for document in documents if document != first]
        for others in all_rankings(rest, length - 1):
            yield [first, *others]


def naive_ceilings(
    truth: list[Any], unwanted: list[str], names: list[str], k: int | None, documents: list[str]
) -> dict[str, float | None]:
    """The best scores over all rankings of k results; of any length where k is None."""
    lengths = range(1, len(documents) + 1) if k is None else [k]
    rankings = [r for length in lengths for r in all_rankings([*documents, *unwanted], length)]
    record = {"ground_truth": truth, "not_relevant": unwanted}
    report = evaluate(
        {str(number): record for number in range(len(rankings))},
        {str(number): ranking for number, ranking in enumerate(rankings)},
        metrics=names, k=k,
    )  # fmt: skip
    found: dict[str, float | None] = {}
    for name in report.scores:
        values = [value for _, value in report.per_query.column(name) if value is not None]
        found[name] = max(values, default=None)
    return found


def some_truth(source: random.Random, documents: str, *, shared: bool) -> list[Any]:
    """Groups with weights, grades and labels, or without."""
    plain = source.random() < 0.5
    pool = list(documents)
    groups: list[Any] = []
    for _ in range(source.randrange(1, 4)):
        size = min(source.randrange(1, 4), len(pool))
        chosen = source.sample(pool, size)
        pool = pool if shared else [one for one in pool if one not in chosen]
        if chosen and plain:
            groups.append(chosen)
        elif chosen:
            graded = [{"id": one, "grade": source.choice([1, 2, 3, 0.5])} for one in chosen]
            groups.append({"alternatives": graded, "weight": source.choice([1, 2, 0.5, 3]),
                           "label": source.choice(["vital", None])})  # fmt: skip
    return groups


def ceilings_of(
    truth: list[Any], unwanted: list[str], names: list[str], k: int | None
) -> dict[str, float]:
    shape = find_shape(GroundTruth.model_validate(truth).truth(), unwanted)
    return find_ceilings({shape: 1}, measures(names, "autorag", () if k is None else (k,)))


@SOME
@given(
    source=st.randoms(use_true_random=False),
    k=st.sampled_from([1, 2, 3, 4, None]),
    shared=st.booleans(),
    judged=st.integers(0, 1),
)
def test_no_ranking_scores_more_and_one_scores_as_much(
    source: random.Random, k: int | None, shared: bool, judged: int
) -> None:
    documents = "abcd" if k == 4 else "abcde"
    truth = some_truth(source, documents, shared=shared)
    unwanted = ["n1"][:judged] if k != 4 else []
    names = [*SCORES, *MORE]
    listed = sorted({one for one in documents if f"'{one}'" in str(truth)})
    best = naive_ceilings(truth, unwanted, names, k, listed)
    found = ceilings_of(truth, unwanted, names, k)
    for name, value in best.items():
        if value is None:
            assert name not in found, name
        else:
            assert found[name] == pytest.approx(value, abs=1e-12), (name, truth, unwanted)


@SOME
@given(source=st.randoms(use_true_random=False), k=st.integers(1, 5), shared=st.booleans())
def test_bounds_of_many_documents_are_not_exceeded(
    source: random.Random, k: int, shared: bool
) -> None:
    documents = [f"d{number}" for number in range(14)]
    groups: list[list[str]] = []
    pool = documents
    for _ in range(4):
        chosen = source.sample(pool, 3)
        pool = pool if shared else [one for one in pool if one not in chosen]
        groups.append(chosen)
    names = [name for name in SCORES if not name.startswith("trec")]
    found = ceilings_of(groups, [], names, k)
    tried = {str(n): [*source.sample(documents, min(k, 14))] for n in range(20)}
    tried["greedy"] = [group[0] for group in groups][:k]
    full = {n: list(dict.fromkeys([*ranking, "x", "y", "z", "w", "v"]))[:k]
            for n, ranking in tried.items()}  # fmt: skip
    report = evaluate(dict.fromkeys(full, groups), full, metrics=names, k=k)
    for name in report.scores:
        for _, value in report.per_query.column(name):
            assert value is not None
            assert value <= found[name] + 1e-12, name


def test_every_score_of_groupwise_has_a_ceiling_or_needs_vectors() -> None:
    built_in = {(known.profile, known.name) for _, known in every_metric()
                if known.kind == "score" and not known.needs
                and known.function.__module__.startswith("groupwise.")}  # fmt: skip
    assert built_in == STRATEGIES.keys()


@pytest.mark.parametrize(
    ("metric", "k", "expected"),
    [
        ("coverage:precision", 3, 1 / 3),
        ("trec:precision", 3, 1 / 3),
        ("autorag:precision", 3, 1 / 3),
        ("coverage:precision", None, 1.0),
        ("coverage:f1", 3, 0.5),  # 2 · 1/3 · 1 / (1/3 + 1)
        ("coverage:recall", 3, 1.0),
        ("coverage:ndcg", 3, 1.0),
    ],
)
def test_one_gold_chunk_among_three_results(metric: str, k: int | None, expected: float) -> None:
    found = ceilings_of([["a"]], [], [metric], k)
    assert list(found.values()) == [pytest.approx(expected)]


def test_two_groups_in_autorag_cannot_reach_1() -> None:
    # MRR and MAP of a, c: (1 + 1/2) / 2; MAP of c, a, b: (1 + (1/2 + 2/3) / 2) / 2 = 19/24.
    found = ceilings_of([["a", "b"], ["c"]], [], ["mrr", "map", "map@2"], None)
    assert found == {
        "mrr": pytest.approx(0.75), "map": pytest.approx(19 / 24), "map@2": pytest.approx(0.75),
    }  # fmt: skip


def test_a_report_has_the_mean_of_what_is_best_for_each_scored_query() -> None:
    truths: dict[str, Any] = {
        "one": {"ground_truth": [["a"]], "metadata": {"kind": "x"}},
        "two": {"ground_truth": [["a"], ["b"]], "metadata": {"kind": "x"}},
        "three": {"ground_truth": [["a"], ["b"], ["c"]], "metadata": {"kind": "y"}},
        "none": {"answerable": False, "metadata": {"kind": "y"}},
        "absent": {"ground_truth": [["a"], ["b"], ["c"], ["d"]], "metadata": {"kind": "y"}},
    }
    results = {"one": ["a"], "two": [], "three": ["c", "b", "a"]}
    options: dict[str, Any] = {"profile": "coverage", "metrics": ["recall@1"], "by": "kind"}
    report = evaluate(truths, results, **options, ceilings=True)
    assert report.ceilings == {"recall@1": pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 4) / 4)}
    ceilings = {name: found.ceilings for name, found in report.slices["kind"].items()}
    assert ceilings == {
        "x": {"recall@1": pytest.approx(3 / 4)},
        "y": {"recall@1": pytest.approx((1 / 3 + 1 / 4) / 2)},
    }
    skipped = evaluate(truths, results, **options, ceilings=True, missing="skip",
                       empty_results="skip")  # fmt: skip
    assert skipped.ceilings == {"recall@1": pytest.approx((1 + 1 / 3) / 2)}
    zero = evaluate(truths, results, **options, ceilings=True, unanswerable="zero")
    assert zero.ceilings == {"recall@1": pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 4) / 5)}
    assert "ceilings" not in evaluate(truths, results, **options).to_dict()


def test_gates_have_the_ceilings_of_their_metrics() -> None:
    report = evaluate({"q": [["a"]]}, {"q": ["a", "x", "y"]}, profile="coverage", metrics="recall",
                      gates=["precision@3 >= 0.8"])  # fmt: skip
    assert report.ceilings == {"precision@3": pytest.approx(1 / 3)}


def test_budgets_have_the_ceiling_of_rankings_of_any_length() -> None:
    results = {"q": [{"id": "x", "tokens": 10}, {"id": "a", "tokens": 10}]}
    report = evaluate({"q": [["a"]]}, results, metrics=["precision@15t", "trec:precision@15t"],
                      ceilings=True)  # fmt: skip
    assert report.ceilings == {"precision@15t": 1.0, "trec:precision@15t": 1.0}


@pytest.mark.usefixtures("nothing_added")
def test_ranks_metrics_over_vectors_and_those_of_users_have_none() -> None:
    @metric
    def twice_the_groups(hits: Hits) -> Any:
        """Two for each group that is met."""
        return 2 * hits.per_query(hits.met_query)

    names = ["first_hit", "ild", "twice_the_groups", "recall"]
    report = evaluate({"q": [["a"]]}, {"q": ["a"]}, metrics=names, ceilings=True)
    assert report.ceilings == {"recall": 1.0}


@pytest.mark.usefixtures("nothing_added")
def test_other_matchers_are_refused_and_gates_do_without() -> None:
    class Anything(QueryMatcher):
        def match(self, groups: Any, results: Any) -> Any:
            """Meet the first group with the first result."""
            return [(1, 0, 0)] if groups and results else []

    add_matcher("anything", Anything)
    options: dict[str, Any] = {"matching": "anything", "metrics": "recall"}
    with pytest.raises(OptionError, match="ceilings: with the matcher 'anything'"):
        evaluate({"q": [["a"]]}, {"q": ["b"]}, ceilings=True, **options)
    report = evaluate({"q": [["a"]]}, {"q": ["b"]}, gates=["recall > 0"], **options)
    assert report.scores == {"recall": 1.0}
    assert not report.ceilings


@SOME
@given(source=st.randoms(use_true_random=False), count=st.integers(1, 5))
def test_no_run_of_full_length_scores_above_the_ceiling(source: random.Random, count: int) -> None:
    truths = {str(n): some_truth(source, "abcdef", shared=n % 2 == 0) for n in range(count)}
    results = {str(n): source.sample("abcdefxyz", 5) for n in range(count)}
    for profile in ("autorag", "trec", "coverage"):
        names = [name for name in SCORES if name.startswith(profile)]
        report = evaluate(truths, results, metrics=names, k=[1, 3, 5], ceilings=True)
        for name, ceiling in report.ceilings.items():
            score = report.scores[name]
            assert score is not None
            assert score <= ceiling + 1e-12, name
