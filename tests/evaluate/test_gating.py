"""Gates within an evaluation: with slices, intervals, baselines, missing queries, presets."""

import json
import math
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import (
    Evaluator,
    GateVerdict,
    InputError,
    UnknownMetric,
    evaluate,
    judge_gates,
    read_baseline,
)
from groupwise.evaluator.evaluation.gate_sets import PRESETS
from groupwise.evaluator.statistics.gates import Gate, parse_gate
from groupwise.evaluator.statistics.means import ExactMeans

TYPES = ("bridge", "comparison", None)
TRUTHS: list[dict[str, Any]] = [
    {
        "id": f"q{number:02}",
        "ground_truth": [[f"a{number}"], [f"b{number}"]][: 1 + number % 2],
        "metadata": {"type": TYPES[number % 3], "hops": 1 + number % 2},
    }
    for number in range(24)
]
RUN: dict[str, Any] = {
    one["id"]: ["x", one["ground_truth"][0][0]] if number % 4 else ["x", "y", "z"]
    for number, one in enumerate(TRUTHS)
}


def verdicts_of(*gates: str, truths: Any = TRUTHS, run: Any = RUN, **options: Any) -> Any:
    return evaluate(truths, run, metrics="recall", gates=gates, **options).gates


def naive_recall(chosen: Any = lambda _: True) -> float:
    """The mean of recall over some queries, rounded once."""
    values = [
        Fraction(sum(any(a in RUN[one["id"]] for a in group) for group in one["ground_truth"]),
                 len(one["ground_truth"]))
        for one in TRUTHS
        if chosen(one)
    ]  # fmt: skip
    return float(sum(values) / len(values))


def of_type(name: str | None) -> Any:
    return lambda one: one["metadata"]["type"] == name


def test_a_gate_on_all_and_on_each_slice_compares_the_mean_of_these_queries() -> None:
    everything, bridge, none, hops = verdicts_of(
        "recall >= 0.9", "type=bridge: recall >= 0.9", "type=(none): recall >= 0.9",
        "hops=2: recall >= 0.9",
    )  # fmt: skip
    assert everything.value == naive_recall()
    assert bridge.value == naive_recall(of_type("bridge"))
    assert none.value == naive_recall(of_type(None))
    assert hops.value == naive_recall(lambda one: one["metadata"]["hops"] == 2)
    assert {v.outcome for v in (everything, bridge, none, hops)} == {"failed"}


def test_a_verdict_has_the_shape_of_the_contract() -> None:
    report = evaluate(TRUTHS, RUN, metrics="recall", gates=["recall@10 >= 0.9"])
    (verdict,) = json.loads(report.to_json())["gates"]
    assert {"gate", "metric", "value", "bound", "ceiling", "passed", "reason"} <= verdict.keys()
    assert (verdict["gate"], verdict["metric"]) == ("recall@10 >= 0.9", "recall@10")
    assert (verdict["bound"], verdict["ceiling"], verdict["passed"]) == (0.9, 1.0, False)
    assert verdict["interval"]["interval"] == "bca"


def test_a_failure_says_metric_value_interval_bound_and_ceiling() -> None:
    (verdict,) = verdicts_of("hit_rate@1 >= 0.5")
    assert str(verdict) == (
        "hit_rate@1 >= 0.5 failed: hit_rate@1 is 0.0 (95 % interval 0.0000 to 0.1380), "
        "the bound is 0.5, the ceiling 1.0000"
    )  # Wilson for 0 of 24: z²/(n + z²) = 3.8415/27.8415


def test_an_interval_that_includes_the_bound_is_pointed_out() -> None:
    (near,) = verdicts_of("hit_rate >= 0.76")
    assert "which includes the bound" in near.reason
    (far,) = verdicts_of("hit_rate@1 >= 0.9")
    assert "includes" not in far.reason


@pytest.mark.parametrize(("level", "z"), [(None, 1.959963984540054), (0.9, 1.6448536269514722)])
def test_lower_and_upper_are_the_ends_of_the_interval(level: float | None, z: float) -> None:
    hits = sum(any(a[0] in RUN[one["id"]] for a in one["ground_truth"]) for one in TRUTHS)
    n, share = len(TRUTHS), hits / len(TRUTHS)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    lower, upper = verdicts_of("lower(hit_rate) >= 0.9", "upper(hit_rate) < 0.1", confidence=level)
    assert lower.value == pytest.approx(middle - half, abs=1e-12)
    assert upper.value == pytest.approx(middle + half, abs=1e-12)
    assert (lower.passed, upper.passed) == (False, False)
    assert verdicts_of("upper(hit_rate) <= 1", "lower(hit_rate) > 0")[0].passed


