"""Assertions about reports: what passes, and what a failure says."""

import json
from pathlib import Path
from typing import Any

import pytest

from groupwise import InputError, OptionError, Report, UnknownMetric, evaluate
from groupwise.testing import assert_no_regression, assert_scores, assert_valid
from tests.reporting.junit import check_junit

pytest_plugins = ["pytester"]

TRUTH = {"q1": [["a"], ["b"]], "q2": [["c"]], "q3": [["d"], ["e"], ["f"], ["g"]]}
RUN = {"q1": ["a", "x", "y"], "q2": ["c"], "q3": ["d", "e", "f", "x"]}
"""Recall: 1/2, 1 and 3/4, on average 3/4."""
WORSE = RUN | {"q3": ["x", "y", "z"]}


def build_report(run: Any = None, **options: Any) -> Report:
    return evaluate(TRUTH, RUN if run is None else run, metrics=["recall", "recall@3"], **options)


@pytest.mark.parametrize(
    "expected",
    [
        {},
        {"recall": 0.75, "recall@3": ">= 0.75"},
        {"Recall@3": "> 0.7", "recall": {"value": 0.8, "tolerance": 0.05}},
        {"lower(recall)": ">= 0.1", "upper(recall)": "<= 1"},
    ],
)
def test_scores_as_expected_pass(expected: dict[str, Any]) -> None:
    assert_scores(build_report(), expected)


def test_a_slice_can_be_asserted() -> None:
    records = [
        {
            "id": name,
            "ground_truth": groups,
            "metadata": {"type": "odd" if name != "q2" else "even"},
        }
        for name, groups in TRUTH.items()
    ]
    report = evaluate(records, RUN, metrics=["recall"], by="type")
    assert_scores(report, {"type=odd: recall": ">= 0.625", "type=even: recall": ">= 1"})
    with pytest.raises(AssertionError, match=r"type=odd: recall >= 0.7 failed: recall is 0.625"):
        assert_scores(report, {"type=odd: recall": ">= 0.7"})


def test_no_query_of_another_slice_is_blamed() -> None:
    records = [
        {"id": "q1", "ground_truth": [["a"]], "metadata": {"type": "x"}},
        {"id": "elsewhere", "ground_truth": [["b"]], "metadata": {"type": "y"}},
    ]
    report = evaluate(records, {"q1": ["z"], "elsewhere": []}, metrics=["recall"], by="type")
    with pytest.raises(AssertionError) as caught:
        assert_scores(report, {"type=x: recall": ">= 0.7"})
    assert "recall is 0.0" in str(caught.value)
    assert "elsewhere" not in str(caught.value)


def test_a_report_without_scores_of_queries_blames_none() -> None:
    with pytest.raises(AssertionError, match=r"recall >= 0\.9 failed"):
        assert_scores(build_report(per_query=False), {"recall": ">= 0.9"})


def test_a_failure_names_the_numbers_the_worst_queries_and_why() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_scores(build_report(), {"recall@3": ">= 0.9", "recall": 0.75})
    lines = str(caught.value).splitlines()
    assert lines[0] == "1 of 2 scores are not as expected (profile autorag, 3 scored queries)"
    assert lines[1].startswith("  recall@3 >= 0.9 failed: recall@3 is 0.75 (")
    assert lines[2] == "    look at 'q1' 0.5000, 'q3' 0.7500, 'q2' 1.0000"
    assert "q1: 1 of 2 groups met in the first 3 results" in lines
    assert lines[-1] == "  B  group 2 (b) not retrieved"


def test_a_number_within_the_tolerance_passes() -> None:
    assert_scores(build_report(), {"recall": 0.7}, tolerance=0.05)
    with pytest.raises(AssertionError, match=r"recall: expected 0.7, found 0.75"):
        assert_scores(build_report(), {"recall": 0.7}, tolerance=0.04)


