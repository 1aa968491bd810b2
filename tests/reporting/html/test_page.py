"""A report as a page, read without a browser."""

import json
import re
import sys
from base64 import b64encode
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from groupwise import InputError, Report, compare, evaluate
from groupwise.evaluator.reporting.html.completion import complete
from groupwise.evaluator.reporting.html.environment import sanitise
from groupwise.evaluator.text import UNSEEN, printable
from tests.paths import EXAMPLES, RETRIEVERS
from tests.reporting.html.hostile import SIGNS, build
from tests.reporting.html.pages import Page

TRUTH = {"q1": [["test-1", "test-2"], ["test-3"]], "q2": [["a"]], "q3": []}
DRAWN = {"svg", "g", "title", "desc", "text", "tspan", "rect", "line", "path", "circle", "polygon"}
RESULTS = {"q1": ["test-1", "pred-1", "test-2", "pred-3"], "q2": ["x", "a"]}


@pytest.fixture
def report() -> Report:
    return evaluate(TRUTH, RESULTS, metrics=["recall@3", "mrr"])


def test_the_page_allows_its_own_style_and_script_only(report: Report) -> None:
    page = Page(report.to_html())
    (policy,) = page.find("meta", **{"http-equiv": "Content-Security-Policy"})
    hashes = [
        f"'sha256-{b64encode(sha256(page.raw[name][0].encode()).digest()).decode()}'"
        for name in ("style", "script")
    ]
    assert policy.attributes["content"] == (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"style-src {hashes[0]}; script-src {hashes[1]}"
    )
    assert [len(page.raw[name]) for name in ("style", "script")] == [1, 1]


def test_nothing_is_loaded_and_nothing_runs_from_attributes() -> None:
    runs = {name: str(RETRIEVERS / f"{name}.jsonl") for name in ("bm25", "tfidf")}
    truth = str(RETRIEVERS / "ground_truth.jsonl")
    pages = [evaluate(truth, runs["bm25"], by="corpus").to_html(), compare(truth, runs).to_html()]
    for page in map(Page, pages):
        names = {name for tag in page.tags for name in tag.attributes}
        assert not {name for name in names if name.startswith("on")} | names & {"src", "style"}
        links = {tag.attributes["href"] for tag in page.tags if "href" in tag.attributes}
        assert links == {"#main"}
        assert "@import" not in page.raw["style"][0]
        assert "url(" not in page.raw["style"][0]
        assert not {tag.name for tag in page.tags} & {"link", "img", "iframe", "object", "base"}


@pytest.mark.parametrize("sign", SIGNS)
def test_hostile_data_is_text(sign: str) -> None:
    pages = [
        evaluate(*build(each), metrics=["recall@1", "mrr"], by=["type", "label"]).to_html()
        for each in (sign, "harmless")
    ]
    hostile, harmless = map(Page, pages)
    assert hostile.shape == harmless.shape
    assert hostile.drawn <= DRAWN
    assert hostile.raw["script"] == harmless.raw["script"]
    assert hostile.raw["style"] == harmless.raw["style"]
    assert not [found for found in UNSEEN.findall(pages[0]) if found != "\n"]
    for text in ("q", "gold", "found", "l", "b"):
        assert " ".join(printable(f"{sign} {text}").split()) in hostile.text


@pytest.mark.parametrize("sign", SIGNS)
def test_hostile_runs_are_text_in_a_comparison(sign: str) -> None:
    truth, run = build(sign)
    other = [{**record, "results": []} for record in run]
    pages = []
    for name in (sign, "harmless"):
        found = compare(truth, {f"{name} 1": run, f"{name} 2": other}, metrics="recall", by="type")
        pages.append(found.to_html())
    hostile, harmless = map(Page, pages)
    assert hostile.shape == harmless.shape
    assert hostile.drawn <= DRAWN
    assert not [found for found in UNSEEN.findall(pages[0]) if found != "\n"]
    assert " ".join(printable(f"{sign} 1").split()) in hostile.text