def test_a_gate_on_an_end_of_a_slice() -> None:
    (verdict,) = verdicts_of("type=bridge: lower(recall) >= 0.1")
    part = evaluate(TRUTHS, RUN, metrics="recall", by="type", confidence=0.95).slices["type"]
    assert verdict.value == part["bridge"].intervals["recall"].low
    assert verdict.passed


@pytest.mark.parametrize(
    ("gate", "options", "words"),
    [
        ("type=bridg: recall > 0", {}, "no query has type 'bridg'; did you mean 'bridge'?"),
        ('type="(none)": recall > 0', {}, "no query has type '\"(none)\"'"),
        ("type=nan: recall > 0", {}, "no query has type 'nan'"),
        ("lower(recall) > 0", {"truths": TRUTHS[:1]}, "no interval: fewer than two queries"),
        ("ild > 0", {}, "ild has no value"),
        ("recall > 0", {"empty_results": "skip", "run": {"q00": []}, "missing": "skip"},
         "recall has no value"),
        ("type=comparison: recall > 0", {"run": {"q00": ["a0"]}, "missing": "skip"},
         "recall has no value: no query of the slice was scored"),
        ("recall(label=gone) > 0", {}, "recall(label=gone) has no value"),
    ],
)  # fmt: skip
def test_what_cannot_be_decided_is_not_passed(
    gate: str, options: dict[str, Any], words: str
) -> None:
    (verdict,) = verdicts_of(gate, **options)
    assert (verdict.value, verdict.passed, verdict.outcome) == (None, False, "undecided")
    assert words in verdict.reason
    assert verdict.fails


def test_an_end_without_the_scores_of_queries_is_still_known() -> None:
    gates = ["lower(recall) > 0", "recall > 0.99"]
    lower, mean = evaluate(TRUTHS, RUN, gates=gates, per_query=False).gates
    kept = evaluate(TRUTHS, RUN, gates=gates).gates
    assert (lower, mean) == kept
    (alone,) = evaluate(TRUTHS, RUN, gates=gates[1:], per_query=False).gates
    assert alone == evaluate(TRUTHS, RUN, gates=gates[1:]).gates[0]
    assert alone.interval is not None
    assert len(evaluate(TRUTHS, RUN, gates=gates[1:], per_query=False).per_query) == 0


def test_unknown_fields_and_metrics_are_refused() -> None:
    with pytest.raises(InputError, match="no query has the field 'typ' to slice by"):
        verdicts_of("typ=bridge: recall > 0")
    with pytest.raises(UnknownMetric, match="no metric 'recal'"):
        verdicts_of("type=bridge: lower(recal) > 0")
    with pytest.raises(InputError, match="gate recall >= baseline: there is no baseline"):
        verdicts_of("recall >= baseline")


HOSTILE = ["a: b", "x:recall", "a>b", "=", "recall >= 1", '"q"', "(none)", "", "é\u202e\n", "::"]


@pytest.mark.parametrize("name", HOSTILE)
def test_any_name_of_a_slice_can_be_written_in_quotes(name: str) -> None:
    truths = [{"id": "q", "ground_truth": [["a"]], "metadata": {"t:=": name}},
              {"id": "r", "ground_truth": [["b"]], "metadata": {"t:=": "other"}}]  # fmt: skip
    gate = f'"t:="={json.dumps(name, ensure_ascii=False)}: recall >= 1'
    (verdict,) = verdicts_of(gate, truths=truths, run={"q": ["a"], "r": ["x"]})
    assert (verdict.value, verdict.outcome) == (1.0, "passed")
    assert str(parse_gate(verdict.gate)) == verdict.gate


@given(st.text(max_size=30))
def test_any_text_is_a_gate_or_refused(text: str) -> None:
    for written in (text, f"type={text}: recall >= 1", f"recall >= {text}", f"{text} >= 1"):
        try:
            gate = parse_gate(written)
        except InputError:
            continue
        assert parse_gate(str(gate)) == gate


@pytest.mark.parametrize("value", [0.8, 0.1, 0.7, 1 / 3, 0.9, 1e-300])
def test_equal_values_pass_a_gate_at_their_value_whatever_their_number(value: float) -> None:
    gates = [parse_gate(f"recall >= {value!r}"), parse_gate(f"recall <= {value!r}")]
    means = ExactMeans(1)
    for _ in range(2000):
        means.add(np.array([[value]]))
        (mean,) = means.means()
        assert mean is not None
        assert all(gate.is_passed_by(mean) for gate in gates)


