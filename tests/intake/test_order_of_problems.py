"""Problems are listed by line, however many lines are read at a time."""

import json
from functools import partial
from pathlib import Path

import pytest

from groupwise import InputError, evaluate
from groupwise.evaluator.errors import Problems
from groupwise.evaluator.intake.check import Intake
from groupwise.evaluator.reading.jsonl import JsonLines
from groupwise.evaluator.reading.source import Source
from groupwise.schemas import FixtureQuery, Policies

BAD = (
    '{"id": ',
    '{"id": "%s", "ground_truth": [["a"]], "results": null}',
    '{"id": "%s", "id": "%s", "ground_truth": [["a"]], "results": ["a"]}',
)


def write_bad_lines(path: Path) -> list[int]:
    """Write good lines and bad ones of every kind; return the numbers of the bad ones."""
    text, bad = [], []
    for number in range(1, 400):
        kind = BAD[number % 3] if number % 7 == 0 else None
        bad += [number] if kind else []
        good = json.dumps({"id": f"q{number}", "ground_truth": [["a"]], "results": ["a"]})
        text.append(kind.replace("%s", f"q{number}") if kind else good)
    path.write_text("\n".join(text))
    return bad


@pytest.mark.parametrize("size", [1, 100, 5_000, 1 << 20])
def test_problems_are_listed_by_line(size: int, tmp_path: Path) -> None:
    bad = write_bad_lines(tmp_path / "both.jsonl")
    problems = Problems()
    records = JsonLines(Source(str(tmp_path / "both.jsonl")))
    records.batches = partial(records.batches, size=size)  # type: ignore[method-assign]
    rows = [*Intake(records, FixtureQuery, Policies(), problems).rows()]
    assert [problem.line for problem in problems.kept] == bad
    kept = [number for number in range(1, 400) if number not in bad or number % 3 == 2]
    assert [id_ for each in rows for id_ in each.ids] == [f"q{number}" for number in kept]


def test_reading_stops_after_a_thousand_problems(tmp_path: Path) -> None:
    (tmp_path / "both.jsonl").write_text('{"id": \n' * 1002 + "{}")
    with pytest.raises(InputError) as caught:
        evaluate(tmp_path / "both.jsonl")
    assert [problem.line for problem in caught.value.problems] == [*range(1, 1001)]
    assert caught.value.count == 1001
    assert str(caught.value).endswith("… more than 1,000 problems; reading stopped there")
