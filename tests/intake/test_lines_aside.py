"""After the first problem of a file, only the lines that are not plain are parsed whole."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from groupwise import evaluate
from groupwise.evaluator.errors import InputError
from groupwise.evaluator.native import loader
from groupwise.evaluator.reading import jsonl
from groupwise.evaluator.reading.aside import MOST_LINES, LinesAside

pytestmark = pytest.mark.skipif(not loader.COMPILED, reason="not allowed: rankings are packed in C")

Spell = Callable[[dict[str, Any]], str]
PROBLEMS: dict[str, Spell] = {
    "an empty group": lambda record: json.dumps({**record, "ground_truth": [["a"], []]}),
    "a result that is null": lambda record: json.dumps({**record, "results": ["a", None]}),
    "results that are text": lambda record: json.dumps({**record, "results": "a"}),
    "an unknown field": lambda record: json.dumps({**record, "unknown": 1}),
    "no ground truth": lambda record: json.dumps({**record, "ground_truth": None}),
    "text that is cut off": lambda record: json.dumps(record)[:-3],
    "no object": lambda _record: "[]",
    "a repeated key": lambda record: json.dumps(record)[:-1] + ',"results":["a"]}',
}
VALID: dict[str, Spell] = {
    "text beyond ASCII": lambda record: json.dumps({**record, "results": ["é", "文"]}),
    "objects": lambda record: json.dumps({**record, "results": [{"id": "a", "score": 1.0}]}),
    "scores": lambda record: json.dumps({**record, "scores": [3.0, 2.0, 1.0]}),
}


def write_lines(path: Path, lines: dict[int, Spell]) -> Path:
    """Write 3,000 records; those with a number here are spelled by a function."""
    records = [
        {"id": f"q{n}", "ground_truth": [["a"], [f"b{n}"]], "results": ["x", "a", f"b{n}"]}
        for n in range(3000)
    ]
    usual: Spell = json.dumps
    spelled = (lines.get(number, usual)(record) for number, record in enumerate(records))
    path.write_text("".join(f"{line}\n" for line in spelled))
    return path


def find_problems(path: Path) -> InputError:
    """Return the error about a file that is read in small blocks."""
    with mock.patch.object(jsonl, "PACKED_BYTES", 9000), pytest.raises(InputError) as caught:
        evaluate(path, metrics=["recall@2"])
    return caught.value


@pytest.mark.parametrize("kind", PROBLEMS)
def test_every_problem_among_plain_lines_is_found(kind: str, tmp_path: Path) -> None:
    numbers = range(100, 3000, 7)
    path = write_lines(tmp_path / "both.jsonl", dict.fromkeys(numbers, PROBLEMS[kind]))
    error = find_problems(path)
    assert error.count == len(numbers)
    assert [problem.line for problem in error.problems] == [number + 1 for number in numbers]


@pytest.mark.parametrize("other", VALID)
def test_valid_lines_among_the_others_are_no_problems(other: str, tmp_path: Path) -> None:
    odd = dict.fromkeys(range(100, 3000, 9), PROBLEMS["an empty group"])
    path = write_lines(
        tmp_path / "both.jsonl", {**dict.fromkeys(range(0, 3000, 5), VALID[other]), **odd}
    )
    assert find_problems(path).count == len(odd)


def test_lines_set_aside_are_parsed_together(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "both.jsonl", dict.fromkeys(range(0, 3000, 5), PROBLEMS["an empty group"])
    )
    parsed: list[int] = []
    parse = LinesAside.parse

    def watch(aside: LinesAside) -> Any:
        batch = parse(aside)
        parsed.append(0 if batch is None else len(batch.values))
        return batch

    with mock.patch.object(LinesAside, "parse", watch):
        assert find_problems(path).count == 600
    assert sum(parsed) > 500
    assert max(parsed) >= MOST_LINES


def test_a_query_id_that_is_repeated_aside_is_found(tmp_path: Path) -> None:
    odd: dict[int, Spell] = dict.fromkeys(range(0, 3000, 100), PROBLEMS["a result that is null"])
    odd[2950] = lambda record: json.dumps({**record, "id": "q7", "results": ["é"]})
    error = find_problems(write_lines(tmp_path / "both.jsonl", odd))
    assert error.count == 31
    assert "q7" in str(error.problems[-1])


def test_text_that_cannot_be_read_further_does_not_hide_lines_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = dict.fromkeys(range(0, 3000, 100), PROBLEMS["an empty group"])
    path = write_lines(tmp_path / "both.jsonl", odd)
    with path.open("a") as file:
        file.write(json.dumps({"id": "x" * 70_000}))
    monkeypatch.setenv("GROUPWISE_MAX_RECORD_BYTES", "50000")
    error = find_problems(path)
    assert error.count == 31
    assert error.problems[-1].code == "IO010"
