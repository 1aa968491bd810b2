"""Comparisons beside a naive reading of their definitions: plain loops, no code in common."""

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from groupwise import (
    Comparison,
    InputError,
    OptionError,
    UnknownMetric,
    compare,
    evaluate,
    read_baseline,
)
from groupwise import metric as declare
from groupwise.evaluator.hits import FloatArray, Hits
from groupwise.schemas.comparison import Pair

QUERIES = [f"q{number}" for number in range(10)]
Z = 1.959963984540054 + 0.8416212335729143
"""Normal quantiles of 0.975 and of 0.8."""


def build_data(
    seed: int, runs: int = 3, queries: int = 10
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Ground truth of one or two groups, and runs that find some of them."""
    chance = random.Random(seed)  # noqa: S311
    truth = {f"q{n}": [[f"a{n}"], [f"b{n}", f"c{n}"]][: 1 + n % 2] for n in range(queries)}
    found = {}
    for run in range(runs):
        found[f"run{run}"] = {
            query: [
                *(["x"] * chance.randrange(2)),
                *(group[0] for group in groups if chance.random() < 0.3 + 0.2 * run),
                "y",
            ]
            for query, groups in truth.items()
        }
    return truth, {
        name: {q: list(dict.fromkeys(r)) for q, r in run.items()} for name, run in found.items()
    }


def values_of(truth: Any, run: Any, metric: str) -> list[float]:
    """The values of a run, query by query, from single evaluations."""
    per_query = evaluate(truth, run, metrics=metric).per_query
    return [per_query[query][metric] for query in sorted(truth)]  # type: ignore[misc]


def naive_p(differences: Sequence[float]) -> float:
    """The share of all assignments of signs whose sum is as far from 0."""
    observed = abs(sum(differences))
    sums = [
        abs(sum(sign * value for sign, value in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    return sum(total >= observed - 1e-12 for total in sums) / len(sums)


def naive_holm(p_values: Sequence[float]) -> list[float]:
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    corrected, least = [0.0] * len(p_values), 0.0
    for number, place in enumerate(order):
        least = max(least, min(1.0, (len(p_values) - number) * p_values[place]))
        corrected[place] = least
    return corrected


def pairs_of(comparison: Comparison, metric: str) -> list[Pair]:
    return [pair for pair in comparison.pairs if pair.metric == metric]


@pytest.mark.parametrize("seed", range(5))
def test_the_numbers_of_a_pair(seed: int) -> None:
    truth, runs = build_data(seed)
    found = compare(truth, runs, metrics=["recall", "ndcg"])
    assert (found.test.exact, found.test.permutations) == (True, None)
    for metric in ("recall", "ndcg"):
        values = {name: values_of(truth, run, metric) for name, run in runs.items()}
        p_values = []
        for pair in pairs_of(found, metric):
            first, second = values[pair.a], values[pair.b]
            changes = [b - a for a, b in zip(first, second, strict=True)]
            mean = math.fsum(changes) / len(changes)
            spread = math.sqrt(math.fsum((c - mean) ** 2 for c in changes) / (len(changes) - 1))
            assert pair.difference == pytest.approx(mean, abs=1e-12)
            assert pair.relative == pytest.approx(mean / (math.fsum(first) / len(first)), abs=1e-12)
            assert pair.wins == sum(change > 0 for change in changes)
            assert pair.ties == sum(change == 0 for change in changes)
            assert pair.losses == sum(change < 0 for change in changes)
            assert pair.effect == pytest.approx(mean / spread, abs=1e-9)
            assert pair.detectable == pytest.approx(Z * spread / math.sqrt(10), abs=1e-9)
            assert pair.p == pytest.approx(naive_p(changes), abs=1e-12)
            p_values.append(naive_p(changes))
        corrected = [pair.p_corrected for pair in pairs_of(found, metric)]
        assert corrected == pytest.approx(naive_holm(p_values), abs=1e-12)


def test_means_are_those_of_single_evaluations() -> None:
    truth, runs = build_data(1, queries=37)
    found = compare(truth, runs)
    for name, run in runs.items():
        scores = evaluate(truth, run).scores
        assert {metric: score.mean for metric, score in found.runs[name].items()} == scores
        assert {score.n for score in found.runs[name].values()} == {37}


def test_runs_and_pairs_are_sorted_by_name_whatever_the_order() -> None:
    truth, runs = build_data(2)
    found = [
        compare(truth, dict(order), metrics=["recall", "mrr"]).to_json()
        for order in itertools.permutations(runs.items())
    ]
    assert len(set(found)) == 1
    comparison = compare(truth, runs, metrics=["recall", "mrr"])
    assert list(comparison.runs) == ["run0", "run1", "run2"]
    assert [(pair.metric, pair.a, pair.b) for pair in comparison.pairs] == [
        ("recall", "run0", "run1"), ("recall", "run0", "run2"), ("recall", "run1", "run2"),
        ("mrr", "run0", "run1"), ("mrr", "run0", "run2"), ("mrr", "run1", "run2"),
    ]  # fmt: skip


def test_the_order_of_queries_changes_nothing() -> None:
    truth, runs = build_data(3, queries=40)
    chance = random.Random(0)  # noqa: S311

    def shuffle(data: dict[str, Any]) -> dict[str, Any]:
        items = list(data.items())
        chance.shuffle(items)
        return dict(items)

    shuffled = {name: shuffle(run) for name, run in runs.items()}
    assert compare(shuffle(truth), shuffled).to_json() == compare(truth, runs).to_json()


def test_with_a_baseline_the_others_are_compared_with_it() -> None:
    truth, runs = build_data(4, runs=4)
    found = compare(truth, runs, metrics="recall", baseline="run2")
    assert [(pair.a, pair.b) for pair in found.pairs] == [
        ("run2", "run0"), ("run2", "run1"), ("run2", "run3"),
    ]  # fmt: skip
    assert (found.baseline, found.test.family) == ("run2", "pairs of a metric with the baseline")
    every = {(p.a, p.b): p for p in compare(truth, runs, metrics="recall").pairs}
    p_values = [every[tuple(sorted((pair.a, pair.b)))].p or 0.0 for pair in found.pairs]  # type: ignore[index]
    assert [pair.p_corrected for pair in found.pairs] == pytest.approx(naive_holm(p_values))
    assert found.pairs[0].difference == -(every["run0", "run2"].difference or 0.0)


def test_a_query_that_one_run_lacks_counts_as_zero() -> None:
    truth = {"q1": [["a"]], "q2": [["b"]]}
    found = compare(
        truth, {"all": {"q1": ["a"], "q2": ["b"]}, "one": {"q1": ["a"]}}, metrics="recall"
    )
    assert (found.runs["all"]["recall"].mean, found.runs["one"]["recall"].mean) == (1.0, 0.5)
    assert (found.counts.compared, found.counts.dropped) == (2, 0)
    assert found.run_counts["one"].missing == 1
    assert [text for text in found.warnings if text.startswith("one: ")]


def test_a_query_that_is_not_scored_in_one_run_is_left_out_of_all() -> None:
    truth = {query: [["a"]] for query in QUERIES}
    whole = {query: ["a"] for query in QUERIES}
    runs = {
        "one": {query: ["a"] for query in QUERIES[:8]},
        "two": whole | {"q0": ["x"], "q9": ["x"]},
        "three": whole | {"q1": ["x"]},
    }
    found = compare(truth, runs, metrics="recall", missing="skip")
    assert found.counts.model_dump() == {
        "queries": 10, "compared": 8, "unanswerable": 0, "dropped": 2,
    }  # fmt: skip
    assert [found.runs[name]["recall"].n for name in runs] == [8, 8, 8]
    assert found.runs["two"]["recall"].mean == 7 / 8
    assert found.metrics["recall"].dropped == 2
    same = [query for query in QUERIES if query not in ("q8", "q9")]
    only = compare(
        {query: truth[query] for query in same},
        {name: {query: run[query] for query in same} for name, run in runs.items()},
        metrics="recall",
    )
    assert only.pairs == found.pairs


def test_metrics_are_compared_on_their_own_queries() -> None:
    truth = {
        "q1": [{"alternatives": ["a"], "label": "vital"}], "q2": [["b"]], "q3": [["c"]],
    }  # fmt: skip
    runs = {
        "one": {"q1": ["a"], "q2": ["b"], "q3": ["x"]},
        "two": {"q1": ["x"], "q2": ["b"], "q3": ["c"]},
    }
    found = compare(truth, runs, metrics=["recall", "recall(label=vital)"])
    assert [metric.n for metric in found.metrics.values()] == [3, 1]
    assert [metric.dropped for metric in found.metrics.values()] == [0, 0]
    labelled = found.pairs[1]
    assert (labelled.difference, labelled.wins, labelled.ties, labelled.losses) == (-1.0, 0, 0, 1)
    assert found.runs["one"]["recall(label=vital)"].interval == "none"
    assert labelled.verdict == "not enough queries to tell: you have 1 query"


def test_unanswerable_queries_are_counted_once() -> None:
    truth = {"q1": [["a"]], "q2": [], "q3": [["b"]]}
    run = {"q1": ["a"], "q2": ["x"], "q3": ["x"]}
    found = compare(truth, {"one": run, "two": run}, metrics="recall")
    assert (found.counts.queries, found.counts.compared, found.counts.unanswerable) == (3, 2, 1)
    assert len(found.warnings) == 1
    assert not found.warnings[0].startswith("one")


def test_the_same_run_twice_is_the_same_on_every_query() -> None:
    truth, runs = build_data(5)
    found = compare(truth, {"one": runs["run0"], "two": runs["run0"]}, metrics="recall")
    (pair,) = found.pairs
    assert (pair.difference, pair.p, pair.significant, pair.ties) == (0.0, 1.0, False, 10)
    assert (pair.effect, pair.detectable, pair.low) == (None, None, None)
    assert pair.verdict == "the same on every query"
    assert [found.runs[name]["recall"].best for name in ("one", "two")] == [True, True]
    assert (pair.largest_gains, pair.largest_losses) == ((), ())


def test_the_verdict_never_is_no_difference() -> None:
    truth, runs = build_data(6, runs=2, queries=60)
    found = compare(truth, runs, metrics=["recall", "ndcg", "precision"])
    chance = random.Random(1)  # noqa: S311
    noisy = {q: r if chance.random() < 0.9 else ["x"] for q, r in runs["run1"].items()}
    near = compare(truth, {"one": runs["run1"], "two": noisy}, metrics="recall").pairs[0]
    assert not near.significant
    assert near.detectable is not None
    assert near.verdict == (
        f"not enough queries to tell: you could see {near.detectable:.2g}, "
        f"you have {abs(near.difference or 0.0):.2g}"
    )
    assert all("difference" not in pair.verdict for pair in (*found.pairs, near))


def test_a_significant_pair_says_which_run_is_better() -> None:
    truth = {query: [["a"]] for query in QUERIES}
    found = compare(
        truth,
        {"good": {q: ["a"] for q in QUERIES}, "bad": {q: ["x"] for q in QUERIES}},
        metrics="hit_rate",
    )
    (pair,) = found.pairs
    assert (pair.a, pair.b, pair.difference, pair.losses) == ("bad", "good", 1.0, 0)
    assert pair.p == 2 / 2**10
    assert pair.verdict == "good is better than bad"
    assert found.runs["good"]["hit_rate"].better_than == ("bad",)
    assert found.runs["bad"]["hit_rate"].better_than == ()
    assert found.runs["bad"]["hit_rate"].interval == "wilson"


def test_few_queries_are_said_even_where_a_test_is_sure() -> None:
    truth = {query: [["a"]] for query in QUERIES[:7]}
    runs = {"good": {q: ["a"] for q in truth}, "bad": {q: ["x"] for q in truth}}
    (pair,) = compare(truth, runs, metrics="recall").pairs
    assert (pair.p, pair.significant) == (2 / 2**7, True)
    assert pair.verdict == "good is better than bad, on 7 queries only"


def test_numbers_of_numpy_are_numbers() -> None:
    truth, runs = build_data(18)
    numbers: dict[str, Any] = {
        "seed": np.int64(3),
        "confidence": np.float64(0.9),
        "permutations": np.int32(50),
    }
    found = compare(truth, runs, metrics="recall", **numbers)
    assert (
        found.to_json()
        == compare(truth, runs, metrics="recall", seed=3, confidence=0.9, permutations=50).to_json()
    )


def test_intervals_are_wilson_only_if_all_runs_have_zeros_and_ones() -> None:
    truth = {query: [["a"], ["b"]] for query in QUERIES}
    sharp = {query: ["a", "b"] if number % 2 else ["x"] for number, query in enumerate(QUERIES)}
    blunt = sharp | {"q0": ["a"]}
    kinds = [
        {score["recall"].interval for score in compare(truth, runs, metrics="recall").runs.values()}
        for runs in ({"a": sharp, "b": sharp | {"q0": ["a", "b"]}}, {"a": sharp, "b": blunt})
    ]
    assert kinds == [{"wilson"}, {"bca"}]


def test_the_largest_gains_and_losses() -> None:
    truth = {f"q{n:02}": [["a"]] for n in range(20)}
    first = {query: ["x"] * (number % 4) + ["a"] for number, query in enumerate(truth)}
    second = {query: ["x"] * (number % 3) + ["a"] for number, query in enumerate(truth)}
    named = {
        name: {query: [f"x{place}" if one == "x" else one for place, one in enumerate(results)]
               for query, results in run.items()}
        for name, run in (("one", first), ("two", second))
    }  # fmt: skip
    (pair,) = compare(truth, named, metrics="mrr").pairs
    change = {q: 1 / (1 + n % 3) - 1 / (1 + n % 4) for n, q in enumerate(truth)}
    gains = sorted((query for query in change if change[query] > 0), key=lambda q: (-change[q], q))
    losses = sorted((query for query in change if change[query] < 0), key=lambda q: (change[q], q))
    assert [one.query for one in pair.largest_gains] == gains[:5]
    assert [one.query for one in pair.largest_losses] == losses[:5]
    assert pair.largest_gains[0].difference == pytest.approx(change[gains[0]])
    assert (pair.largest_gains[0].a, pair.largest_gains[0].b) == (0.25, 1.0)


def naive_tau(first: Sequence[float], second: Sequence[float]) -> float:
    """Kendall's tau-b by counting pairs."""
    agree = ties_a = ties_b = total = 0
    for i, j in itertools.combinations(range(len(first)), 2):
        a, b = first[i] - first[j], second[i] - second[j]
        total += 1
        ties_a, ties_b = ties_a + (a == 0), ties_b + (b == 0)
        agree += (a * b > 0) - (a * b < 0)
    return agree / math.sqrt((total - ties_a) * (total - ties_b))


def test_from_four_runs_on_metrics_are_compared_by_their_orders() -> None:
    truth, runs = build_data(8, runs=5, queries=30)
    found = compare(truth, runs, metrics=["recall", "precision", "mrr@1"])
    names = [(one.a, one.b) for one in found.agreement]
    assert names == [("recall", "precision"), ("recall", "mrr@1"), ("precision", "mrr@1")]
    for one in found.agreement:
        means = [[found.runs[run][metric].mean or 0.0 for run in runs] for metric in (one.a, one.b)]
        assert one.tau == pytest.approx(naive_tau(*means))
    three = {name: runs[name] for name in ("run0", "run1", "run2")}
    assert compare(truth, three, metrics=["recall", "mrr"]).agreement == ()


def test_the_share_of_pairs_that_a_metric_tells_apart() -> None:
    truth, runs = build_data(9, runs=4, queries=60)
    found = compare(truth, runs, metrics=["recall", "precision"])
    for name, metric in found.metrics.items():
        significant = sum(pair.significant for pair in pairs_of(found, name))
        assert (metric.pairs, metric.significant) == (6, significant)
        assert metric.share == significant / 6


def test_a_slice_is_the_comparison_of_its_queries() -> None:
    truth, runs = build_data(10, queries=24)
    records = [
        {"id": query, "ground_truth": groups, "metadata": {"type": "ab"[number % 2], "odd": number}}
        for number, (query, groups) in enumerate(truth.items())
    ]
    found = compare(records, runs, metrics=["recall", "ndcg"], by=["type", "groups"])
    assert {field: list(slices) for field, slices in found.slices.items()} == {
        "type": ["a", "b"], "groups": ["1", "2"],
    }  # fmt: skip
    members = {
        ("type", "a"): [q for n, q in enumerate(truth) if n % 2 == 0],
        ("groups", "2"): [q for q, groups in truth.items() if len(groups) == 2],
    }
    for (field, name), queries in members.items():
        part = found.slices[field][name]
        only = compare(
            {query: truth[query] for query in queries},
            {run: {query: runs[run][query] for query in queries} for run in runs},
            metrics=["recall", "ndcg"],
        )
        assert (part.runs, part.pairs, part.metrics) == (only.runs, only.pairs, only.metrics)
        assert part.counts.compared == len(queries)


def test_slices_and_missing_queries_together() -> None:
    records = [
        {"id": query, "ground_truth": [["a"]], "metadata": {"part": "low" if n < 5 else "high"}}
        for n, query in enumerate(QUERIES)
    ]
    runs = {"one": {q: ["a"] for q in QUERIES[3:]}, "two": {q: ["x"] for q in QUERIES}}
    found = compare(records, runs, metrics="recall", by="part", missing="skip", margin=0.1)
    low, high = found.slices["part"]["low"], found.slices["part"]["high"]
    assert (low.counts.queries, low.counts.compared, low.counts.dropped) == (5, 2, 3)
    assert (high.counts.compared, high.counts.dropped) == (5, 0)
    assert low.runs["one"]["recall"].n == low.metrics["recall"].n == 2
    assert low.pairs[0].non_inferior is not None


def test_a_slice_without_compared_queries_has_no_numbers() -> None:
    records = [
        {"id": query, "ground_truth": [["a"]], "metadata": {"part": query}}
        for query in ("q1", "q2")
    ]
    runs = {"one": {"q1": ["a"], "q2": ["a"]}, "two": {"q1": ["a"]}}
    found = compare(records, runs, metrics="recall", by="part", missing="skip")
    empty = found.slices["part"]["q2"]
    assert empty.runs["one"]["recall"].mean is None
    assert (empty.pairs[0].difference, empty.pairs[0].p) == (None, None)
    assert empty.pairs[0].verdict == "no query is scored in both runs"
    for form in ("json", "csv", "markdown", "latex", "table"):
        assert found.render(form)


def test_non_inferiority() -> None:
    truth = {f"q{n}": [["a"]] for n in range(12)}
    full = {query: ["a"] for query in truth}
    runs = {"old": full, "new": full | {"q0": ["x"]}}
    found = compare(truth, runs, metrics="recall", baseline="old", margin=0.5)
    (pair,) = found.pairs
    assert (found.test.margin, pair.non_inferior) == (0.5, True)
    assert pair.verdict.endswith("new is not worse than old by 0.5 or more")
    narrow = compare(truth, runs, metrics="recall", baseline="old", margin=0.001).pairs[0]
    assert narrow.non_inferior is False
    assert narrow.verdict.endswith("new could be worse than old by 0.001 or more")
    plain = compare(truth, runs, metrics="recall").pairs[0]
    assert "p_non_inferior" not in plain.model_dump()
    assert {"p_non_inferior", "non_inferior"} <= pair.model_dump().keys()


def test_no_query_that_every_run_is_scored_on() -> None:
    truth = {"q1": [["a"]], "q2": [["b"]]}
    with pytest.raises(InputError, match="no query is scored in every run"):
        compare(truth, {"one": {"q1": ["a"]}, "two": {"q2": ["b"]}}, missing="skip")
    with pytest.raises(InputError, match="no query could be scored"):
        compare({"q1": []}, {"one": {"q1": ["a"]}, "two": {"q1": ["b"]}})


@pytest.mark.usefixtures("nothing_added")
def test_metrics_of_users_and_budgets_of_tokens() -> None:
    @declare
    def hits_counted(hits: Hits) -> FloatArray:
        """The number of results that meet a group."""
        return hits.per_query(hits.results.query)

    truth = {"q1": [["a"], ["b"]], "q2": [["c"]]}
    both = {
        "q1": [{"id": "a", "tokens": 10}, {"id": "b", "tokens": 10}],
        "q2": [{"id": "c", "tokens": 5}],
    }
    one = {
        "q1": [{"id": "x", "tokens": 15}, {"id": "b", "tokens": 10}],
        "q2": [{"id": "c", "tokens": 5}],
    }
    found = compare(truth, {"both": both, "one": one}, metrics=["hits_counted", "recall@20t"])
    means = {run: [score.mean for score in scores.values()] for run, scores in found.runs.items()}
    assert means == {"both": [1.5, 1.0], "one": [1.0, 0.5]}


def save(truth: Any, run: Any, path: Path, **options: Any) -> Path:
    """Write the baseline of a run."""
    evaluate(truth, run, provenance=True, **options).save_baseline(path)
    return path


def test_a_saved_baseline_stands_for_a_run(tmp_path: Path) -> None:
    truth, runs = build_data(16, queries=25)
    saved = save(truth, runs["run0"], tmp_path / "main.json", metrics=["recall", "ndcg", "mrr"])
    names = {"main": runs["run0"], "new": runs["run1"]}
    plain = compare(truth, names, metrics=["recall", "ndcg"], explain=0)
    for stand_in in (saved, str(saved), read_baseline(saved)):
        given = names | {"main": stand_in}
        found = compare(truth, given, metrics=["recall", "ndcg"], explain=0)
        assert (found.runs, found.pairs) == (plain.runs, plain.pairs)
        assert found.provenance is not None
        assert [each.role for each in found.provenance.inputs] == ["ground_truth", "run", "run"]
    both = compare(truth, {"main": saved, "other": saved}, metrics="recall", by="groups")
    assert both.pairs[0].ties == 25
    assert [*both.slices["groups"]] == ["1", "2"]


def test_a_baseline_of_other_data_or_metrics_is_refused(tmp_path: Path) -> None:
    truth, runs = build_data(17, queries=25)
    other = {query: truth[query] for query in list(truth)[5:]}
    saved = save(other, runs["run0"], tmp_path / "main.json", metrics="recall")
    names = {"main": saved, "new": runs["run1"]}
    with pytest.raises(InputError) as caught:
        compare(truth, names, metrics="recall")
    assert "main.json: the baseline is of other data: the ground truth is not" in str(caught.value)
    assert "allow_other_data=True" in str(caught.value)
    found = compare(truth, names, metrics="recall", allow_other_data=True)
    assert (found.counts.compared, found.counts.dropped) == (20, 5)
    assert any(text.startswith("main: the baseline is of other data") for text in found.warnings)
    with pytest.raises(InputError, match=r"main.json: the baseline has no ndcg"):
        compare(other, names, metrics=["recall", "ndcg"])
    with pytest.raises(InputError, match=r"the profile is trec, that of the baseline autorag"):
        compare(other, names, metrics="recall", profile="trec")


def test_inputs_are_not_changed() -> None:
    truth, runs = build_data(12)
    before = repr((truth, runs))
    compare(truth, runs, metrics="recall")
    assert repr((truth, runs)) == before


TRUTH, RUN = {"q1": [["a"]]}, {"q1": ["a"]}
TWO = {"bm25": RUN, "dense": RUN}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test": "anova"}, "test: invalid value 'anova'; choose from randomisation, "),
        ({"test": "wilcoxn"}, "did you mean 'wilcoxon'?"),
        ({"correction": "holmes"}, "did you mean 'holm'?"),
        ({"confidence": 1}, "confidence: expected a number above 0.5 and below 1, such as 0.95"),
        ({"confidence": float("nan")}, "got nan"),
        ({"confidence": "0.95"}, "got '0.95'"),
        ({"margin": 0}, "margin: expected a number above 0 and below 1e+09, such as 0.01; got 0"),
        ({"margin": 1e308}, "got 1e+308"),
        ({"test": ["t"]}, "test: invalid value ['t']"),
        ({"ties": "report"}, "ties: expected 'score' or 'input'"),
        ({"permutations": 0}, "permutations: expected a whole number from 1 to 10,000,000, got 0"),
        ({"permutations": 10.5}, "got 10.5"),
        ({"seed": -1}, "seed: expected a whole number from 0"),
        ({"seed": True}, "got True"),
        ({"baseline": "bm52"}, "baseline: no run is called 'bm52'; did you mean 'bm25'?"),
        ({"correction": "tukey", "test": "t"}, "it goes without test='t'"),
        ({"correction": "tukey", "baseline": "bm25"}, "it goes without a baseline"),
        ({"metrics": "first_hit"}, "first_hit is a rank: ranks have no mean to compare"),
        ({"metrics": ["recall", "completion_rank@5"]}, "completion_rank@5 is a rank"),
    ],
)  # fmt: skip
def test_options_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        compare(TRUTH, TWO, **options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("runs", "message"),
    [
        ({}, "expected two runs or more, got 0"),
        ({"bm25": RUN}, "expected two runs or more, got 1; evaluate scores a single run"),
        ({"bm25": RUN, "": RUN}, "runs: expected a name for each run, got ''"),
        ({"bm25": RUN, 2: RUN}, "runs: expected a name for each run, got 2"),
        ([RUN, RUN], 'expected runs by name, such as {"bm25": run, "dense": run}; got a list'),
    ],
)  # fmt: skip
def test_runs_that_cannot_be(runs: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        compare(TRUTH, runs)
    assert message in str(caught.value)


def test_unknown_metrics_are_named_before_anything_is_read() -> None:
    with pytest.raises(UnknownMetric, match="did you mean 'recall@5'"):
        compare("no such file", TWO, metrics="recal@5")


def test_a_problem_names_the_run() -> None:
    with pytest.raises(
        InputError, match=r"run 'dense'.*no query of the run is in the ground truth"
    ):
        compare(TRUTH, {"bm25": RUN, "dense": {"z": ["a"]}})


def list_numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        for part in value.values():
            yield from list_numbers(part)
    elif isinstance(value, list):
        for part in value:
            yield from list_numbers(part)
    elif isinstance(value, float):
        yield value


@pytest.mark.parametrize("queries", [1, 2, 3])
@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "sign"])
def test_few_queries_and_ties_give_finite_numbers(queries: int, test: str) -> None:
    truth, runs = build_data(13, runs=4, queries=queries)
    for correction in ("holm", "bh", "bonferroni", "none"):
        found = compare(truth, runs, test=test, correction=correction, permutations=99, margin=0.1)
        assert all(map(math.isfinite, list_numbers(found.to_dict())))
        for pair in found.pairs:
            assert 0 <= (pair.p or 0) <= (pair.p_corrected or 0) <= 1


def test_tukey_for_all_pairs() -> None:
    truth, runs = build_data(14, runs=3, queries=40)
    found = compare(truth, runs, metrics="recall", correction="tukey", permutations=999)
    assert (found.test.correction, found.test.name) == ("tukey", "randomisation")
    for pair in found.pairs:
        assert pair.p is not None
        assert pair.p_corrected is not None
        assert 0 < pair.p_corrected <= 1
    assert "randomised Tukey HSD over the 3 pairs of each metric" in found.render("table")


def test_a_comparison_survives_json() -> None:
    truth, runs = build_data(15, runs=4)
    found = compare(truth, runs, margin=0.1)
    assert Comparison.model_validate_json(found.to_json()) == found
    assert Comparison.model_validate(found.to_dict()).to_json() == found.to_json()
