"""Bad records beyond those that are described cost little: what grows with them is counted."""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from groupwise import fix, validate
from groupwise.evaluator.validation.engine.findings import Findings
from groupwise.evaluator.validation.engine.quick_count import QuickCount
from groupwise.evaluator.validation.engine.source_check import SourceCheck
from groupwise.evaluator.validation.engine.validation import Validation
from groupwise.evaluator.validation.facts.draft import Draft
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.rules import corpus, describing, run, truth
from groupwise.schemas import ValidationReport

Record = dict[str, Any]


def counted(owner: type, name: str) -> Any:
    """Return a context in which a method is called as ever, by a mock that counts the calls."""
    return mock.patch.object(owner, name, autospec=True, side_effect=getattr(owner, name))


def write(path: Path, records: list[Record]) -> Path:
    lines = path.suffix == ".jsonl"
    path.write_text("\n".join(map(json.dumps, records)) if lines else json.dumps(records))
    return path


BAD: dict[str, Callable[[int], Record]] = {
    "without any id": lambda n: {"id": f"q{n}", "ground_truth": [[""]], "results": []},
    "with ids": lambda n: {"id": f"q{n}", "ground_truth": [["a"], []], "results": ["a"]},
    "with grades by id": lambda n: {"id": f"q{n}", "ground_truth": {"a": 1, "b": 0}},
    "too deep": lambda n: {"id": f"q{n}", "ground_truth": [[["a"]], ["b"]], "results": ["b"]},
    "with an object for results": lambda n: {
        "id": f"q{n}",
        "ground_truth": [["a"]],
        "results": {"ids": ["a"]},
    },
    "with scores that are texts": lambda n: {
        "id": f"q{n}",
        "ground_truth": [["a"]],
        "results": ["a"],
        "scores": ["0.5"],
    },
    "one of ten": lambda n: {"id": f"q{n}", "ground_truth": [["a"], *[[]] * (n % 10 == 0)]},
}


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
@pytest.mark.parametrize("kind", BAD)
def test_within_a_block_only_what_is_described_goes_through_the_models(
    kind: str, suffix: str, tmp_path: Path
) -> None:
    path = write(tmp_path / f"bad{suffix}", list(map(BAD[kind], range(600))))
    with counted(SourceCheck, "_validate") as models:
        report = validate(path, max_findings=7)
    assert (len(report.findings), report.counts.error) == (7, 60 if "ten" in kind else 600)
    assert models.call_count == 7


@pytest.mark.parametrize(("kind", "described"), [("without any id", 0), ("with ids", 1)])
def test_one_record_tells_the_kind_of_ids(kind: str, described: int, tmp_path: Path) -> None:
    path = write(tmp_path / "bad.jsonl", list(map(BAD[kind], range(600))))
    with counted(SourceCheck, "_validate") as models:
        assert validate(path, max_findings=0).counts.error == 600
    assert models.call_count == described


def test_a_blank_query_id_is_no_reason_to_look_for_odd_characters(tmp_path: Path) -> None:
    records: list[Record] = [{"id": " ", "ground_truth": [["a"]], "results": ["a"]}] * 600
    path = write(tmp_path / "bad.jsonl", records)
    with counted(SourceCheck, "_validate") as models:
        report = validate(path, max_findings=7)
    assert report.by_code["GT002"] == 600
    assert "GT011" not in report.by_code
    assert models.call_count == 7


def test_records_before_the_first_id_are_taken_together(tmp_path: Path) -> None:
    calls = {}
    for number in (100, 400):
        path = write(tmp_path / "bad.json", list(map(BAD["without any id"], range(number))))
        with counted(QuickCount, "take") as taken:
            validate(path, max_findings=7)
        calls[number] = taken.call_count
    assert calls[400] == calls[100]


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


@contextmanager
def counted_drafts() -> Iterator[Counter[str]]:
    """Count the drafts that rules build, by their codes."""
    built: Counter[str] = Counter()

    def build(code: str, *given: Any, **named: Any) -> Draft:
        built[code] += 1
        return Draft(code, *given, **named)

    with ExitStack() as stack:
        for module in (truth, run, corpus, describing):
            stack.enter_context(mock.patch.object(module, "Draft", build))
        yield built


def check(record: Record, most: int) -> ValidationReport:
    return validate(
        [{"id": "q1", **record}], max_findings=most, flat="all", corpus={"other": "a text"}
    )


@pytest.mark.parametrize("most", [0, 1, 7])
@pytest.mark.parametrize("kind", MANY)
def test_of_many_findings_in_a_record_only_the_first_are_drafted(kind: str, most: int) -> None:
    record, code, times = MANY[kind]
    with counted_drafts() as built:
        report = check(record, most)
    assert report.by_code[code] == times
    assert built[code] == max(1, most) + (code == "CP001" and most > 0)
    whole = check(record, sys.maxsize)
    assert whole.by_code == report.by_code
    kept = [finding for finding in whole.findings if finding.code == code]
    assert [each for each in report.findings if each.code == code] == kept[:most]


def test_what_is_not_fixed_is_not_drafted(tmp_path: Path) -> None:
    record, code, _ = MANY["identical groups"]
    path = write(tmp_path / "bad.jsonl", [{"id": "q1", **record}])
    with counted_drafts() as built:
        fixed = fix(path, unsafe=False, write=False)
    assert not fixed.has_changed
    assert built[code] <= 1


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
