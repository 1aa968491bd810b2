"""Reports for CI: GitHub's annotations, JUnit XML, Markdown, with gates and the worst queries."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from groupwise import evaluate
from tests.cli.conftest import Groupwise, Write
from tests.reporting.junit import check_junit

TRUTH = {"q1": [["a"]], "q2": [["b"], ["c"]], "q3": [["d"]]}
RUN = {"q1": ["a"], "q2": ["b", "x"], "q3": ["x", "d"]}
FORMS = ("github", "junit", "markdown")
TITLE = "title=groupwise evaluate"


@pytest.fixture
def files(write: Write) -> tuple[str, str]:
    return write("data/truth.json", TRUTH), write("run.json", RUN)


def cases(text: str) -> dict[str | None, ET.Element]:
    return {case.get("name"): case for case in check_junit(text).iter("testcase")}


def test_annotations_show_scores_warnings_and_the_worst_queries(
    groupwise: Groupwise, write: Write, files: tuple[str, str]
) -> None:
    done = groupwise("evaluate", *files, "-m", "recall,mrr", "--format", "github")
    head = f"::notice file=data/truth.json,{TITLE}::"
    assert (done.code, done.out.splitlines()) == (0, [
        f"{head}recall 0.8333, mrr 0.6667 (profile autorag; 3 queries, 3 scored)",
        f"{head}the worst queries by recall: 'q2' 0.5000, 'q1' 1.0000, 'q3' 1.0000",
    ])  # fmt: skip
    less = write("less.json", {"q1": ["a"]})
    done = groupwise("evaluate", files[0], less, "-m", "recall", "--format", "github")
    warning = "2 queries without results, scored 0: 'q2', 'q3'"
    assert f"::warning file=data/truth.json,{TITLE}::{warning}\n" in done.out
    words = ("evaluate", "-", less, "-m", "recall", "--format", "github", "--worst", "1")
    done = groupwise(*words, stdin=Path(files[0]).read_bytes())
    assert f"::notice {TITLE}::the worst queries by recall: 'q2' 0.0000\n" in done.out


def test_a_case_for_each_score_and_rank(groupwise: Groupwise, files: tuple[str, str]) -> None:
    done = groupwise("evaluate", *files, "-m", "recall,first_hit", "--format", "junit")
    found = cases(done.out)
    assert list(found) == ["recall", "first_hit"]
    (output,) = found["recall"]
    assert str(output.text).startswith("recall: 0.8333333333333334\nthe worst queries by recall")
    (output,) = found["first_hit"]
    assert str(output.text).startswith("first_hit: median 1.0, worst 2, not found 0\n")


def test_a_score_that_does_not_exist_is_an_error_of_its_case(
    groupwise: Groupwise, write: Write
) -> None:
    name = write("f.json", [{"id": "q", "ground_truth": [], "results": ["a"]}])
    done = groupwise("evaluate", name, "-m", "recall", "--format", "junit")
    assert done.code == 3
    assert cases(done.out)["recall"].find("error") is not None
    done = groupwise("evaluate", name, "-m", "recall", "--format", "github")
    assert f"::error file=f.json,{TITLE}::no query could be scored\n" in done.out


@pytest.mark.parametrize("form", FORMS)
def test_slices_have_their_place(groupwise: Groupwise, write: Write, form: str) -> None:
    truth = "".join(
        f'{{"id": "q{n}", "ground_truth": [["a"]], "metadata": {{"type": "t{n % 2}"}}}}\n'
        for n in range(4)
    )
    words = write("truth.jsonl", truth), write("run.json", {"q0": ["a"], "q2": ["a"]})
    done = groupwise("evaluate", *words, "-m", "recall", "--by", "type", "--format", form)
    assert done.code == 0
    if form == "github":
        assert f"{TITLE}::recall by type: t0 1.0000, t1 0.0000\n" in done.out
    elif form == "junit":
        assert {"t0: recall", "t1: recall"} <= cases(done.out).keys()
    else:
        assert "| t1 | 2 (few) | 0.0000 |" in done.out


@pytest.mark.parametrize("form", ["github", "junit"])
@pytest.mark.parametrize("option", [("--curve",), ("--ties", "report")])
def test_what_a_form_has_no_place_for_is_a_usage_error(
    groupwise: Groupwise, files: tuple[str, str], form: str, option: tuple[str, ...]
) -> None:
    done = groupwise("evaluate", *files, "--format", form, *option)
    assert (done.code, done.out) == (2, "")
    assert f"--format {form} has no place for {' '.join(option)}" in done.err


def test_junit_is_chosen_by_the_suffix(groupwise: Groupwise, files: tuple[str, str]) -> None:
    assert groupwise("evaluate", *files, "-o", "report.xml").code == 0
    assert len(cases(Path("report.xml").read_text("utf-8"))) == 6
    assert groupwise("evaluate", *files, "--no-per-query", "-o", "means.xml").code == 0
    assert "worst queries" not in Path("means.xml").read_text("utf-8")


HOSTILE = "\x1b[31m]]><b>|::error::x##[group]\u202e%0A\n\ufffe"


@pytest.mark.parametrize("form", FORMS)
def test_hostile_ids_labels_and_names_are_harmless(
    groupwise: Groupwise, write: Write, form: str
) -> None:
    truth = {HOSTILE: {"ground_truth": [["a"]], "metadata": {"type": HOSTILE}}, "q": [["a"]]}
    files = write("::a,b%.json", truth), write("run.json", {HOSTILE: ["x"], "q": ["a"]})
    words = ("--by", "type", "--worst", "2", "--format", form)
    done = groupwise("evaluate", *files, "-m", "recall", *words)
    assert done.code == 0, done.err
    assert not {*"\x1b\u202e"} & {*done.out}
    assert "##[" not in done.out
    lines = done.out.splitlines()
    if form == "github":
        assert {line.split()[0] for line in lines} <= {"::notice", "::warning"}
        assert not any("::error" in line[:10] for line in lines)
    elif form == "junit":
        check_junit(done.out)
    else:
        assert "<b>" not in done.out


def test_a_report_renders_the_forms(files: tuple[str, str]) -> None:
    report = evaluate(*files, metrics=["recall"])
    assert report.render("github").startswith(f"::notice {TITLE}::recall 0.8333")
    assert list(cases(report.render("junit"))) == ["recall"]
