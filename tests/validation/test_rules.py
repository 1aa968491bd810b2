"""Every rule has a file that breaks it and nothing else; all that should be clean is."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from groupwise import InputError, validate
from groupwise.evaluator.cli import run
from groupwise.evaluator.validation.rules.registry import every_rule
from groupwise.schemas import ValidationReport
from tests.paths import AUTORAG, EDGE_CASES, EXAMPLES, FIXTURES, INVALID

FOLDER = INVALID / "rules"
RULES: dict[str, dict[str, Any]] = json.loads((FOLDER / "rules.json").read_text("utf-8"))
EVERY_FILE = sorted(
    path for path in FIXTURES.rglob("*") if path.is_file() and FOLDER not in path.parents
)


def asked(words: list[str]) -> dict[str, Any]:
    """The arguments of the command as those of the function."""
    pairs = dict(zip(words[::2], words[1::2], strict=True))
    names = {"--corpus": "corpus", "--run": "run"}
    files = {names[word]: FOLDER / file for word, file in pairs.items() if word in names}
    k = {"k": int(pairs["-k"])} if "-k" in pairs else {}
    gates = {"gates": [pairs["--gate"]]} if "--gate" in pairs else {}
    assert len(files) + len(k) + len(gates) == len(pairs)
    return {**files, **k, **gates}


def test_every_rule_is_broken_by_a_file() -> None:
    assert list(RULES) == list(every_rule())
    listed = {name for entry in RULES.values() for name in (entry["file"], entry["clean"])}
    words = [word for entry in RULES.values() for key in ("arguments", "clean_arguments")
             for word in entry.get(key, [])]  # fmt: skip
    there = {path.name for path in FOLDER.iterdir()}
    assert there == listed | {"rules.json"} | (there & {*words})


@pytest.mark.parametrize("code", RULES)
def test_a_file_breaks_its_rule_alone(code: str) -> None:
    entry = RULES[code]
    report = validate(FOLDER / entry["file"], **asked(entry.get("arguments", [])))
    (finding,) = report.findings
    assert report.by_code == {code: 1}
    assert finding.code == code
    assert finding.severity == every_rule()[code].severity
    for name in ("line", "column", "pointer", "query"):
        assert getattr(finding, name) == entry[name], name


@pytest.mark.parametrize("code", RULES)
def test_its_twin_is_clean(code: str) -> None:
    entry = RULES[code]
    words = entry.get("clean_arguments", entry.get("arguments", []))
    assert validate(FOLDER / entry["clean"], **asked(words)).findings == ()


@pytest.mark.parametrize("code", RULES)
def test_the_command_explains_the_rule(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rule", code]) == 0
    assert code in capsys.readouterr().out


@pytest.mark.parametrize(
    "path",
    sorted(path for path in EXAMPLES.rglob("*.json*") if path.is_file()),
    ids=lambda path: path.name,
)
def test_the_examples_are_clean(path: Path) -> None:
    assert validate(path).by_code == {}


def codes_and_queries(report: ValidationReport) -> list[tuple[str, str | None]]:
    return [(finding.code, finding.query) for finding in report.findings]


def test_the_examples_of_a_data_set_beside_its_run() -> None:
    """q3 is not in the run, q9 in nothing else; q4 is in both and not scored."""
    report = validate(EXAMPLES / "ground_truth.jsonl", run=EXAMPLES / "run.jsonl")
    assert codes_and_queries(report) == [("RN002", "q3"), ("RN003", "q9")]
    folder = EXAMPLES / "running-example"
    assert validate(folder / "ground_truth.jsonl", run=folder / "run.jsonl").by_code == {}


def test_what_is_messy_is_told() -> None:
    """doc-1 at ranks 2 and 4 again; chunk-2 in both groups; doc-6 listed twice; "Doc-8 "."""
    report = validate(EDGE_CASES / "messy-real-life.json")
    found = [(finding.code, finding.query, finding.pointer) for finding in report.findings]
    assert found == [
        ("RN001", "repeated-result", "/queries/0/results/1"),
        ("RN001", "repeated-result", "/queries/0/results/3"),
        ("GT016", "overlapping-chunks", "/queries/3/ground_truth"),
        ("GT007", "listed-twice", "/queries/4/ground_truth/0/1"),
        ("GT011", "nearly-the-same-id", "/queries/5/results/1"),
    ]


def test_no_file_is_too_much() -> None:
    for path in EVERY_FILE:
        with suppress(InputError):
            report = validate(path)
            assert sum(report.by_code.values()) >= len(report.findings), path


def test_ids_that_were_split_are_told_of_each_record() -> None:
    path = AUTORAG / "data" / "autorag_malformed_char_split.jsonl"
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    report = validate(path)
    told = [finding for finding in report.findings if finding.code == "GT018"]
    assert [finding.query for finding in told] == [record["qid"] for record in records]
    assert [finding.pointer for finding in told] == ["/retrieval_gt_raw_1d"] * len(records)
    assert [finding.line for finding in told] == [*range(1, len(records) + 1)]
