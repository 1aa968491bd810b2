"""After a record that is not JSON, reading continues with the next one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groupwise import InputError, evaluate, validate
from groupwise.evaluator.reading import json as documents
from groupwise.evaluator.reading.json import JsonDocument
from groupwise.evaluator.reading.records import Reading
from groupwise.evaluator.reading.source import MemorySource

BROKEN: dict[str, Callable[[str], str]] = {
    "trailing comma": lambda text: text.replace('"a"', '"a",', 1),
    "no colon": lambda text: text.replace('"results":', '"results"', 1),
    "no quote": lambda text: text.replace('"x"', '"x', 1),
    "no bracket": lambda text: text.replace('"a"', '"a" "b"', 1),
    "single quotes": lambda text: text.replace('"x"', "'x'", 1),
    "not a number": lambda text: text.replace('"x"', "NaN", 1),
    "lone surrogate": lambda text: text.replace('"x"', r'"\ud800"', 1),
    "control character": lambda text: text.replace('"x"', '"\x01"', 1),
    "comment": lambda text: text.replace('"x"', '"x" // no', 1),
    "never closed": lambda text: text.rstrip().removesuffix("}").rstrip().removesuffix("]"),
}
WRAPPED: dict[str, Callable[[list[str]], str]] = {
    "list": lambda records: f"[{', '.join(records)}]",
    "lines": lambda records: "[\n  " + ",\n  ".join(records) + "\n]\n",
    "fixture": lambda records: f'{{"name": "n", "queries": [{", ".join(records)}], "metrics": []}}',
    "map": lambda records: (
        "{" + ",\n".join(f'"k{n}": {record}' for n, record in enumerate(records)) + "}"
    ),
}


def record(number: int) -> dict[str, Any]:
    """A record with lists of objects, which begin with an id like itself."""
    groups = [["a"], {"alternatives": [{"id": "b", "grade": 2}, {"id": "c"}], "weight": 1}]
    results = [{"id": "x", "text": "y {"}, {"id": "é", "text": "}, {"}]
    return {"id": f"q{number}", "ground_truth": groups, "results": results}


def spell(number: int, indent: int | None) -> str:
    return json.dumps(record(number), indent=indent, ensure_ascii=False)


def read(text: str) -> tuple[list[Any], Reading]:
    reading = Reading()
    source = MemorySource("data.json", text.encode())
    batches = list(JsonDocument(source).batches(reading))
    for batch in batches:
        for number, value in enumerate(batch.values):
            line, column = batch.place(number, ("id",))
            found = text.split("\n")[line - 1][column - 1 :]
            assert found.startswith(json.dumps(value["id"]))
    return [value for batch in batches for value in batch.values], reading


@pytest.mark.parametrize("block", [64, 1 << 17])
@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("wrap", WRAPPED)
@pytest.mark.parametrize("how", BROKEN)
def test_all_other_records_are_read(
    how: str, wrap: str, indent: int | None, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "BLOCK_BYTES", block)
    monkeypatch.setattr(documents, "PEEKED_BYTES", block)
    records = [spell(number, indent) for number in range(12)]
    for number in (0, 3, 4, 8):
        records[number] = BROKEN[how](records[number])
        assert records[number] != spell(number, indent)
    values, reading = read(WRAPPED[wrap](records))
    assert values == [record(number) for number in (1, 2, 5, 6, 7, 9, 10, 11)]
    assert len(reading.problems) == 4
    assert {problem.code for problem in reading.problems} <= {"IO001", "IO005"}


def test_pointers_count_the_records_that_are_not_read() -> None:
    records = [spell(number, None) for number in range(4)]
    records[1] = records[1].replace(":", "", 1)
    text = WRAPPED["list"](records)
    batches = list(JsonDocument(MemorySource("d", text.encode())).batches(Reading()))
    roots = [batch.root(n) for batch in batches for n in range(len(batch.values))]
    assert roots == [(0,), (2,), (3,)]


@pytest.mark.parametrize(
    ("text", "ids", "messages"),
    [
        ('[{"id": "a"} {"id": "b"}]', "ab", ["',' or ']' is missing here"]),
        ('[{"id": "a"}; {"id": "b"}]', "ab", ["',' or ']' is missing here"]),
        ('[{"id": "a"}, {"id": "b"},]', "ab", ["a trailing comma before ']'"]),
        ('[{"id": "a"},, {"id": "b"}]', "ab", ["invalid JSON"]),
        ('[{"id": "a"}, nothing, {"id": "b"}]', "ab", ["invalid JSON"]),
    ],
)
def test_what_is_between_records(text: str, ids: str, messages: list[str]) -> None:
    values, reading = read(text)
    assert [value["id"] for value in values] == [*ids]
    assert len(reading.problems) == len(messages)
    for problem, message in zip(reading.problems, messages, strict=True):
        assert message in problem.message


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_all_findings_come_in_one_go(tmp_path: Path, suffix: str) -> None:
    """The same findings in the same records, whether as a list or as lines."""
    records = [
        '{"id": "q1", "ground_truth": [["a", "a"]], "results": ["a"]}',
        '{"id": "q2", "ground_truth": [["a"],], "results": ["a"]}',
        '{"id": "q3", "ground_truth": [[]], "results": ["a"]}',
        '{"id": "q4", "ground_truth": [[NaN]], "results": ["a"]}',
        '{"id": "q1", "ground_truth": [["b"]], "results": ["b"]}',
    ]
    path = tmp_path / f"data{suffix}"
    lines, listed = "\n".join(records), ",\n".join(records)
    path.write_text(lines if suffix == ".jsonl" else f"[{listed}]")
    found = [(finding.code, finding.line) for finding in validate(path).findings]
    assert found == [("GT007", 1), ("IO001", 2), ("GT004", 3), ("IO005", 4), ("GT001", 5)]
    with pytest.raises(InputError) as caught:
        evaluate(path)
    assert sorted(problem.line or 0 for problem in caught.value.problems) == [2, 3, 4, 5]


@pytest.mark.parametrize("tail", ["", ",", ', {"id": "q9', ', {"id": "q9", "ground_truth": [["a"'])
def test_a_document_that_ends_too_early_is_read_as_far_as_it_goes(
    tmp_path: Path, tail: str
) -> None:
    path = tmp_path / "data.json"
    records = ", ".join(f'{{"id": "q{n}", "ground_truth": [["a", "a"]]}}' for n in range(3))
    path.write_text(f'[{records}, {{"id": "q3"}}{tail}')
    found = validate(path, select=["IO001", "GT007"]).by_code
    assert found == {"GT007": 3, "IO001": 1}


def test_many_broken_records_cost_no_more_than_they_are(tmp_path: Path) -> None:
    broken = '{"id": "q", "ground_truth": [["a"],]}'
    path = tmp_path / "data.json"
    path.write_text(f'[{", ".join([broken] * 3000)}, {{"id": "q", "ground_truth": [["a"]]}}]')
    assert validate(path).by_code == {"IO001": 3000}
