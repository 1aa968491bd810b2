import csv
import io
import json

import pytest

from groupwise import evaluate
from groupwise.evaluator.reporting.forms import REPORT_FORMS, render
from groupwise.evaluator.reporting.pivot import build_pivot, format_counts, split_cutoff
from groupwise.schemas import Counts, Report

FORMS = sorted({*REPORT_FORMS.built_in} - {"parquet"})
GROUND_TRUTH = {"q1": [["test-1", "test-2"], ["test-3"]], "q2": [["a"]], "q3": []}
RESULTS = {"q1": ["test-1", "pred-1", "test-2", "pred-3"], "q2": ["x", "a"]}


@pytest.fixture
def report() -> Report:
    metrics = ["recall", "mrr", "mrr@1", "first_hit"]
    return evaluate(GROUND_TRUTH, RESULTS, metrics=metrics)


def test_methods_of_the_report_render(report: Report) -> None:
    assert report.to_json() == render(report, "json")
    assert report.to_csv() == render(report, "csv")
    assert report.to_markdown() == str(report) == render(report, "markdown")


def test_an_unknown_form_is_refused(report: Report) -> None:
    with pytest.raises(ValueError, match="no form 'yaml'; choose from table, json"):
        render(report, "yaml")


@pytest.mark.parametrize("form", FORMS)
def test_every_form_ends_with_one_newline(report: Report, form: str) -> None:
    text = render(report, form)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_json_is_the_report(report: Report) -> None:
    assert json.loads(render(report, "json")) == report.to_dict()
    assert Report.model_validate_json(render(report, "json")) == report


def test_json_lines_are_queries_and_the_rest(report: Report) -> None:
    *queries, rest = map(json.loads, render(report, "jsonl").splitlines())
    whole = report.to_dict()
    assert {one["query"]: one["scores"] for one in queries} == whole.pop("per_query")
    assert rest == whole


def test_csv_has_empty_cells_where_there_is_no_value(report: Report) -> None:
    assert list(csv.reader(io.StringIO(render(report, "csv")))) == [
        ["kind", "query", "recall", "mrr", "mrr@1", "first_hit"],
        ["query", "q1", "0.5", "0.5", "0.5", "1"],
        ["query", "q2", "1.0", "0.5", "0.0", "2"],
        ["query", "q3", "", "", "", ""],
        ["mean", "", "0.75", "0.5", "0.25", ""],
    ]


def test_markdown_shows_whole_rankings_beside_cutoffs(report: Report) -> None:
    text = render(report, "markdown")
    assert "| metric | @1 | all |\n| --- | ---: | ---: |\n| recall | – | 0.7500 |" in text  # noqa: RUF001
    assert "| mrr | 0.2500 | 0.5000 |" in text
    assert "| first_hit | 1.5 | 2 | 0 |" in text


def test_markdown_names_profile_counts_and_warnings(report: Report) -> None:
    text = render(report, "markdown")
    assert "Profile `autorag`; 3 queries, 2 scored, 1 unanswerable." in text
    assert "- **Warning:** 1 query without ground truth (unanswerable), not scored" in text


def test_without_cutoffs_there_is_one_column() -> None:
    report = evaluate(GROUND_TRUTH, RESULTS, metrics=["recall"])
    assert build_pivot(report) == (["mean"], [("recall", [0.75])])


def test_cutoffs_are_in_order() -> None:
    report = evaluate(GROUND_TRUTH, RESULTS, metrics="recall", k=[10, 2, 1])
    assert build_pivot(report).columns == ["@1", "@2", "@10"]


def test_labels_are_split() -> None:
    assert split_cutoff("coverage:ndcg(gain=linear)@3") == ("coverage:ndcg(gain=linear)", "3")
    assert split_cutoff("map") == ("map", None)


def test_counts_in_words() -> None:
    assert format_counts(Counts(queries=1, scored=1)) == "1 query, 1 scored"
    assert format_counts(Counts(queries=2000, scored=0, missing=2000, extra=1)) == (
        "2,000 queries, 0 scored, 2,000 without results, 1 in the results only"
    )


def test_ids_that_are_no_unicode_text_can_be_rendered() -> None:
    lone = evaluate({"\ud800": [["a"]]}, {"\ud800": ["a"]})
    for form in FORMS:
        assert render(lone, form).encode()
        assert "\\ud800" in render(lone, form) or form in ("markdown", "latex")