@pytest.mark.parametrize("number", [1, 2, 3, 7, 10, 100, 999])
def test_queries_of_four_fifths_pass_four_fifths(number: int) -> None:
    truths = {f"q{n}": [["a"], ["b"], ["c"], ["d"], ["e"]] for n in range(number)}
    run = {query: ["a", "b", "c", "d"] for query in truths}
    passed, failed = evaluate(truths, run, gates=["recall >= 0.8", "recall > 0.8"]).gates
    assert (passed.value, passed.passed, failed.passed) == (0.8, True, False)


@pytest.mark.parametrize(
    ("gate", "baseline", "bound"),
    [
        ("m >= baseline - 0.01", 0.91, 0.9),
        ("m >= baseline + 0.1", 0.2, 0.3),
        ("m >= baseline * 0.99", 0.9, 0.891),
        ("m >= baseline", 0.1, 0.1),
        ("m >= baseline - 1e-3", 0.301, 0.3),
    ],
)
def test_bounds_are_computed_in_decimals(gate: str, baseline: float, bound: float) -> None:
    assert parse_gate(gate).find_bound(baseline) == bound


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "baseline.json"
    evaluate(TRUTHS, RUN, metrics=["recall", "hit_rate"], save_baseline=path)
    return path


def improve(run: dict[str, Any], query: str) -> dict[str, Any]:
    found = next(one for one in TRUTHS if one["id"] == query)
    return {**run, query: [group[0] for group in found["ground_truth"]]}


def test_the_same_run_passes_its_baseline_and_a_worse_one_fails(saved: Path) -> None:
    gates = ["recall >= baseline", "hit_rate >= baseline", "recall <= baseline"]
    report = evaluate(TRUTHS, RUN, gates=gates, baseline=saved)
    assert report.passed
    assert {verdict.value for verdict in report.gates} == {v.bound for v in report.gates}
    worse = evaluate(TRUTHS, {**RUN, "q01": []}, gates=gates[:1], baseline=saved)
    assert not worse.passed
    assert f"the baseline {naive_recall()!r}" in worse.gates[0].reason
    better = evaluate(TRUTHS, improve(RUN, "q01"), gates=gates[:1], baseline=saved)
    assert better.passed


def test_a_slice_is_compared_with_the_same_queries_of_the_baseline(saved: Path) -> None:
    gate = "type=bridge: recall >= baseline - 0.01"
    (verdict,) = evaluate(TRUTHS, improve(RUN, "q01"), gates=[gate], baseline=saved).gates
    assert (verdict.value, verdict.passed) == (naive_recall(of_type("bridge")), True)
    assert verdict.bound == pytest.approx(naive_recall(of_type("bridge")) - 0.01, abs=1e-15)
    fixture = [{**one, "results": RUN[one["id"]]} for one in TRUTHS]
    assert evaluate(fixture, gates=[gate], baseline=saved).gates == (verdict,)
    evaluator = Evaluator(TRUTHS, gates=[gate], baseline=read_baseline(saved))
    assert evaluator.evaluate(RUN).gates == (verdict,)


