"""Parameters of metrics: what they do, and what is said of one that is not accepted."""

from typing import Any

import pytest

from groupwise import InputError, OptionError, evaluate
from groupwise.evaluator.metrics.names import parse
from tests.comparing import agree

NUGGETS = [
    {"alternatives": ["a", "b"], "label": "vital"},
    {"alternatives": ["c"], "label": "vital"},
    {"alternatives": ["d"], "label": "okay", "weight": 0.5},
    ["e"],
]


def score(
    metric: str, truth: list[Any], ranking: Any, profile: str = "coverage", **policies: Any
) -> float | None:
    report = evaluate(
        {"q": truth}, {"q": list(ranking)}, profile=profile, metrics=metric, **policies
    )
    (value,) = report.scores.values()
    return value


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("recall", 1.5 / 3.5),
        ("recall(label=vital)", 1 / 2),
        ("recall(label=okay)", 1.0),
        ("recall(label=vital)@2", 0.0),
        ("precision(label=vital)", 1 / 3),
        ("complete(label=okay)", 1.0),
        ("mrr(label=vital)", (1 / 3) / (1 + 1 / 2)),
        ("autorag:recall(label=vital)", 1 / 2),
        ("trec:recall(label=vital)", 1 / 3),
        ("trec:mrr(label=vital)", 1 / 3),
        ("trec:r_precision(label=vital)", 1 / 3),
    ],
)
def test_a_label_leaves_the_groups_of_that_label(metric: str, expected: float) -> None:
    assert agree(score(metric, NUGGETS, "dxb"), expected)


@pytest.mark.parametrize("metric", ["recall", "ndcg@2", "map", "mrr", "precision@2", "alpha_ndcg"])
@pytest.mark.parametrize("profile", ["autorag", "trec", "coverage"])
def test_a_label_is_as_if_there_were_no_other_groups(metric: str, profile: str) -> None:
    if metric == "alpha_ndcg" and profile != "coverage":
        return
    name, at, k = metric.partition("@")
    labelled = score(f"{name}(label=vital){at}{k}", NUGGETS, "dxbca", profile)
    assert agree(labelled, score(metric, NUGGETS[:2], "dxbca", profile))


def test_a_label_is_found_in_any_case() -> None:
    truth = [{"alternatives": ["a"], "label": "Hop-1"}, ["b"]]
    assert score("recall(label=hop-1)", truth, "a") == 1.0
    assert score("Recall(Label=HOP-1)", truth, "a") == 1.0


def test_a_query_without_the_label_is_not_scored() -> None:
    truths = {"q1": NUGGETS, "q2": [["a"]]}
    report = evaluate(
        truths, {"q1": ["d"], "q2": ["a"]}, profile="coverage", metrics="recall(label=okay)"
    )
    assert report.scores["recall(label=okay)"] == 1.0
    assert report.per_query["q2"]["recall(label=okay)"] is None


def test_a_label_nobody_has_is_told() -> None:
    report = evaluate({"q": NUGGETS}, {"q": ["a"]}, profile="coverage", metrics="recall(label=hop)")
    assert report.scores["recall(label=hop)"] is None
    assert "recall(label=hop) has no value for any query" in report.warnings


GRADED = [{"a": 3}, {"b": 2}, {"c": 1}]


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("precision(rel=2)@3", 2 / 3),
        ("precision(rel=3)@3", 1 / 3),
        ("recall(rel=2)@2", 1 / 2),
        ("mrr(rel=2)", 1 / 2),
        ("mrr(rel=3)", 1 / 3),
        ("mrr(rel=4)", 0.0),
        ("map(rel=2)", (1 / 2 + 2 / 3) / 2),
        ("hit_rate(rel=2)@1", 0.0),
        ("hit_rate(rel=1)@1", 1.0),
        ("r_precision(rel=2)", 1 / 2),
        ("rbp(p=0.5,rel=2)", 0.5 * (1 / 2 + 1 / 4)),
        ("rbp(rel=2, p=0.5)", 0.5 * (1 / 2 + 1 / 4)),
    ],
)
def test_a_level_of_relevance_is_the_least_grade_that_counts(metric: str, expected: float) -> None:
    assert agree(score(metric, GRADED, "cba", "trec"), expected)


