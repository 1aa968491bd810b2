"""Problems are listed by line, however many lines are read at a time."""

import json
from pathlib import Path

import pytest

from groupwise import InputError, evaluate
from groupwise.evaluator.reading import jsonl, lines

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


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("size", [1, 100, 5_000, 1 << 20])
def test_problems_are_listed_by_line(
    size: int, compiled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = write_bad_lines(tmp_path / "both.jsonl")
    for module, name in ((lines, "BLOCK_BYTES"), (jsonl, "BLOCK_BYTES"), (jsonl, "PACKED_BYTES")):
        monkeypatch.setattr(module, name, size)
    if not compiled:
        monkeypatch.setattr("groupwise.evaluator.reading.packing.COMPILED", False)
    with pytest.raises(InputError) as caught:
        evaluate(tmp_path / "both.jsonl")
    assert [problem.line for problem in caught.value.problems] == bad