def test_missing_queries_count_in_the_baseline_of_a_slice(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    evaluate(TRUTHS, RUN, metrics="recall", missing="skip", save_baseline=path)
    fewer = {query: found for query, found in RUN.items() if query != "q03"}
    gates = ["type=bridge: recall >= baseline"]
    (verdict,) = evaluate(TRUTHS, fewer, gates=gates, missing="skip", baseline=path).gates
    assert verdict.bound == naive_recall(of_type("bridge"))
    assert verdict.value == naive_recall(lambda o: of_type("bridge")(o) and o["id"] != "q03")


def test_what_the_baseline_lacks_is_undecided(saved: Path) -> None:
    (verdict,) = evaluate(TRUTHS, RUN, gates=["ndcg >= baseline"], baseline=saved).gates
    assert (verdict.outcome, verdict.bound) == ("undecided", None)
    assert "the baseline has no ndcg; choose from recall, hit_rate" in verdict.reason


@pytest.mark.parametrize(
    ("truths", "options", "words"),
    [
        (TRUTHS[:-1], {}, "the ground truth is not that of the baseline: 23 queries, and there 24"),
        ([*TRUTHS[:-1], {**TRUTHS[-1], "ground_truth": [["other"]]}], {}, "not that of the base"),
        ([*TRUTHS[:-1], {**TRUTHS[-1], "metadata": {"type": "x"}}], {}, "not that of the base"),
        (TRUTHS, {"profile": "coverage"}, "the profile is coverage, that of the baseline autorag"),
        (TRUTHS, {"missing": "skip"}, "missing is 'skip', in the baseline 'zero'"),
        (TRUTHS, {"empty_results": "skip"}, "empty_results is 'skip', in the baseline 'zero'"),
        (TRUTHS, {"ties": "input"}, "ties is 'input', in the baseline 'score'"),
    ],
)
def test_a_baseline_of_other_data_is_refused_unless_allowed(
    saved: Path, truths: Any, options: dict[str, Any], words: str
) -> None:
    gates = ["recall >= baseline"]
    with pytest.raises(InputError, match="cannot be compared") as caught:
        evaluate(truths, RUN, gates=gates, baseline=saved, **options)
    assert words in str(caught.value)
    allowed = evaluate(truths, RUN, gates=gates, baseline=saved, allow_other_data=True, **options)
    assert any(words in warning for warning in allowed.warnings)
    assert allowed.gates[0].outcome in ("passed", "failed")


def test_data_in_another_order_shape_and_reading_is_the_same_data(saved: Path) -> None:
    truths = [{**one, "ground_truth": one["ground_truth"][::-1]} for one in TRUTHS[::-1]]
    report = evaluate(truths, RUN, gates=["recall >= baseline"], baseline=saved, ties="report")
    assert report.passed
    assert not any("other data" in warning for warning in report.warnings)


def test_another_corpus_is_refused(tmp_path: Path) -> None:
    def judged_on(corpus: str | None) -> Any:
        more = {} if corpus is None else {"corpus": corpus}
        return [{**one, **more} for one in TRUTHS]

    path = tmp_path / "b.json"
    evaluate(judged_on("gw2:3:aa"), RUN, save_baseline=path)
    inputs = json.loads(path.read_text("utf-8"))["provenance"]["inputs"]
    assert {"role": "corpus", "name": None, "fingerprint": "gw2:3:aa"} in inputs
    assert evaluate(judged_on("gw2:3:aa"), RUN, baseline=path).passed
    assert evaluate(judged_on(None), RUN, baseline=path).passed
    with pytest.raises(InputError, match="judged on another corpus"):
        evaluate(judged_on("gw2:3:bb"), RUN, baseline=path)


def test_nothing_is_saved_where_a_gate_fails(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    assert not evaluate(TRUTHS, RUN, gates=["recall > 1"], save_baseline=path).passed
    assert not path.exists()
    assert evaluate(TRUTHS, RUN, gates=["recall > 0"], save_baseline=path).passed
    assert read_baseline(path).scores["recall"] == naive_recall()


def test_unreachable_targets_fail_with_the_ceiling_and_not_in_a_preset() -> None:
    truths = {f"q{n}": [[f"a{n}"]] for n in range(12)}
    run = {f"q{n}": [f"a{n}", "x", "y", "z", "w"] for n in range(12)}
    (verdict,) = evaluate(truths, run, gates=["precision@3 >= 0.8"]).gates
    assert verdict.outcome == "failed"
    assert verdict.ceiling == pytest.approx(1 / 3)
    assert "no ranking of 3 results can reach it on these data: the ceiling is 0.3333" in (
        verdict.reason
    )
    report = evaluate(truths, run, gates="rag")
    outcomes = {verdict.gate: verdict.outcome for verdict in report.gates}
    assert [gate for gate, outcome in outcomes.items() if outcome == "unreachable"] == [
        "precision@3 >= 0.8", "precision@5 >= 0.7", "f1@5 >= 0.7",
    ]  # fmt: skip
    assert set(outcomes.values()) == {"unreachable", "passed"}
    assert report.passed
    assert not evaluate(truths, {**run, "q0": [], "q1": []}, gates="rag").passed


def test_a_gate_that_holds_passes_whatever_its_ceiling_is() -> None:
    (verdict,) = evaluate({"q": [["a"]]}, {"q": ["a"]}, gates=["precision@3 >= 1"]).gates
    assert verdict.passed


def test_the_preset_is_that_of_the_issue() -> None:
    assert PRESETS["rag"].profile == "coverage"
    expected = {
        "precision@3": 0.8, "precision@5": 0.7, "recall@5": 0.7, "recall@10": 0.9,
        "recall@20": 0.95, "f1@5": 0.7, "mrr": 0.8, "ndcg@5": 0.85, "ndcg@10": 0.8,
        "hit_rate@10": 0.95,
    }  # fmt: skip
    gates = map(parse_gate, PRESETS["rag"].gates)
    assert {gate.metric: gate.target for gate in gates} == expected
    report = evaluate(TRUTHS, RUN, gates="rag")
    assert (report.profile, list(report.scores)) == ("coverage", list(expected))


def test_in_another_profile_the_preset_keeps_its_definitions() -> None:
    report = evaluate(TRUTHS, RUN, gates=["rag", "recall >= 0"], profile="trec")
    assert report.profile == "trec"
    assert "coverage:mrr >= 0.8" in [verdict.gate for verdict in report.gates]
    assert "recall >= 0" in [verdict.gate for verdict in report.gates]


@pytest.mark.parametrize(
    ("content", "gates"),
    [
        (["recall@10 >= 0.9"], ["recall@10 >= 0.9"]),
        ({"gates": "recall > 0"}, ["recall > 0"]),
        ({"gates": ["rag", "complete >= 0"]}, [*PRESETS["rag"].gates, "complete >= 0"]),
    ],
)
def test_gates_in_a_file(tmp_path: Path, content: Any, gates: list[str]) -> None:
    path = tmp_path / "gates.json"
    path.write_text(json.dumps(content), "utf-8")
    for given_path in (path, os.fspath(path)):
        found = evaluate(TRUTHS, RUN, gates=given_path).gates
        assert [verdict.gate for verdict in found] == [str(parse_gate(gate)) for gate in gates]


def test_a_file_sets_metrics_and_profile_unless_the_call_does(tmp_path: Path) -> None:
    path = tmp_path / "gates.json"
    table = {"gates": ["recall > 0"], "metrics": ["mrr"], "profile": "coverage"}
    path.write_text(json.dumps(table), "utf-8")
    report = evaluate(TRUTHS, RUN, gates=path)
    assert (report.profile, list(report.scores)) == ("coverage", ["mrr", "recall"])
    report = evaluate(TRUTHS, RUN, gates=path, profile="trec", metrics="ndcg")
    assert (report.profile, list(report.scores)) == ("trec", ["ndcg", "recall"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not JSON"),
        ("7", "expected a list of gates, or an object with gates; got the number 7"),
        ("{}", "no gates"),
        ('{"gate": []}', "unknown key; did you mean 'gates'?"),
        ('{"gates": [1]}', "expected a list of gates"),
        ('{"gates": ["ragg"]}', "no preset 'ragg'; did you mean 'rag'?"),
        ('{"gates": ["recall >"]}', "'recall >' is not a gate"),
        ('{"gates": ["recal > 1"]}', "no metric 'recal'"),
        ('{"gates": [], "metrics": []}', "expected a list of metrics"),
        ('{"gates": [], "metrics": ["recal"]}', "no metric 'recal'"),
        ('{"gates": [], "profile": "rag"}', "'rag'; did you mean 'autorag'?"),
    ],
)
def test_what_is_wrong_in_a_file_is_said(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "gates.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        evaluate(TRUTHS, RUN, gates=path)
    assert words in str(caught.value)
    assert os.fspath(path) in str(caught.value)


def test_a_name_that_is_neither_preset_nor_file() -> None:
    with pytest.raises(InputError, match="no preset 'rga', and no such file; did you mean 'rag'"):
        evaluate(TRUTHS, RUN, gates="rga")
    assert [v.gate for v in evaluate(TRUTHS, RUN, gates="recall>0").gates] == ["recall > 0"]
    assert [v.gate for v in evaluate(TRUTHS, RUN, gates=Gate("mrr", ">", 0.0)).gates] == ["mrr > 0"]


def test_a_report_is_judged_again_by_itself(saved: Path) -> None:
    report = evaluate(TRUTHS, RUN, metrics="recall", by="type", confidence=0.9)
    gates = ["recall >= baseline", "type=bridge: lower(recall) >= 0.1", "ndcg > 0", "recall > 1"]
    found = judge_gates(report, gates, read_baseline(saved))
    assert all(isinstance(verdict, GateVerdict) for verdict in found)
    assert [verdict.outcome for verdict in found] == ["passed", "passed", "undecided", "failed"]
    assert found[2].reason == "ndcg was not computed"
    assert "90 % interval" in found[3].reason


def test_live_retrievers_and_lists_are_judged_too() -> None:
    truths = [{**one, "query": one["id"]} for one in TRUTHS]
    report = evaluate(truths, retriever=lambda text: RUN[text], gates=["recall >= 0.9"])
    assert report.gates[0].value == naive_recall()
    (verdict,) = evaluate([[["a"]], [["b"]]], [["a"], ["x"]], gates=["recall >= 0.5"]).gates
    assert verdict.passed
