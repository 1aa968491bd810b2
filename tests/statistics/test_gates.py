"""Gates as they are written."""

import time

import pytest

from groupwise import InputError, UnknownMetric, evaluate, judge_gates
from groupwise.evaluator.statistics.gates import Gate, parse_gate

NO_INTERVAL = "no interval: fewer than two queries, or all have the same value"
TRUTHS, RUN = {"q": [["a"], ["b"], ["c"], ["d"]]}, {"q": ["x", "a"]}


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("recall@5>=0.8", Gate("recall@5", ">=", 0.8)),
        ("  nDCG@10 \t<  1e-1 ", Gate("nDCG@10", "<", 0.1)),
        ("rbp(p=0.8) <= 1", Gate("rbp(p=0.8)", "<=", 1.0)),
        ("mrr>.5", Gate("mrr", ">", 0.5)),
    ],
)
def test_a_gate_is_a_metric_a_comparison_and_a_number(text: str, gate: Gate) -> None:
    assert parse_gate(text) == gate


@pytest.mark.parametrize(
    "text",
    ["", "recall", ">=", ">=1", "recall>=", "recall=1", "recall==1", "recall>==1", "recall>=1<2",
     "recall<>1", "recall>nan", "recall<inf", "recall>=1e999"],
)  # fmt: skip
def test_what_is_not_a_gate_is_refused_with_what_is(text: str) -> None:
    with pytest.raises(ValueError, match="is not a gate; expected a metric, one of >= > <= <"):
        parse_gate(text)


@pytest.mark.parametrize("target", [0.8, 0.2500000001, 1 / 3, 5e-324, 1.0, 100.0, 1e300])
def test_the_text_of_a_gate_is_read_as_the_same_gate(target: float) -> None:
    gate = Gate("recall", ">=", target)
    assert parse_gate(str(gate)) == gate


def test_digits_are_shown_and_none_are_made_up() -> None:
    assert str(parse_gate("recall>=0.2500000001")) == "recall >= 0.2500000001"
    assert str(parse_gate("recall >= 1.0")) == "recall >= 1"


def test_blanks_cost_no_more_than_they_are_long() -> None:
    start = time.process_time()
    for text in (f"recall>{' ' * 200_000}=", f"recall{' ' * 200_000}", f"{' ' * 200_000}>=x"):
        with pytest.raises(ValueError, match="is not a gate"):
            parse_gate(text)
    assert time.process_time() - start < 1


def test_the_metrics_of_gates_are_measured_too() -> None:
    gates: list[Gate | str] = ["recall@1 >= 0.1", Gate("mrr", ">", 0.4)]
    report = evaluate(TRUTHS, RUN, metrics=["recall"], k=2, gates=gates)
    assert report.scores == {"recall@2": 0.25, "recall@1": 0.0, "mrr": 0.125}
    assert [verdict.gate for verdict in report.gates] == ["recall@1 >= 0.1", "mrr > 0.4"]


def test_a_verdict_says_what_the_score_is() -> None:
    gates = ["recall >= 0.2500000001", "recall >= 0.25", "precision < 0.6"]
    report = evaluate(TRUTHS, RUN, gates=gates)
    verdicts = judge_gates(report, gates)
    assert [verdict.passed for verdict in verdicts] == [False, True, True]
    assert [str(verdict) for verdict in verdicts] == [
        f"recall >= 0.2500000001 failed: recall is 0.25 ({NO_INTERVAL}), the bound is 0.2500000001, the ceiling 1.0000",  # noqa: E501
        "recall >= 0.25 passed: recall is 0.25",
        "precision < 0.6 passed: precision is 0.5",
    ]


def test_a_gate_on_a_metric_without_a_value_is_not_passed() -> None:
    report = evaluate({"q": []}, {"q": ["a"]}, gates=["recall >= 0"])
    (verdict,) = judge_gates(report, ["recall >= 0"])
    assert judge_gates(report, "recall >= 0") == [verdict]
    assert (verdict.value, verdict.passed) == (None, False)
    assert str(verdict) == "recall >= 0: recall has no value"


def test_unsound_gates_are_refused() -> None:
    with pytest.raises(InputError, match="'recall' is not a gate"):
        evaluate(TRUTHS, RUN, gates=["recall"])
    with pytest.raises(UnknownMetric, match="no metric 'recal' in the profile autorag"):
        evaluate(TRUTHS, RUN, gates=["recal > 1"])
    with pytest.raises(UnknownMetric, match="gate first_hit > 1: first_hit is a rank"):
        evaluate(TRUTHS, RUN, gates=["first_hit > 1"])