@pytest.mark.parametrize(
    ("expected", "error", "message"),
    [
        ({"recal": ">= 0.5"}, UnknownMetric, "did you mean 'recall'"),
        ({"recal": 0.5}, UnknownMetric, "did you mean 'recall'"),
        ({"ndcg": 0.5}, InputError, "ndcg was not computed; add it to metrics"),
        ({"ndcg": ">= 0.5"}, AssertionError, "ndcg was not computed"),
        ({"recall": "no_worse"}, InputError, "use assert_no_regression"),
        ({"recall": "at least 0.5"}, InputError, "a bound such as '>= 0.8'"),
        ({"recall": float("nan")}, InputError, "expected a number"),
        ({"recall": [1]}, InputError, "expected a number"),
    ],
)
def test_what_cannot_be_asserted_says_why(
    expected: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        assert_scores(build_report(), expected)


def test_a_report_is_needed() -> None:
    with pytest.raises(OptionError, match="expected what evaluate"):
        assert_scores({"recall": 1.0}, {"recall": ">= 0.5"})  # type: ignore[arg-type]


def test_the_pytest_fixture_needs_a_report(groupwise: Any) -> None:
    for method in (groupwise.record, groupwise.assert_scores, groupwise.assert_no_regression):
        more = [] if method == groupwise.record else [{"recall": ">= 0.5"}]
        with pytest.raises(OptionError, match="expected what evaluate"):
            method({"recall": 1.0}, *more)


def test_expectations_are_a_mapping() -> None:
    with pytest.raises(OptionError, match=r'a mapping such as \{"recall@10": ">= 0.9"\}, got'):
        assert_scores(build_report(), ["recall >= 0.5"])  # type: ignore[arg-type]


def test_hostile_ids_are_text() -> None:
    report = evaluate({"\x1b[31m::x": [["a"]]}, {"\x1b[31m::x": ["b"]}, metrics=["recall"])
    with pytest.raises(AssertionError) as caught:
        assert_scores(report, {"recall": ">= 0.5"})
    assert all(line.isprintable() for line in str(caught.value).splitlines())


@pytest.fixture
def baseline(tmp_path: Path) -> Path:
    path = tmp_path / "baseline.json"
    build_report(save_baseline=path)
    return path


def test_the_same_scores_are_no_regression(baseline: Path) -> None:
    assert_no_regression(build_report(), baseline)
    assert_no_regression(build_report(provenance=True), baseline=str(baseline))
    assert_no_regression(build_report({**RUN, "q1": ["a", "b"]}), baseline)


def test_a_regression_names_the_queries_that_lost(baseline: Path) -> None:
    for options in ({}, {"provenance": True}):
        with pytest.raises(AssertionError) as caught:
            assert_no_regression(build_report(WORSE, **options), baseline)
        lines = str(caught.value).splitlines()
        assert lines[0].startswith("2 of 2 scores are below the baseline")
        assert lines[1].startswith("  recall >= baseline failed: recall is 0.5 (")
        assert lines[2] == "    look at 'q3' 0.7500 → 0.0000"
        assert any(line.startswith("q3: 0 of 4 groups met") for line in lines)


def test_a_margin_forgives_a_small_loss(baseline: Path) -> None:
    assert_no_regression(build_report(WORSE), baseline, margin=0.25)
    with pytest.raises(AssertionError, match=r"baseline - 0\.24 failed"):
        assert_no_regression(build_report(WORSE), baseline, margin=0.24, metrics=["recall"])
    with pytest.raises(OptionError, match="margin"):
        assert_no_regression(build_report(), baseline, margin=-1)


def test_a_baseline_of_other_data_is_refused(baseline: Path, tmp_path: Path) -> None:
    other = {**TRUTH, "q4": [["z"]]}
    for asked in (False, True):
        report = evaluate(other, {**RUN, "q4": ["z"]}, metrics=["recall"], provenance=asked)
        with pytest.raises(InputError, match="the ground truth is not that of the baseline"):
            assert_no_regression(report, baseline)
        assert_no_regression(report, baseline, allow_other_data=True)
    with pytest.raises(InputError, match="no metric to compare"):
        assert_no_regression(evaluate(TRUTH, RUN, metrics=["ndcg"]), baseline)
    with pytest.raises(InputError, match="nothing"):
        assert_no_regression(build_report(), tmp_path / "nothing.json")
    (tmp_path / "other.json").write_text("{}", "utf-8")
    with pytest.raises(InputError, match="save-baseline"):
        assert_no_regression(build_report(), tmp_path / "other.json")


def test_a_report_without_its_data_needs_fingerprints(baseline: Path) -> None:
    text = json.dumps(build_report().to_dict())
    with pytest.raises(InputError, match="does not say which data it is about"):
        assert_no_regression(Report.model_validate_json(text), baseline)
    known = json.dumps(build_report(provenance=True).to_dict())
    assert_no_regression(Report.model_validate_json(known), baseline)


def test_invalid_data_are_listed() -> None:
    assert_valid(TRUTH)
    with pytest.raises(AssertionError, match="GT004 query 'q1': an empty group"):
        assert_valid({"q1": [["a"], []]})


TEST = """\
from groupwise import evaluate
from groupwise.testing import assert_scores

def test_evaluates(groupwise):
    report = groupwise.evaluate({"q": [["a"], ["b"]]}, {"q": ["a"]}, metrics=["recall"])
    groupwise.assert_scores(report, {"recall": ">= 0.5"})
    groupwise.assert_valid({"q": [["a"], ["b"]]})

def test_two_runs(groupwise):
    for name in ("bm25", "dense\\x1b"):
        report = evaluate({"q": [["a"], ["b"]]}, {"q": ["a"]}, metrics=["recall"])
        groupwise.record(report, name)

def test_falls_short(groupwise):
    report = evaluate({"q": [["a"], ["b"]]}, {"q": ["a"]}, metrics=["recall"])
    groupwise.assert_scores(report, {"recall": ">= 0.9"})

def test_by_function():
    report = evaluate({"q": [["a"], ["b"]]}, {"q": ["a"]}, metrics=["recall"])
    assert_scores(report, {"recall": ">= 0.9"})
"""


def test_the_fixture_records_scores(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it=TEST)
    result = pytester.runpytest("--junitxml=junit.xml", "-p", "no:randomly")
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines([
        "E * AssertionError: 1 of 1 scores are not as expected (profile autorag, 1 scored query)",
        "*groupwise scores*",
        "test_it.py::test_evaluates: recall 0.5000",
        "test_it.py::test_falls_short: recall 0.5000",
        "test_it.py::test_two_runs: bm25: recall 0.5000, dense\\x1b: recall 0.5000",
    ])  # fmt: skip
    result.stdout.no_fnmatch_line("*assertions.py*")
    text = (pytester.path / "junit.xml").read_text("utf-8")
    body = text.partition("?>")[2]
    root = check_junit(f'<?xml version="1.0" encoding="UTF-8"?>\n{body}')
    properties = {each.get("name"): each.get("value") for each in root.iter("property")}
    assert properties["test_it.py::test_evaluates recall"] == "0.5"
    assert len(properties) == 4
