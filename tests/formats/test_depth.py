"""Values that are nested too deep are findings and input errors, never a RecursionError."""

from pathlib import Path
from typing import Any

import pytest

from groupwise import InputError, check_fixture, evaluate, validate
from groupwise.evaluator.validation.fix import fix

DEPTHS = [60, 70, 1020, 5000]
RECORDS = [
    '{"id": "q1", "ground_truth": [["a"]], "results": ["a"], "metadata": {"x": "\\":", "y": %s}}',
    '{"id": "q1", "ground_truth": [["a"]], "results": ["a"], "metadata": %s}',
    '{"id": "q1", "ground_truth": %s, "results": ["a"]}',
    '{"id": "q1", "ground_truth": [["a"]], "results": %s}',
    '{"id": "q1", "ground_truth": [["a"]], "results": ["a"], "odd": %s}',
    '{"id": %s, "ground_truth": [["a"]], "results": ["a"]}',
]
WRAPPED = {
    "record.json": "%s",
    "records.jsonl": "%s\n",
    "list.json": "[%s]",
    "fixture.json": '{"queries": [%s]}',
    "head.json": '{"metrics": %s, "queries": []}',
    "map.json": '{"q1": %s}',
}


def look(work: Any, path: Path) -> None:
    try:
        work(path)
    except InputError as error:
        assert error.problems  # noqa: PT017


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("name", WRAPPED)
@pytest.mark.parametrize("brackets", [("[", "]"), ('{"a":', "}")])
def test_no_depth_is_an_internal_error(
    tmp_path: Path, depth: int, name: str, brackets: tuple[str, str]
) -> None:
    opening, closing = brackets
    deep = f"{opening * depth}1{closing * depth}"
    for number, record in enumerate(RECORDS):
        path = tmp_path / f"{number}-{name}"
        path.write_text(WRAPPED[name] % (record % deep))
        for work in (evaluate, validate, check_fixture, fix):
            look(work, path)


def test_what_is_nested_too_deep_is_located(tmp_path: Path) -> None:
    path = tmp_path / "deep.jsonl"
    path.write_text(RECORDS[0] % ("[" * 800 + "]" * 800))
    (finding,) = validate(path, select=["IO"]).findings
    assert (finding.code, finding.line, finding.pointer) == ("IO007", 1, "/metadata")
    with pytest.raises(InputError, match="nested deeper than 64 levels"):
        evaluate(path)


@pytest.mark.parametrize("blanks", [1000, (1 << 20) - 2, 1 << 20, (1 << 20) + 1, 3 << 20])
def test_blanks_before_a_document_are_passed(tmp_path: Path, blanks: int) -> None:
    path = tmp_path / "blanks.json"
    path.write_text(" " * blanks + '[{"id": "q1", "ground_truth": [["a"]], "results": ["a"]}]')
    assert evaluate(path, metrics="recall").scores == {"recall": 1.0}
    assert validate(path).ok


def test_blanks_of_many_blocks_are_passed_without_recursion(tmp_path: Path) -> None:
    path = tmp_path / "blanks.json"
    path.write_text("[" + " " * 5_000_000)
    with pytest.raises(InputError, match="the text ends too early"):
        evaluate(path)


def test_nothing_but_blanks_is_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "blanks.json"
    path.write_text(" " * (3 << 20))
    with pytest.raises(InputError, match="the file is empty"):
        evaluate(path)