def test_below_the_level_a_document_is_judged_not_relevant() -> None:
    """c stands before b and a: each is preferred by none of the one judged against."""
    assert score("bpref(rel=2)", GRADED, "cba", "trec") == 0.0
    assert score("bpref(rel=1)", GRADED, "cba", "trec") == 1.0


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ("trec:precision(rel=-1)", "rel is a number from 0 to 1000, not '-1'"),
        ("trec:precision(rel=high)", "rel is a number from 0 to 1000, not 'high'"),
        ("trec:precision(rel=nan)", "rel is a number from 0 to 1000, not 'nan'"),
        ("trec:precision(rel)", "rel is a number from 0 to 1000, not ''"),
        ("trec:ndcg(gain=cubic)", "gain is linear or exponential, not 'cubic'"),
        ("trec:ndcg(rel=2)", "ndcg has no parameter 'rel'; it has gain, label"),
        ("trec:rbp(p=1.5)", "p is a number from 0 to 1, not '1.5'"),
        ("trec:err(highest=0)", "highest is a number from 1 to 1000, not '0'"),
        ("coverage:alpha_ndcg(alpha=2)", "alpha is a number from 0 to 1, not '2'"),
        ("coverage:nrbp(beta=-0.1)", "beta is a number from 0 to 1, not '-0.1'"),
        ("coverage:recall(gain=linear)", "recall has no parameter 'gain'; it has label"),
        ("autorag:recall(rel=2)", "recall has no parameter 'rel'; it has label"),
    ],
)
def test_what_is_not_accepted_is_answered_with_what_is(metric: str, said: str) -> None:
    with pytest.raises(OptionError) as error:
        parse(metric)
    assert str(error.value) == f"{metric!r}: {said}"


@pytest.mark.parametrize(
    ("spelled", "label"),
    [
        ("trec:nDCG(Gain=Exponential)@10", "trec:ndcg(gain=exponential)@10"),
        ("trec:rbp(rel=2, p=0.5)", "trec:rbp(p=0.5,rel=2)"),
        ("coverage:strecall@20", "coverage:recall@20"),
        ("coverage:recall(label=vital)@2000t", "coverage:recall(label=vital)@2000t"),
    ],
)
def test_one_label_stands_for_all_spellings(spelled: str, label: str) -> None:
    assert parse(spelled).label == label


def budget(
    metric: str, ranking: list[tuple[str, int]], truth: Any = (("a",), ("b",)), **policies: Any
) -> float | None:
    results = [{"id": one, "tokens": tokens} for one, tokens in ranking]
    groups = [list(group) for group in truth]
    report = evaluate([{"id": "q", "ground_truth": groups}], [{"id": "q", "results": results}],
                      metrics=metric, **policies)  # fmt: skip
    (value,) = report.scores.values()
    return value


@pytest.mark.parametrize(
    ("tokens", "expected"), [(99, 0.0), (100, 0.5), (299, 0.5), (300, 1.0), (2000, 1.0)]
)
def test_results_are_kept_while_their_tokens_fit_the_budget(tokens: int, expected: float) -> None:
    ranking = [("a", 100), ("x", 150), ("b", 50)]
    assert budget(f"recall@{tokens}t", ranking) == expected


def test_what_does_not_fit_ends_the_list_though_a_shorter_result_follows() -> None:
    assert budget("recall@100t", [("a", 60), ("x", 50), ("b", 10)]) == 0.5


@pytest.mark.parametrize("profile", ["autorag", "trec", "coverage"])
def test_precision_within_a_budget_is_over_what_fits(profile: str) -> None:
    ranking = [("a", 10), ("x", 10), ("b", 10)]
    assert budget(f"{profile}:precision@20t", ranking) == 0.5
    assert budget(f"{profile}:precision@9t", ranking) == 0.0


def test_results_without_tokens_are_kept_if_their_text_tells_them() -> None:
    results = [{"id": "a", "text": "x" * 400}, {"id": "b", "text": "x" * 400}]
    run = [{"id": "q", "results": results}]
    truth = {"q": [["a"], ["b"]]}
    report = evaluate(truth, run, metrics="recall@150t", characters_per_token=4)
    assert report.scores["recall@150t"] == 0.5
    with pytest.raises(InputError, match="a budget of tokens needs the tokens of every result"):
        evaluate(truth, run, metrics="recall@150t")


def test_a_budget_without_any_tokens_is_an_error() -> None:
    with pytest.raises(InputError, match="a budget of tokens needs the tokens of every result"):
        evaluate({"q": [["a"]]}, {"q": ["a"]}, metrics="recall@2000t")


@pytest.mark.parametrize("other", [[], [{"id": "a", "tokens": 3}]])
def test_an_empty_result_needs_no_tokens(other: list[Any]) -> None:
    truths, run = {"q": [["a"]], "r": [["a"]]}, {"q": [], "r": other}
    scores = evaluate(truths, run, metrics="recall@2000t").per_query
    assert scores["q"]["recall@2000t"] == 0.0
    assert scores["r"]["recall@2000t"] == len(other)