def test_the_page_says_what_was_evaluated(tmp_path: Path) -> None:
    (tmp_path / "qa.json").write_text(json.dumps(TRUTH), encoding="utf-8")
    (tmp_path / "bm25.json").write_text(json.dumps(RESULTS), encoding="utf-8")
    report = evaluate(
        tmp_path / "qa.json", tmp_path / "bm25.json", metrics="recall@3", profile="coverage",
        missing="skip", gates=["recall@3 >= 0.9"], provenance=True,
    )  # fmt: skip
    page = Page(report.to_html())
    assert report.provenance is not None
    for given in report.provenance.inputs:
        assert f"{given.name} {given.fingerprint}" in page.text
    assert "bm25.json on qa.json" in page.text
    assert "missing=skip" in page.text
    assert "3 queries, 2 scored, 1 unanswerable" in page.text
    assert "matching exact" in page.text.replace("matching", "matching ").replace("  ", " ")
    assert "recall@3 >= 0.9 failed 0.7500 0.9000 1.0000" in page.cells
    assert str(tmp_path) not in report.to_html()


def test_warnings_come_first(report: Report) -> None:
    page = Page(report.to_html())
    headings = [tag.attributes["id"] for tag in page.find("h2")]
    assert headings[:2] == ["warnings", "evaluated"]
    assert page.text.index(report.warnings[0]) < page.text.index("What was evaluated")


def test_scores_have_profile_interval_and_ceiling() -> None:
    """One query, two groups in the first three results of which one is met: by hand."""
    truth = {f"q{n}": [["a"], ["b"], ["c"], ["d"]] for n in range(8)}
    run = {f"q{n}": ["a", "b" if n % 2 else "x", "y"] for n in range(8)}
    page = Page(evaluate(truth, run, metrics="recall@3").to_html())
    (score,) = re.findall(r"recall@3 (\S+) (.*?) (\d\.\d+) to (\d\.\d+) (\d\.\d+) ", row(page))
    assert score[0] == "Share"
    assert "autorag 0.3750" in row(page)
    assert 0.25 <= float(score[2]) < 0.375 < float(score[3]) <= 0.5
    assert score[4] == "0.7500"


def row(page: Page) -> str:
    text = page.cells
    return text[text.index("recall@3 Share") :]


def test_a_query_shows_its_hits_its_ranks_and_what_it_missed(report: Report) -> None:
    """The running example: A is met at rank 1 and again at 3, B (test-3) never."""
    page = Page(report.to_html())
    (vector, *_) = page.find("span", role="img")
    assert vector.attributes["aria-label"] == "A at rank 1, again at 3; B at no rank"
    text = page.cells
    assert "q1 A . A A 1 B – test-3 (not retrieved) 1 of 2 0.5000" in text  # noqa: RUF001
    assert "1 of 2 groups met in the first 3 results" in text
    assert "Ranking A test-1 . pred-1 A test-2" in text
    ranks = [tag.attributes["value"] for tag in page.find("li") if "value" in tag.attributes]
    assert ranks[:3] == ["1", "2", "3"]


def test_the_ranking_shows_hits_that_come_too_late() -> None:
    """Group B is met at rank 4 by b, and C at rank 6; results 3 and 5 stay out."""
    report = evaluate(
        {"q": [["a"], ["b"], ["c"]]}, {"q": ["x", "a", "y", "b", "z", "c", "w"]}, metrics="recall@2"
    )
    page = Page(report.to_html())
    ranks = [tag.attributes["value"] for tag in page.find("li") if "value" in tag.attributes]
    assert ranks == ["1", "2", "4", "6"]
    assert "Ranking . x A a B b C c 3 more results" in page.cells


def test_one_result_is_singular() -> None:
    text = Page(evaluate({"q": [["a"]]}, {"q": ["a"]}, metrics="recall@1").to_html()).cells
    assert "which groups the first result meets" in text


def test_labels_of_groups_are_told_apart_from_a_field_called_label() -> None:
    truth = [{"id": "q", "metadata": {"label": "news"},
              "ground_truth": [{"alternatives": ["a"], "label": "vital"}]}]  # fmt: skip
    page = evaluate(truth, {"q": ["b"]}, metrics="recall@1", by="label").to_html()
    tables = re.findall("<summary>Groups (by label[^<]*)<", page)
    bars = re.findall("<text[^>]*>(by label[^<]*)<", page)
    assert tables == bars == ["by label", "by label of the query"]


def test_options_of_a_matcher_are_written_as_on_the_command_line() -> None:
    truth = [{"id": "q", "ground_truth": [[{"id": "a", "text": "gold"}]]}]
    run = [{"id": "q", "results": [{"id": "x", "text": "gold"}]}]
    text = Page(evaluate(truth, run, metrics="recall@1", matching="text").to_html()).cells
    assert "whole_words=true" in text


