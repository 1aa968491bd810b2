"""A comparison in each form: what it shows, and what hostile names cannot do in it."""

import csv
import io
import json
import re
from typing import Any

import pytest

from groupwise import Comparison, Form, add_form, compare, evaluate
from groupwise.evaluator.reporting.comparison import COMPARISON_FORMS
from groupwise.evaluator.reporting.comparison.terminal import render
from groupwise.evaluator.reporting.comparison.wording import join_letters, name_letters
from groupwise.evaluator.reporting.sanitise import latex_safe
from tests.paths import ROOT

QUERIES = [f"q{number:02}" for number in range(20)]
TRUTH = {query: [["a"]] for query in QUERIES}
GOOD = {query: ["a"] for query in QUERIES}
BAD = {query: ["x", "a"] for query in QUERIES}
RUNS = {"bad": BAD, "good": GOOD, "mixed": {**GOOD, "q00": ["x"], "q01": ["x", "a"]}}
HOSTILE = "\x1b[31m|&_%$#{}~^\\`*<b>\n::error::\"'"


@pytest.fixture
def comparison() -> Comparison:
    return compare(TRUTH, RUNS, metrics=["mrr", "hit_rate"])


def test_methods_of_the_comparison_render(comparison: Comparison) -> None:
    assert comparison.to_json() == comparison.render("json")
    assert comparison.to_csv() == comparison.render("csv")
    assert comparison.to_latex() == comparison.render("latex")
    assert comparison.to_markdown() == str(comparison) == comparison.render("markdown")
    with pytest.raises(ValueError, match="no form 'yaml'; choose from table, markdown"):
        comparison.render("yaml")


@pytest.mark.parametrize("form", COMPARISON_FORMS.built_in)
def test_every_form_ends_with_one_newline(comparison: Comparison, form: str) -> None:
    text = comparison.render(form)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_json_is_the_comparison(comparison: Comparison) -> None:
    assert json.loads(comparison.to_json()) == comparison.to_dict()


def test_a_table_marks_the_best_run_and_those_that_it_beats(comparison: Comparison) -> None:
    lines = comparison.render("table").splitlines()
    rows = {line.split()[1]: line.split()[2:] for line in lines[4:7]}
    assert rows["bad"][0] == "0.5000"
    assert rows["good"][:2] == ["1.0000*", "a"]
    assert rows["mixed"][:2] == ["0.9250", "a"]
    bold = render(comparison, colour=True).splitlines()
    assert re.search(r"\x1b\[1m1\.0000\*", bold[5])


def test_every_table_names_test_correction_and_family(comparison: Comparison) -> None:
    for form in ("table", "markdown", "latex"):
        text = comparison.render(form)
        assert "paired randomisation test, two-sided" in text
        assert "corrected by Holm over the 3 pairs of each metric" in text
        assert "20 queries, 20 compared" in text
    tables = comparison.to_latex().split(r"\begin{table}")[1:]
    assert all("Holm over the 3 pairs" in table for table in tables)


def test_a_test_that_draws_nothing_shows_its_details() -> None:
    pytest.importorskip("scipy", reason="needs scipy")
    found = compare(TRUTH, RUNS, metrics="mrr", test="wilcoxon", correction="none")
    assert "zero_method='wilcox'" in found.render("table")
    assert "not corrected for the 3 pairs of each metric" in found.render("table")


def test_markdown_has_bold_and_letters(comparison: Comparison) -> None:
    text = comparison.to_markdown()
    assert "| b | good | **1.0000**<sup>a</sup> |" in text
    assert "| --- | --- | ---: | ---: |" in text
    assert "| good - bad | **+0.5000** | +100.0% |" in text
    assert "| good is better than bad |" in text