@pytest.mark.parametrize("spelled", ["recall@t", "recall@0t", "recall@-5t", "recall@1.5t"])
def test_a_budget_is_a_whole_number_from_one_on(spelled: str) -> None:
    with pytest.raises(OptionError, match="whole number from 1 on"):
        parse(spelled)


@pytest.mark.parametrize(
    ("spelled", "said"),
    [
        ("recall(label=)", "'recall(label=)': label is text, not ''"),
        ("recall(rel=1,rel=2)", "'recall(rel=1,rel=2)': a parameter is given twice"),
    ],
)
def test_a_parameter_is_given_once_and_in_full(spelled: str, said: str) -> None:
    with pytest.raises(OptionError) as error:
        evaluate({"q": [["a"]]}, {"q": ["a"]}, profile="trec", metrics=spelled)
    assert str(error.value) == said


@pytest.mark.parametrize("profile", ["autorag", "trec", "coverage"])
def test_two_parameters_are_two_metrics_however_close(profile: str) -> None:
    names = ["trec:rbp(p=0.1234567)", "trec:rbp(p=0.1234568)", "trec:rbp(p=0.12345671)"]
    report = evaluate({"q": [["a"]]}, {"q": ["a"]}, metrics=names, profile=profile)
    assert list(report.scores) == names
    assert [report.scores[name] for name in names] == [1 - 0.1234567, 1 - 0.1234568, 1 - 0.12345671]
    assert report.scores["TREC:rbp( p = 0.12345680 )"] == 1 - 0.1234568


def test_equal_parameters_are_one_metric_however_written() -> None:
    names = ["trec:rbp(p=0.5)", "trec:rbp(p=0.50)", "trec:rbp(p=5e-1)", "trec:rbp(p=.5)"]
    report = evaluate({"q": [["a"]]}, {"q": ["a"]}, metrics=names)
    assert list(report.scores) == names[:1]
    assert all(report.scores[name] == 0.5 for name in names)


def test_labels_that_look_like_numbers_are_texts() -> None:
    truth = [{"alternatives": [one], "label": label} for one, label in (("a", "1"), ("b", "1.0"))]
    names = ["recall(label=1)", "recall(label=1.0)"]
    report = evaluate({"q": truth}, {"q": ["a"]}, metrics=names)
    assert [report.scores[name] for name in names] == [1.0, 0.0]
    assert report.scores["Recall(label=1.0)"] == 0.0


@pytest.mark.parametrize("zeros", ["", "0", "0" * 18, "0" * 5000])
@pytest.mark.parametrize("unit", ["", "t"])
def test_leading_zeros_of_a_cutoff_count_for_nothing(zeros: str, unit: str) -> None:
    assert parse(f"recall@{zeros}12345{unit}").label == f"recall@12345{unit}"


@pytest.mark.parametrize("digits", ["0", "0" * 30, "1" + "0" * 30, "9" * 5000])
def test_a_cutoff_out_of_range_is_refused(digits: str) -> None:
    with pytest.raises(OptionError, match="expected a whole number from 1 on as cutoff"):
        parse(f"recall@{digits}")


@pytest.mark.parametrize("metric", ["first_hit", "completion_rank"])
@pytest.mark.parametrize("profile", ["autorag", "trec", "coverage"])
def test_ranks_of_a_label_leave_out_queries_without_it(metric: str, profile: str) -> None:
    vital = [{"alternatives": ["a"], "label": "vital"}]
    truth = {"found": vital, "not": vital, "none": vital, "other": [["a"]], "no groups": []}
    run = {"found": ["x", "a"], "not": ["x"], "none": [], "other": ["a"], "no groups": ["a"]}
    name = f"{metric}(label=vital)"
    report = evaluate(truth, run, metrics=[name, metric], profile=profile)
    assert report.ranks[name].model_dump() == {
        "found": 1, "not_found": 2, "median": 2.0, "worst": 2,
    }  # fmt: skip
    assert report.ranks[metric].not_found == 2
    assert report.ranks[metric].found == 2


def test_a_greedy_ideal_is_told_with_a_label_too() -> None:
    """Each of 20 documents meets two of 20 groups; the second query is greedy for one label."""
    ring = [[f"d{number}", f"d{(number + 1) % 20}"] for number in range(20)]
    labelled = [{"alternatives": group, "label": "vital"} for group in ring]
    truth = {"q": labelled, "r": [*labelled, ["e"]], "s": [["a"]]}
    run = {"q": ["d0"], "r": ["d1"], "s": ["a"]}
    for names in (["ndcg(label=vital)"], ["ndcg(label=vital)@5", "ndcg", "mrr(label=vital)"]):
        warnings = evaluate(truth, run, metrics=names, profile="coverage").warnings
        assert [warning for warning in warnings if "greedy" in warning and warning.endswith(": 2")]
