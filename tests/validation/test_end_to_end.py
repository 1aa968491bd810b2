"""Real files through the engine, all forms and a baseline."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from groupwise import InputError, validate
from groupwise.evaluator.reporting.findings import FINDINGS_FORMS
from groupwise.evaluator.reporting.findings import render_findings as render
from groupwise.evaluator.text import UNSEEN
from groupwise.evaluator.validation.engine.findings import Findings
from groupwise.evaluator.validation.engine.validation import Validation
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.settings.baseline import Baseline, Key, save_baseline
from groupwise.evaluator.validation.settings.selection import select_rules
from groupwise.schemas import ValidationReport
from tests.paths import AUTORAG, EXAMPLES, FIXTURES
from tests.reporting.findings.test_forms import SARIF

FILES = sorted(
    path
    for folder in (FIXTURES / "invalid", EXAMPLES, AUTORAG / "data")
    for path in folder.rglob("*")
    if path.suffix in (".json", ".jsonl", ".gz") and path.name != "expected.json"
)


def validated(files: list[Path], findings: Findings | None = None) -> ValidationReport:
    validation = Validation(Request(), findings or Findings())
    for path in files:
        validation.add(path)
    return validation.finish()


def test_every_form_can_show_findings() -> None:
    for file in FILES:
        found = validated([file])
        for form in FINDINGS_FORMS.built_in:
            shown = render(found, form)
            assert not UNSEEN.search(shown.replace("\n", "")), (file, form)
        SARIF.validate(json.loads(render(found, "sarif")))


def baseline_of(files: list[Path], path: Path) -> tuple[Baseline, ValidationReport]:
    keys: Counter[Key] = Counter()
    found = validated(files, Findings(keys=keys))
    save_baseline(path, keys)
    return Baseline.read(path), found


def test_a_baseline_accounts_for_all_findings(tmp_path: Path) -> None:
    for file in FILES:
        baseline, found = baseline_of([file], tmp_path / "baseline.json")
        again = validated([file], Findings(baseline=baseline))
        assert again.findings == (), file
        assert again.baselined == sum(found.by_code.values()), file
        assert baseline.find_stale() == (), file


RECORDS: list[dict[str, Any]] = [
    {"id": f"q{number}", "ground_truth": [["a", "a"], [f"b{number}"], []]} for number in range(6)
]


def lines(path: Path, records: list[dict[str, Any]]) -> list[Path]:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return [path]


def test_moving_records_changes_nothing_and_one_more_is_growth(tmp_path: Path) -> None:
    path, where = tmp_path / "qa.jsonl", tmp_path / "baseline.json"
    baseline, found = baseline_of(lines(path, RECORDS), where)
    assert found.by_code == {"GT004": 6, "GT007": 6}
    moved = lines(path, [{"id": "new", "ground_truth": [["z"]]}, *reversed(RECORDS)])
    assert validated(moved, Findings(baseline=baseline)).findings == ()
    worse = lines(path, [*RECORDS, {"id": "q7", "ground_truth": [["a", "a"]]}])
    again = validated(worse, Findings(baseline=Baseline.read(where)))
    assert [(finding.code, finding.query) for finding in again.findings] == [("GT007", "q7")]


def test_what_was_mended_is_stale(tmp_path: Path) -> None:
    path, where = tmp_path / "qa.jsonl", tmp_path / "baseline.json"
    baseline, _ = baseline_of(lines(path, RECORDS), where)
    validated(lines(path, RECORDS[1:]), Findings(baseline=baseline))
    assert [(entry.code, entry.query) for entry in baseline.find_stale()] == [
        ("GT004", "q0"),
        ("GT007", "q0"),
    ]


def test_only_rules_that_are_wanted_are_told(tmp_path: Path) -> None:
    files = lines(tmp_path / "qa.jsonl", RECORDS)
    wants = select_rules(["GT"], ["GT004"]).wants
    assert validated(files, Findings(wants=wants)).by_code == {"GT007": 6}
    per_file = select_rules(per_file={"qa.*": ["GT007"]}).wants
    assert validated(files, Findings(wants=per_file)).by_code == {"GT004": 6}


def test_a_file_without_records_is_told_beside_one_with_findings(tmp_path: Path) -> None:
    (tmp_path / "none.json").write_text("[]")
    bad = lines(tmp_path / "qa.jsonl", RECORDS)
    found = validated([*bad, tmp_path / "none.json"])
    assert found.by_code["IO009"] == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (
            '[{"id": "q1", "ground_truth": [["a", "a"]]}, {"id": "q2", "results": [["a"],]}]',
            "IO001",
        ),
        ('[{"id": "q1", "ground_truth": [["a", "a"]]}, {"id": "q2"', "IO001"),
        ("", "IO009"),
        ("\ufeff[]", "IO002"),
    ],
)
@pytest.mark.parametrize("run", [None, "run.jsonl", "broken"])
@pytest.mark.parametrize("corpus", [None, "corpus.jsonl", "broken"])
def test_what_is_broken_is_a_finding_beside_any_other_file(
    text: str, code: str, run: str | None, corpus: str | None, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_bytes(text.encode("utf-16-be" if code == "IO002" else "utf-8"))
    (tmp_path / "run.jsonl").write_text('{"id": "q1", "results": ["b"]}\n')
    (tmp_path / "corpus.jsonl").write_text('{"id": "b", "text": "one"}\n')
    beside: dict[str, Any] = {
        name: broken if given == "broken" else tmp_path / given
        for name, given in (("run", run), ("corpus", corpus))
        if given
    }
    report = validate(broken, **beside)
    found = [finding.file for finding in report.findings if finding.code == code]
    assert found == [str(broken)] * (1 + (run == "broken") + (corpus == "broken"))


def test_a_corpus_that_cannot_be_read_is_an_error_if_that_is_not_looked_for(tmp_path: Path) -> None:
    (tmp_path / "corpus.json").write_text('[{"id": "a"')
    with pytest.raises(InputError, match="invalid JSON"):
        validate({"q1": [["a"]]}, corpus=tmp_path / "corpus.json", select=["CP"])
