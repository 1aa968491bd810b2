"""Forms of users: known by name and by suffix, to the library and on the command line."""

from pathlib import Path

import pytest

from groupwise import ExtensionError, Form, Report, ValidationReport, add_form, evaluate
from groupwise.evaluator.reporting import forms
from groupwise.evaluator.reporting.findings import FINDINGS_FORMS
from groupwise.evaluator.reporting.forms import REPORT_FORMS, Forms
from tests.cli.shell import spawn

pytestmark = pytest.mark.usefixtures("nothing_added")
PLUGIN = """
from groupwise import Form, add_form

def lines(report):
    return "".join(f"{name} = {value:.2f}\\n" for name, value in report.scores.items())

add_form(Form("lines", lines, ".lines"))
add_form(Form("packed", lambda report: b"\\x00" + lines(report).encode(), (".bin",), True))
add_form(Form("count", lambda report: f"{len(report.findings)}\\n", (".count",)), of="findings")
"""
FIXTURE = '[{"id": "q", "ground_truth": [["a", "a"], ["b"]], "results": ["a"]}]'


def count(report: Report | ValidationReport) -> str:
    return f"{type(report).__name__}\n"


@pytest.fixture
def report() -> Report:
    return evaluate([[["a"]]], [["a"]], metrics="recall")


def test_a_form_is_known_by_name_and_suffix(report: Report) -> None:
    form = add_form(Form("count", count, (".count", ".cnt")))
    assert report.render("count") == "Report\n"
    assert REPORT_FORMS.choose(None, "report.CNT") is form
    assert REPORT_FORMS.choose("count", "report.json") is form
    assert FINDINGS_FORMS.find("count") is None


def test_a_form_of_findings() -> None:
    form = add_form(Form("count", count, ".count"), of="findings")
    assert ValidationReport().render("count") == "ValidationReport\n"
    assert FINDINGS_FORMS.choose(None, "found.count") is form
    assert REPORT_FORMS.find("count") is None


def test_a_form_may_be_added_again(report: Report) -> None:
    add_form(Form("count", lambda _: "old"))
    add_form(Form("count", count))
    assert forms.render(report, "count") == "Report\n"


@pytest.mark.parametrize(("of", "name"), [("report", "csv"), ("findings", "sarif")])
def test_the_name_of_a_built_in_form_is_refused(of: str, name: str) -> None:
    with pytest.raises(ExtensionError, match=f"there is a built-in form '{name}'"):
        add_form(Form(name, count), of=of)  # type: ignore[arg-type]


def test_what_is_neither_text_nor_bytes_is_refused(report: Report) -> None:
    add_form(Form("none", lambda _: None))  # type: ignore[arg-type, return-value]
    with pytest.raises(ExtensionError, match="the form 'none' must return text, got NoneType"):
        forms.render(report, "none")
    add_form(Form("text", count, is_binary=True))
    with pytest.raises(ExtensionError, match="the form 'text' must return bytes, got str"):
        forms.render(report, "text")


def test_a_binary_form_is_written_and_not_shown(report: Report, tmp_path: Path) -> None:
    add_form(Form("packed", lambda _: b"\x00", is_binary=True))
    with pytest.raises(ValueError, match="the form 'packed' is binary; write it to a file"):
        forms.render(report, "packed")
    report.save(tmp_path / "report", "packed")
    assert (tmp_path / "report").read_bytes() == b"\x00"


def test_the_layout_is_for_the_default_form(report: Report) -> None:
    own: Forms[Report] = Forms(
        Form("people", lambda _, width=0: f"{width}"), Form("programs", lambda _: "none")
    )
    assert own.render(report, own.choose(None), width=7) == "7"
    assert own.render(report, own.choose("programs"), width=7) == "none"


def test_the_command_line_writes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(PLUGIN, "utf-8")
    Path("first.json").write_text(FIXTURE, "utf-8")
    words = ("first.json", "--plugin", "mine.py")
    assert spawn("evaluate", *words, "-m", "recall", "--format", "lines").out == "recall = 0.50\n"
    assert spawn("evaluate", *words, "-m", "recall", "-o", "out.lines").code == 0
    assert Path("out.lines").read_text("utf-8") == "recall = 0.50\n"
    assert spawn("validate", *words, "--format", "count").out == "1\n"
    spawn("validate", *words, "-o", "out.count")
    assert Path("out.count").read_text("utf-8") == "1\n"
    spawn("evaluate", *words, "-m", "recall", "-o", "out.bin")
    assert Path("out.bin").read_bytes() == b"\x00recall = 0.50\n"
    refused = spawn("evaluate", *words, "--format", "packed")
    assert (refused.code, refused.out) == (2, "")
    assert "--format packed is binary; name a file with -o FILE" in refused.err
    unknown = spawn("evaluate", *words, "--format", "line")
    assert "argument --format: no format 'line'; did you mean 'lines'?" in unknown.err
