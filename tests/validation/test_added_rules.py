"""A rule of one's own, declared in one place, is applied everywhere that a built-in one is."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from groupwise import ExtensionError, validate
from groupwise.evaluator.cli import run
from groupwise.evaluator.reporting.findings import FINDINGS_FORMS
from groupwise.evaluator.reporting.findings import render_findings as render
from groupwise.evaluator.validation.facts.case import Case
from groupwise.evaluator.validation.facts.draft import Draft, Place
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.facts.session import Session, SourceFacts
from groupwise.evaluator.validation.rules.registry import add_rule, every_rule
from groupwise.evaluator.validation.rules.rule import Locator, Rule

pytestmark = pytest.mark.usefixtures("nothing_added")

PLAIN = [{"id": f"q{n}", "ground_truth": [[f"doc-{n}", f"tmp-{n}" if n == 3 else f"d{n}"]]}
         for n in range(6)]  # fmt: skip
RICH = [{"id": "r1", "ground_truth": [{"alternatives": ["a", {"id": "tmp-7", "grade": 2}]}]},
        {"id": "r2", "ground_truth": [{"tmp-8": 1, "b": 2}]}]  # fmt: skip
RUN = [{"id": "q1", "results": ["doc-1", "tmp-9"], "scores": [2, 1]}]


def check_temporary(case: Case, _request: Request) -> Iterator[Draft]:
    for document, pointer in (*case.listed, *case.results):
        if str(document).startswith("tmp-"):
            yield Draft("XX001", f"{document} is temporary", pointer, id=document, value=document)


def temporary(**hooks: Any) -> Rule:
    return Rule("XX001", "temporary-id", "warning", what="An id is temporary.", **hooks)


def places(value: Any, **options: Any) -> list[tuple[str | None, str | None]]:
    report = validate(value, select=["XX001"], **options)
    assert set(report.by_code) <= {"XX001"}
    return [(finding.query, finding.pointer) for finding in report.findings]


def test_a_rule_with_a_check_is_asked_about_plain_lists_and_rich_groups(tmp_path: Path) -> None:
    add_rule(temporary(check=check_temporary))
    assert places(PLAIN) == [("q3", "/3/ground_truth/0/1")]
    assert places(RICH) == [
        ("r1", "/0/ground_truth/0/alternatives/1/id"),
        ("r2", "/1/ground_truth/0/tmp-8"),
    ]
    assert places([*PLAIN, *RICH])[0] == ("q3", "/3/ground_truth/0/1")
    assert len(places([*PLAIN, *RICH])) == 3
    assert places(RUN) == [("q1", "/0/results/1")]
    assert places({"q1": [["a"]], "q2": [["tmp-1"]]}) == [("q2", "/q2/0/0")]
    path = tmp_path / "data.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in [*PLAIN, *RICH]))
    (first, *_) = validate(path).findings
    assert (first.code, first.name, first.severity) == ("XX001", "temporary-id", "warning")
    assert (first.line, first.column) == (4, path.read_text().splitlines()[3].index('"tmp') + 1)


def test_a_rule_that_is_not_selected_is_not_asked() -> None:
    add_rule(temporary(check=check_temporary))
    assert validate([*PLAIN, *RICH], ignore=["temporary-id"]).findings == ()
    assert validate(PLAIN, select=["GT"]).findings == ()


def test_a_suspicion_is_followed_by_a_second_reading() -> None:
    def suspect(source: SourceFacts, _session: Session) -> Locator | None:
        def locate(case: Case, _place: Place) -> Iterator[Draft]:
            if case.query == "q5":
                yield Draft("XX001", "the last one", value=case.query)

        return locate if source.tally.queries == len(PLAIN) else None

    add_rule(temporary(suspect=suspect))
    assert places(PLAIN) == [("q5", "/5")]
    assert places(PLAIN[1:]) == []


def test_it_is_shown_as_others_are(capsys: pytest.CaptureFixture[str]) -> None:
    def printed(*words: str) -> str:
        assert run(words) == 0
        return capsys.readouterr().out

    add_rule(temporary(check=check_temporary, why="It is gone tomorrow."))
    report = validate(PLAIN)
    for form in FINDINGS_FORMS.list_known():
        assert "XX001" in render(report, form), form
    page = printed("rule", "XX001")
    assert page.startswith("XX001 temporary-id  warning\n\nAn id is temporary.\n\nIt is gone")
    assert printed("rule", "temporary-id") == page
    assert "XX: added rules\n  XX001  temporary-id  warning" in printed("rule")
    (entry,) = json.loads(printed("rule", "XX001", "--format", "json"))["rules"]
    assert (entry["code"], entry["fix"], entry["fixable"]) == ("XX001", "", None)


@pytest.mark.parametrize(
    ("code", "name", "said"),
    [
        ("X1", "temporary-id", "the code 'X1': expected two capital letters and three digits"),
        ("XX001", "Temporary", "the name 'Temporary': expected lower-case words with hyphens"),
        ("GT004", "temporary-id", "there is a built-in rule 'GT004'; choose another name"),
        ("XX001", "empty-group", "XX001 empty-group: GT004 has that name already"),
    ],
)
def test_codes_and_names_are_checked(code: str, name: str, said: str) -> None:
    before = every_rule()
    with pytest.raises(ExtensionError, match=said):
        add_rule(Rule(code, name, "info", what="Something."))
    assert every_rule() == before


def test_a_rule_that_is_added_again_is_replaced() -> None:
    add_rule(temporary())
    rule = temporary(check=check_temporary)
    assert add_rule(rule) is rule
    assert len(places(PLAIN)) == 1
    assert list(every_rule())[-1] == "XX001"


def test_a_code_that_no_rule_has_is_an_error_of_the_rule() -> None:
    add_rule(temporary(check=lambda _case, _request: [Draft("XX002", "something")]))
    with pytest.raises(ExtensionError, match="a rule reports the code 'XX002', which no rule has"):
        validate(PLAIN)
