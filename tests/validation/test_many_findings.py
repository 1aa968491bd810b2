"""Many findings: those that are kept have places, all are counted."""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import validate
from groupwise.evaluator.validation.engine.findings import Findings
from groupwise.evaluator.validation.engine.source_check import sort_drafts
from groupwise.evaluator.validation.engine.validation import Validation
from groupwise.evaluator.validation.facts.draft import Draft
from groupwise.evaluator.validation.facts.request import Request
from groupwise.schemas import ValidationReport

Record = dict[str, Any]


def write(path: Path, records: list[Record]) -> Path:
    lines = path.suffix == ".jsonl"
    path.write_text("\n".join(map(json.dumps, records)) if lines else json.dumps(records))
    return path


MANY: dict[str, tuple[Record, str, int]] = {
    "an id in a group": ({"ground_truth": [["a1", *["b1"] * 600]]}, "GT007", 599),
    "an id of a flat list": ({"ground_truth": ["a1", *["b1"] * 600]}, "GT007", 599),
    "identical groups": ({"ground_truth": [["a1", "b1"]] * 600}, "GT008", 599),
    "groups that hold another": (
        {"ground_truth": [["a1"], *(["a1", f"b{n}"] for n in range(300))]}, "GT009", 300
    ),
    "ids in two groups": (
        {"ground_truth": [*([*(f"s{n}" for n in range(300)), end] for end in "xy"),
                          ["a1"], ["b1"], ["c1"]]}, "GT010", 300
    ),
    "odd ids": ({"ground_truth": [[f"a{n} "] for n in range(600)]}, "GT011", 600),
    "odd ids with grades": (
        {"ground_truth": [{f"a{n} ": 1 for n in range(599, -1, -1)}]}, "GT011", 600
    ),
    "large groups": (
        {"ground_truth": [[f"a{n}-{m}" for m in range(21)] for n in range(100)]}, "GT014", 100
    ),
    "split ids": ({"ground_truth": [list("doc-1")] * 600}, "GT018", 600),
    "results": ({"ground_truth": [["a1"]], "results": ["a1"] * 600}, "RN001", 599),
    "ids that the corpus lacks": (
        {"ground_truth": [[f"a{n}", f"b{n}"] for n in range(300)]}, "CP001", 600
    ),
}  # fmt: skip


def check(record: Record, most: int) -> ValidationReport:
    return validate(
        [{"id": "q1", **record}], max_findings=most, flat="all", corpus={"other": "a text"}
    )


@pytest.mark.parametrize("most", [0, 1, 7])
@pytest.mark.parametrize("kind", MANY)
def test_of_many_findings_in_a_record_the_first_are_kept(kind: str, most: int) -> None:
    record, code, times = MANY[kind]
    report = check(record, most)
    assert report.by_code[code] == times
    whole = check(record, sys.maxsize)
    assert whole.by_code == report.by_code
    kept = [finding for finding in whole.findings if finding.code == code]
    assert [each for each in report.findings if each.code == code] == kept[:most]


def test_a_baseline_needs_all_findings_of_a_record() -> None:
    record, code, times = MANY["results"]
    findings = Findings(limit=3, keys=Counter())
    validation = Validation(Request(), findings)
    validation.add([{"id": "q1", **record}])
    validation.finish()
    assert findings.keys is not None
    assert sum(n for key, n in findings.keys.items() if key.code == code) == times


def test_a_split_id_overrides_a_flat_list_also_if_it_is_only_counted(tmp_path: Path) -> None:
    records: list[Record] = [{"id": f"q{n}", "ground_truth": list("doc-1")} for n in range(9)]
    report = validate(write(tmp_path / "bad.jsonl", records), max_findings=2)
    assert report.by_code == {"GT018": 9}


@pytest.mark.parametrize("limit", [0, 1, 3])
@pytest.mark.parametrize("truth", ["1", '[["a"]]', "null", '["a"]'])
def test_a_blank_key_has_the_code_of_a_blank_query_id(
    truth: str, limit: int, tmp_path: Path
) -> None:
    path = tmp_path / "data.json"
    path.write_text(f'{{"q": [["a"]], " ": {truth}, "": {truth}}}')
    codes = validate(path, max_findings=limit).by_code
    assert codes["GT002"] == 2
    assert "IO006" not in codes


@pytest.mark.parametrize("limit", [0, 1, 3])
@pytest.mark.parametrize("policies", [{}, {"ids": "text"}])
def test_a_blank_id_of_grade_0_is_counted_beside_missing_groups(
    policies: dict[str, Any], limit: int, tmp_path: Path
) -> None:
    sound = {"id": "q1", "ground_truth": [["a"], ["b"]]}
    graded = {"id": "q2", "ground_truth": {"a": 1, " ": 0}}
    path = write(tmp_path / "data.jsonl", [sound, graded])
    codes = validate(path, max_findings=limit, **policies).by_code
    assert (codes["GT002"], codes["GT005"]) == (1, 1)


STEPS = st.lists(st.integers(0, 3) | st.sampled_from(["id", "results"]), max_size=3)


@given(st.lists(st.builds(Draft, st.sampled_from(["GT001", "GT002"]), st.text(), STEPS)))
def test_drafts_are_sorted_by_pointer_numbers_before_names(drafts: list[Draft]) -> None:
    def order(draft: Draft) -> Any:
        steps = [(isinstance(step, str), str(step)) for step in draft.pointer]
        return steps, draft.code

    assert sort_drafts(drafts) == sorted(drafts, key=order)