def test_latex_is_made_of_booktabs(comparison: Comparison) -> None:
    text = comparison.to_latex()
    assert text.startswith("% \\usepackage{booktabs}\n\\begin{table}\n")
    assert r" & run & mrr & hit\_rate \\" in text
    assert r"b & good & \textbf{1.0000}\textsuperscript{a}" in text
    for name in ("table", "tabular"):
        assert text.count(rf"\begin{{{name}}}") == text.count(rf"\end{{{name}}}")
    for rule in ("toprule", "midrule", "bottomrule"):
        assert text.count(rf"\{rule}") == text.count(r"\begin{table}")
    first, pairs, *_ = text.split(r"\begin{table}")[1:]
    assert r"\footnotesize" in pairs, "seven columns are too wide for a page in normal size"
    assert r"\footnotesize" not in first


def test_csv_has_a_row_per_run_and_per_pair(comparison: Comparison) -> None:
    rows = list(csv.DictReader(io.StringIO(comparison.to_csv())))
    assert [row["kind"] for row in rows] == ["run"] * 6 + ["pair"] * 6
    first = rows[0]
    assert (first["run"], first["metric"], first["mean"]) == ("bad", "mrr", "0.5")
    good = next(row for row in rows if row["run"] == "good")
    assert (good["best"], good["better_than"], good["n"]) == ("true", "bad", "20")
    pair = next(row for row in rows if (row["a"], row["b"]) == ("bad", "good"))
    assert (pair["difference"], pair["wins"], pair["ties"], pair["losses"]) == (
        "0.5",
        "20",
        "0",
        "0",
    )
    assert float(pair["p"]) == comparison.pairs[0].p


def test_letters_become_numbers_when_they_run_out() -> None:
    letters = name_letters([f"run{number}" for number in range(52)])
    assert (letters["run0"], letters["run26"], letters["run51"]) == ("a", "A", "Z")
    assert join_letters(["run0", "run26"], letters) == "aA"
    numbers = name_letters([f"run{number}" for number in range(53)])
    assert join_letters(["run0", "run52"], numbers) == "1,53"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a_b & 5 %", r"a\_b \& 5 \%"),
        ("{x}$#", r"\{x\}\$\#"),
        ("\\input{x}", r"\textbackslash{}input\{x\}"),
        ("~^<>|", r"\textasciitilde{}\textasciicircum{}\textless{}\textgreater{}\textbar{}"),
        ("[b]", "{}[b]"),
        ('say "it\'s"', r"say {\char34}it's{\char34}"),
        ("a\nb", r"a\textbackslash{}x0ab"),
        ("–", "--"),  # noqa: RUF001
    ],
)
def test_latex_shows_text_literally(text: str, shown: str) -> None:
    assert latex_safe(text) == shown


def hostile(name: str) -> Comparison:
    records = [
        {"id": f"{name}{query}", "ground_truth": [["a"]], "metadata": {name: name}}
        for query in QUERIES
    ]
    runs = {
        run: {f"{name}{query}": results for query, results in given.items()}
        for run, given in ((name, GOOD), (f"{name}2", BAD))
    }
    return compare(records, runs, metrics="mrr", by=name, baseline=name)


@pytest.mark.parametrize("form", COMPARISON_FORMS.built_in)
def test_hostile_names_of_runs_queries_and_slices_do_no_harm(form: str) -> None:
    text = hostile(HOSTILE).render(form)
    assert "\x1b" not in text
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())
    text.encode()


def test_hostile_names_keep_the_columns_of_tables() -> None:
    markdown = hostile(HOSTILE).to_markdown()
    for table in re.findall(r"(?:^\|.*\n)+", markdown, re.MULTILINE):
        columns = {len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in table.splitlines()}
        assert len(columns) == 1
    latex = hostile(HOSTILE).to_latex()
    bare = re.sub(r"\\[\\&%$#_{}]", "", latex)
    for line in bare.splitlines():
        if line.startswith(("a ", "b ")):
            assert line.count("&") == 2
    assert latex.count("{") - latex.count(r"\{") == latex.count("}") - latex.count(r"\}")
    rows = list(csv.reader(io.StringIO(hostile("=1+1").to_csv())))
    assert len({*map(len, rows)}) == 1
    assert not any(cell.startswith("=") for row in rows for cell in row)