def test_the_worst_query_is_first_and_the_unscored_last(report: Report) -> None:
    text = Page(report.to_html()).cells
    queries = re.findall(r"Ranking and groups of (q\d)", text)
    assert queries == ["q1", "q2", "q3"]
    states = [tag.attributes["data-state"] for tag in Page(report.to_html()).find("tbody")
              if "data-state" in tag.attributes]  # fmt: skip
    assert states == ["not_retrieved", "complete", "unscored"]


def test_texts_of_gold_and_results_are_shown() -> None:
    truth = [{"id": "q", "query": "Who?",
              "ground_truth": [[{"id": "a", "text": "gold\ntext"}], ["b"]]}]  # fmt: skip
    run = [{"id": "q", "results": [{"id": "x", "text": "found text"}, {"id": "a"}]}]
    text = Page(evaluate(truth, run, metrics="recall@5").to_html()).cells
    assert "a gold text" in text
    assert "x found text" in text


def test_texts_that_the_data_lack_come_from_the_corpus() -> None:
    truth = [{"id": "q", "ground_truth": [[{"id": "a", "text": "own text"}], ["b"]]}]
    corpus = {"a": "of the corpus", "b": "never found", "x": "irrelevant words", "z": "unused"}
    report = evaluate(truth, {"q": ["x", "a"]}, metrics="recall@5", corpus=corpus, explain=1)
    text = Page(report.to_html()).cells
    assert "a own text" in text
    assert "b never found" in text
    assert "x irrelevant words" in text
    assert "unused" not in text


@pytest.mark.parametrize(("worst", "rest"), [(2, 10), (12, 0), (40, 0)])
def test_the_worst_are_in_full_and_the_rest_in_a_compact_table(worst: int, rest: int) -> None:
    truth = {f"q{n:02}": [["a"], [f"b{n}"]] for n in range(12)}
    run = {f"q{n:02}": ["x"] * (n % 3) + ["a"] for n in range(12)}
    page = Page(evaluate(truth, run, metrics=["mrr", "recall"]).to_html(worst=worst))
    assert len(page.find("tr", **{"class": "more"})) == min(worst, 12)
    assert len([t for t in page.find("tr") if "data-state" in t.attributes]) == rest
    assert len(page.find("table", **{"class": "compact"})) == (rest > 0)


@pytest.mark.parametrize(
    "asked",
    [
        {"metrics": ["first_hit"]},
        {"metrics": ["recall@1", "first_hit"], "by": "groups"},
        {"metrics": "ndcg", "profile": "trec", "ties": "report"},
        {"metrics": "recall@5t", "characters_per_token": 4},
        {"metrics": "recall(label=x)"},
        {"per_query": False},
        {"matching": "normalised", "ceilings": False, "gates": ["recall >= 0.1"]},
        {"missing": "skip", "empty_results": "skip", "unanswerable": "zero", "bands": True},
        {"explain": 1, "curve": 2, "confidence": 0.9},
    ],
)
def test_a_page_of_every_kind_of_report(asked: dict[str, Any]) -> None:
    truth = [
        {"id": "q1", "ground_truth": [{"alternatives": ["a"], "label": "x"}, ["b", "c"]]},
        {"id": "q2", "ground_truth": [["d"]]},
        {"id": "q3", "ground_truth": []},
        {"id": "q4", "ground_truth": [["e"]]},
    ]
    run = [
        {"id": "q1", "results": [{"id": "C", "text": "some words"}, {"id": "a", "text": "more"}]},
        {"id": "q2", "results": []},
        {"id": "q5", "results": [{"id": "a", "text": "x"}]},
    ]
    page = Page(evaluate(truth, run, **asked).to_html())
    assert "q1" in page.text or not asked.get("per_query", True)
    assert bool(page.find("h2", id="queries")) is asked.get("per_query", True)
    assert all("None" not in text for text in re.findall(r"\S*None\S*", page.text))


def test_what_is_evaluated_again_is_whole_and_warns() -> None:
    """A gate asks for one ceiling; the page has all of them, and a warning about few queries."""
    report = evaluate(TRUTH, RESULTS, metrics=["recall@3", "mrr"], gates=["recall@3 >= 0.1"])
    assert list(report.ceilings) == ["recall@3"]
    assert list(complete(report).ceilings) == ["recall@3", "mrr"]
    assert "intervals are over 2 scored queries" in Page(report.to_html()).text
    assert [*report.warnings] == [*evaluate(TRUTH, RESULTS, metrics=["recall@3"]).warnings]


