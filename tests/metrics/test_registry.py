"""Every metric is declared in full, and its declared examples hold."""

import inspect
import math
import re

import numpy as np
import pytest

from groupwise import InputError, OptionError, UnknownMetric, evaluate
from groupwise.evaluator.metrics.names import parse
from groupwise.evaluator.metrics.profiles import PROFILES
from groupwise.evaluator.metrics.registry import SIX, metrics_of
from tests.comparing import agree
from tests.metrics.every import METRICS, values

CUTOFF = "expected a whole number from 1 on after @, or tokens such as 2000t"
EVERY = pytest.mark.parametrize("label", METRICS)
EXAMPLES = [(label, case) for label, metric in METRICS.items() for case in metric.examples]


def parsed_case(case: str) -> tuple[list[list[str]], list[str]]:
    """Ground truth and ranking of a case such as ``a|b & c: a x b``."""
    truth, _, ranking = case.partition(":")
    groups = [[one.strip() for one in group.split("|")] for group in truth.split("&")]
    return groups, ranking.split()


def test_declared_examples_hold() -> None:
    for label, case in EXAMPLES:
        truth, ranking = parsed_case(case)
        assert agree(values(truth, ranking)[label], METRICS[label].examples[case]), (label, case)


@EVERY
def test_a_metric_is_declared_in_full(label: str) -> None:
    metric = METRICS[label]
    assert re.fullmatch(r"[a-z][a-z0-9_]*", metric.name)
    assert metric.summary.endswith(".")
    assert inspect.getdoc(metric.function)
    assert metric.formula.strip()
    assert metric.reference.strip()
    assert metric.examples
    assert metric.highest in (1.0, 2.0, math.inf)
    assert metric.kind in ("score", "rank")
    assert all(alias == alias.lower() for alias in metric.aliases)


def test_examples_show_more_than_one_value() -> None:
    for label, metric in METRICS.items():
        assert metric.needs or len(set(metric.examples.values())) > 1, label


@pytest.mark.parametrize("profile", PROFILES)
def test_no_two_metrics_of_a_profile_share_a_name(profile: str) -> None:
    metrics = metrics_of(profile).values()
    names = [name for one in metrics for name in (one.name, *one.aliases)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_has_the_six(profile: str) -> None:
    assert set(SIX) <= set(metrics_of(profile))


@pytest.mark.parametrize(
    ("spelled", "label"),
    [
        ("nDCG@10", "ndcg@10"),
        ("NDCG", "ndcg"),
        ("MRR", "mrr"),
        ("Hit@5", "hit_rate@5"),
        ("Success@5", "hit_rate@5"),
        ("P@3", "precision@3"),
        (" recall @ 5 ", "recall@5"),
        ("autorag:recall@5", "autorag:recall@5"),
        ("AutoRAG : Recall@5", "autorag:recall@5"),
        ("map()", "map"),
    ],
)
def test_the_spellings_of_the_contract_are_understood(spelled: str, label: str) -> None:
    assert parse(spelled).label == label


@pytest.mark.parametrize(
    ("spelled", "said"),
    [
        ("recal@5", "no metric 'recal@5' in the profile autorag; did you mean 'recall@5'?"),
        ("ngcd", "no metric 'ngcd' in the profile autorag; did you mean 'ndcg'?"),
    ],
)
def test_a_wrong_name_is_answered_with_the_nearest(spelled: str, said: str) -> None:
    with pytest.raises(UnknownMetric) as error:
        parse(spelled)
    assert str(error.value) == said


@pytest.mark.parametrize(
    ("spelled", "said"),
    [
        ("recall@0", "expected a whole number from 1 on as cutoff, got 0"),
        ("recall@-1", f"'recall@-1': {CUTOFF}"),
        ("recall@1.5", f"'recall@1.5': {CUTOFF}"),
        ("recall@", f"'recall@': {CUTOFF}"),
        ("recall@٣", f"'recall@٣': {CUTOFF}"),
        ("autorga:recall", "no profile 'autorga'; did you mean 'autorag'?"),
        ("nist:recall", "no profile 'nist'; choose from autorag, trec, coverage"),
        ("recall(beta=2)", "'recall(beta=2)': recall has no parameter 'beta'; it has label"),
    ],
)
def test_a_known_metric_with_a_wrong_profile_cutoff_or_parameter_is_not_unknown(
    spelled: str, said: str
) -> None:
    with pytest.raises(OptionError) as error:
        parse(spelled)
    assert str(error.value) == said
    assert isinstance(error.value, InputError)
    assert not isinstance(error.value, UnknownMetric)


@pytest.mark.parametrize("spelled", ["", "@5", "recall@5@3", "recall(", "a:b:c", "recall 5", ":x"])
def test_what_is_no_name_at_all_is_answered_with_the_way_to_write_one(spelled: str) -> None:
    with pytest.raises(UnknownMetric, match=r"\[profile:\]name\[\(parameter=value\)\]\[@k\]"):
        parse(spelled)


@pytest.mark.parametrize("k", [0, -1, True, 1.5, "3"])
def test_a_cutoff_is_a_whole_number_from_one_on(k: object) -> None:
    with pytest.raises(OptionError, match="cutoff"):
        evaluate([[["a"]]], [["a"]], k=[k])  # type: ignore[list-item]


@pytest.mark.parametrize("k", [0, -1, True, 1.5, "3", 10**30, None, []])
def test_so_is_the_cutoff_of_all_metrics(k: object) -> None:
    if k is None or k == []:
        assert "recall" in evaluate([[["a"]]], [["a"]], k=k).scores
        return
    with pytest.raises(OptionError, match="cutoff"):
        evaluate([[["a"]]], [["a"]], k=k)  # type: ignore[arg-type]


def test_a_cutoff_may_be_a_number_of_numpy() -> None:
    report = evaluate([[["a"]]], [["x", "a"]], metrics="recall", k=np.array([1, 2]))  # type: ignore[arg-type]
    assert report.scores == {"recall@1": 0.0, "recall@2": 1.0}
    report = evaluate([[["a"]]], [["x", "a"]], metrics="recall", k=np.int64(2))  # type: ignore[arg-type]
    assert report.scores == {"recall@2": 1.0}


def test_a_cutoff_is_not_shortened() -> None:
    with pytest.raises(OptionError, match="cutoff"):
        parse("recall@99999999999999999999999")
    assert parse("recall@1000000").k == 1_000_000


@pytest.mark.parametrize("names", [[], [5], [["recall"]], [None]])
def test_what_names_no_metric_is_refused(names: list[object]) -> None:
    with pytest.raises(UnknownMetric, match="metric is named"):
        evaluate([[["a"]]], [["a"]], metrics=names)  # type: ignore[arg-type]


def test_a_metric_named_twice_is_reported_once() -> None:
    report = evaluate([[["a"]]], [["a"]], metrics=["recall@5", "Recall@5", "recall"], k=5)
    assert list(report.scores) == ["recall@5"]