def test_query_ids_that_are_no_unicode_text() -> None:
    for form in COMPARISON_FORMS.built_in:
        assert hostile("\ud800").render(form).encode()


def test_few_queries_and_hidden_pairs_are_said() -> None:
    few = compare({"q": [["a"]]}, {"one": {"q": ["a"]}, "two": {"q": ["x"]}}, metrics="recall")
    assert "1 query: fewer than 10 are too few to say anything" in few.render("table")
    runs = {f"run{number}": RUNS["mixed"] for number in range(9)}
    many = compare(TRUTH, runs, metrics=["mrr", "recall"])
    assert "42 more pairs of runs and metrics; json and csv have all of them" in many.to_markdown()
    assert len(many.pairs) == 72


def test_narrow_terminals() -> None:
    found = compare(TRUTH, {f"a long name of a run {n}": GOOD for n in range(3)})
    for width in (20, 40, 80):
        text = render(found, width)
        tables = [line for line in text.splitlines() if set(line) == {"─"}]
        assert all(len(line) <= max(width, 30) for line in tables)


@pytest.mark.usefixtures("nothing_added")
def test_a_form_of_a_user(comparison: Comparison) -> None:
    form: Form[Any] = Form("winner", lambda found: f"{min(found.runs)}\n", (".winner",))
    add_form(form, of="comparison")
    assert comparison.render("winner") == "bad\n"
    assert COMPARISON_FORMS.choose(None, "x.winner") is form
    with pytest.raises(ValueError, match="expected 'report', 'comparison', "):
        add_form(form, of="runs")  # type: ignore[arg-type]


def test_a_report_as_latex() -> None:
    truth = {"q_1": [["a"], ["b"]], "q2": [["c"]]}
    report = evaluate(
        truth, {"q_1": ["a", "x"], "q2": ["c"]}, metrics=["hit_rate", "recall", "first_hit"],
        k=[1, 3], curve=2,
    )  # fmt: skip
    text = report.to_latex()
    assert r"metric & @1 & @3 \\" in text
    assert r"hit\_rate & 1.0000 & 1.0000 \\" in text
    assert r"first\_hit@1 & 1 & 1 & 0 \\" in text
    assert "Profile autorag; 2 queries, 2 scored." in text
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == 3


@pytest.mark.parametrize("options", [{}, {"margin": 0.1, "baseline": "bad"}, {"by": "groups"}])
def test_json_is_what_the_schema_says(options: dict[str, Any]) -> None:
    path = ROOT / "docs" / "reference" / "schemas" / "comparison.schema.json"
    validators: Any = pytest.importorskip("jsonschema")
    validator = validators.Draft202012Validator(json.loads(path.read_text("utf-8")))
    runs = RUNS | {"fourth": BAD}
    found = compare(TRUTH, runs, metrics=["mrr", "recall"], provenance=True, **options)
    assert [*validator.iter_errors(found.to_dict())] == []
    assert [*validator.iter_errors({**found.to_dict(), "baselin": None})]
    assert [*validator.iter_errors({**found.to_dict(), "runs": []})]


def test_a_metric_that_some_queries_have_no_value_of_says_how_many_it_compares() -> None:
    """Two of three queries have a group with this label."""
    labels = {"q1": "vital", "q2": "vital", "q3": "okay"}
    truth = [{"id": query, "ground_truth": [{"alternatives": ["a"], "label": label}]}
             for query, label in labels.items()]  # fmt: skip
    runs = {"old": {query: ["a"] for query in labels}, "new": {query: ["b"] for query in labels}}
    table = compare(truth, runs, metrics=["recall", "recall(label=vital)"]).to_markdown()
    assert "recall(label=vital): 2 compared, those that have a value" in table
    assert "recall: 3" not in table


def test_a_comparison_without_intervals_says_why() -> None:
    table = compare({"q": [["a"]]}, {"old": {"q": ["a"]}, "new": {"q": ["b"]}}).to_markdown()
    assert (
        "no intervals: fewer than 2 queries have a value, or all values are equal" in table.lower()
    )
