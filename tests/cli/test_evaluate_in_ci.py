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


GATES = ("--gate", "recall >= 0.9", "--gate", "mrr > 0", "--gate", "precision@1 >= 0.5")


def test_annotations_of_gates(groupwise: Groupwise, files: tuple[str, str]) -> None:
    done = groupwise("evaluate", *files, "-m", "recall", *GATES, "--format", "github")
    assert done.code == 1
    first, *others = done.out.splitlines()
    head = f"::error file=data/truth.json,{TITLE}::gate recall >= 0.9 failed: "
    assert first.startswith(f"{head}recall is 0.8333333333333334")
    assert "::2 gates passed: mrr > 0, precision@1 >= 0.5" in "\n".join(others)
    assert not any(line.startswith("::error") for line in others)


def test_a_case_for_each_gate(groupwise: Groupwise, files: tuple[str, str]) -> None:
    done = groupwise("evaluate", *files, "-m", "recall", *GATES, "--format", "junit")
    gates, scores = check_junit(done.out)
    assert (gates.get("tests"), gates.get("failures"), gates.get("errors")) == ("3", "1", "0")
    assert [case.get("name") for case in gates] == [
        "recall >= 0.9", "mrr > 0", "precision@1 >= 0.5",
    ]  # fmt: skip
    (failure,) = gates[0]
    assert "0.8333333333333334" in str(failure.get("message"))
    assert "the worst queries by recall: 'q2' 0.5000" in str(failure.text)
    assert len(scores) == 3


def test_markdown_has_gates_and_the_worst_queries_of_the_one_that_fails(
    groupwise: Groupwise, files: tuple[str, str]
) -> None:
    words = ("-m", "precision", "--gate", "mrr >= 0.9", "--gate", "recall > 0")
    done = groupwise("evaluate", *files, *words, "--format", "markdown")
    assert done.code == 1
    assert "| mrr \\>= 0.9 | failed | mrr is 0.666" in done.out
    assert "| recall \\> 0 | passed | " in done.out
    assert "The 3 worst by mrr, then by query id:" in done.out
    done = groupwise("evaluate", *files, "--gate", "recall > 0", "--format", "markdown")
    assert (done.code, "worst by" in done.out) == (0, False)


@pytest.mark.parametrize("form", FORMS)
def test_a_gate_that_cannot_be_judged(groupwise: Groupwise, write: Write, form: str) -> None:
    truth = [
        {"id": "q", "ground_truth": [["a"]], "metadata": {"type": "t"}},
        {"id": "r", "ground_truth": [], "answerable": False, "metadata": {"type": "none"}},
    ]
    files = write("truth.json", truth), write("run.json", {"q": ["a"], "r": ["a"]})
    words = ("--gate", "type=none: recall >= 0", "--by", "type", "--format", form)
    done = groupwise("evaluate", *files, "-m", "recall", *words)
    assert done.code == 3
    if form == "junit":
        assert cases(done.out)["type=none: recall >= 0"].find("error") is not None
    elif form == "github":
        assert done.out.startswith(f"::error file=truth.json,{TITLE}::gate type=none: recall >= 0")
    else:
        assert "| type=none: recall \\>= 0 | undecided |" in done.out


@pytest.mark.parametrize("form", FORMS)
def test_what_no_ranking_can_reach_does_not_fail_the_preset(
    groupwise: Groupwise, write: Write, form: str
) -> None:
    """With one document to find, precision@3 of three results is at most 1/3."""
    truth = {f"q{n}": [[f"a{n}"]] for n in range(12)}
    run = {f"q{n}": [f"a{n}", *(f"x{m}" for m in range(20))] for n in range(12)}
    files = write("truth.json", truth), write("run.json", run)
    done = groupwise("evaluate", *files, "--gates", "rag", "--format", form)
    assert done.code == 0, done.err
    if form == "junit":
        assert cases(done.out)["precision@3 >= 0.8"].find("skipped") is not None
    elif form == "github":
        assert "::warning file=truth.json" in done.out
        assert "::gate precision@3 >= 0.8 unreachable" in done.out
    else:
        assert "| precision@3 \\>= 0.8 | unreachable |" in done.out