def test_a_single_query_has_no_interval() -> None:
    page = Page(evaluate({"q": [["a"]]}, {"q": ["a"]}, metrics="recall").to_html())
    assert "no interval" in page.text


def test_a_report_from_a_file_has_a_page_of_what_it_knows(report: Report) -> None:
    loaded = Report.model_validate_json(report.to_json())
    page = Page(loaded.to_html())
    assert "0.7500" in page.text
    assert not page.find("span", role="img")
    whole = evaluate(TRUTH, RESULTS, metrics="recall@3", explain=1)
    page = Page(Report.model_validate_json(whole.to_json()).to_html())
    assert len(page.find("tr", **{"class": "more"})) == 1


def test_data_that_has_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json.dumps(RESULTS), encoding="utf-8")
    report = evaluate(TRUTH, str(path), metrics="recall")
    path.write_text(json.dumps({"q1": [], "q2": []}), encoding="utf-8")
    with pytest.raises(InputError, match="the data has changed since this report"):
        report.to_html()


def test_the_page_of_a_live_retriever(tmp_path: Path) -> None:
    truth = [{"id": "q", "query": "who", "ground_truth": [["a"]]}]
    report = evaluate(truth, retriever=lambda _: ["b", "a"], metrics="recall@2")
    written = tmp_path / "page.html"
    assert report.to_html(written) == written.read_text(encoding="utf-8")
    assert "A at rank 2" in report.to_html()


def test_the_order_of_the_input_does_not_matter() -> None:
    pages = {
        evaluate(
            {q: truth[q] for q in order}, {q: run[q] for q in reversed(order)}, metrics="recall@1"
        ).to_html()
        for truth, run in [({"b": [["x"], ["y"]], "a": [["z"]]}, {"a": ["y"], "b": ["x", "y"]})]
        for order in (["a", "b"], ["b", "a"])
    }
    assert len(pages) == 1


def test_without_jinja2_one_line_says_what_to_install(
    report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(InputError) as refused:
        report.to_html()
    expected = "html needs jinja2, which is not installed: pip install 'groupwise[html]'"
    assert str(refused.value) == expected
    assert report.to_markdown()


def test_the_comparison_names_runs_tests_and_meanings() -> None:
    truth = str(RETRIEVERS / "ground_truth.jsonl")
    runs = {name: str(RETRIEVERS / f"{name}.jsonl") for name in ("bm25", "trigrams")}
    found = compare(truth, runs, metrics=["recall@5"], baseline="bm25", provenance=True)
    text = Page(found.to_html()).cells
    score = found.runs["bm25"]["recall@5"]
    assert f"a bm25 {score.mean:.4f} b [{score.low:.3f}, {score.high:.3f}]" in text
    assert "baseline bm25" in text
    assert found.pairs[0].verdict in text
    assert found.provenance is not None
    assert all(str(given.fingerprint) in text for given in found.provenance.inputs)


def test_the_largest_changes_name_query_and_groups() -> None:
    truth = [{"id": f"q{n}", "query": f"question {n}", "ground_truth": [["a"]]} for n in range(4)]
    runs = {"old": {f"q{n}": ["b"] for n in range(4)}, "new": {f"q{n}": ["a"] for n in range(4)}}
    text = Page(compare(truth, runs, metrics="recall@1").to_html()).cells
    assert "question 0 group 1 (a): new at rank 1, old not retrieved" in text
    assert "('" not in text


def test_only_text_and_numbers_are_shown() -> None:
    assert [sanitise("a\x1b"), sanitise(1.5)] == ["a\\x1b", 1.5]
    with pytest.raises(TypeError, match="expected text or a number in a page, got tuple"):
        sanitise(("a", "b"))


def test_headings_and_tables_can_be_followed() -> None:
    page = Page(evaluate(str(EXAMPLES / "multi-hop.json")).to_html())
    levels = [int(tag.name[1]) for tag in page.tags if re.fullmatch("h[1-6]", tag.name)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert len(page.find("table")) == len(page.find("caption")) > 2
    assert all("scope" in tag.attributes for tag in page.find("th"))
    assert {tag.attributes["lang"] for tag in page.find("html")} == {"en"}
    assert [t for t in page.find("th") if t.attributes.get("aria-sort") == "ascending"]
