"""Fixtures as tests, from Python."""

import json
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from groupwise import InputError, check_fixture
from groupwise.evaluator.evaluation.fixture_files import read_if_expecting
from groupwise.evaluator.reading.source import Source
from tests.cli.conftest import GROUND_TRUTH, RESULTS

QUERY: dict[str, Any] = {"id": "q1", "ground_truth": GROUND_TRUTH, "results": RESULTS}


def write(folder: Path, content: Any) -> Path:
    path = folder / "fixture.json"
    path.write_text(json.dumps(content), "utf-8")
    return path


def test_expectations_are_counted(tmp_path: Path) -> None:
    expected = {"queries": [{**QUERY, "expected": {"mrr": 0.5}}], "expected": {"recall": 0.5}}
    check = check_fixture(write(tmp_path, expected))
    assert (check.ok, check.checked, check.differences) == (True, 2, ())


@pytest.mark.parametrize("late", [False, True])
def test_policies_before_and_after_the_queries_hold(tmp_path: Path, late: bool) -> None:
    policies = {"policies": {"flat": "all"}}
    rest = {"queries": [{"id": 1, "ground_truth": ["a", "b"], "results": ["a"]}],
            "expected": {"recall": 0.5}}  # fmt: skip
    fixture = rest | policies if late else policies | rest
    assert check_fixture(write(tmp_path, fixture)).ok


def test_a_flat_list_is_not_ambiguous_where_groups_are_dissolved(tmp_path: Path) -> None:
    query = {"id": 1, "ground_truth": ["a", "b"], "results": ["a"]}
    fixture = {"profile": "trec", "queries": [query], "expected": {"recall": 0.5}}
    assert check_fixture(write(tmp_path, fixture)).ok


def test_a_metric_that_there_is_not_is_a_problem_of_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, [{**QUERY, "expected": {"recal": 1}}])
    with pytest.raises(InputError, match="no metric 'recal'"):
        check_fixture(path)


def test_update_writes_what_is_found(tmp_path: Path) -> None:
    path = write(tmp_path, [{**QUERY, "expected": {"recall": 1, "mrr": 0.5}}])
    before = path.read_bytes()
    dry = check_fixture(path, update=True, dry=True)
    assert path.read_bytes() == before
    check = check_fixture(path, update=True)
    assert check == dry
    (difference,) = check.differences
    assert (difference.expected, difference.found) == (1, 0.5)
    assert json.loads(path.read_text())[0]["expected"] == {"recall": 0.5, "mrr": 0.5}
    assert check_fixture(path).ok


def test_update_adds_expectations_where_there_are_none(tmp_path: Path) -> None:
    path = write(tmp_path, {"metrics": ["recall"], "queries": [QUERY]})
    with pytest.raises(InputError, match="nothing is expected"):
        check_fixture(path)
    assert check_fixture(path, update=True).checked == 0
    assert check_fixture(path).checked == 1


def count_reads(path: Path, act: Any) -> int:
    """How often the file is opened."""
    opened = []
    raw = Source._open_raw

    def counted(self: Source) -> Any:
        if self._copy is None:
            opened.append(self.path)
        return raw(self)

    with mock.patch.object(Source, "_open_raw", counted):
        act()
    assert set(opened) == {str(path)}
    return len(opened)


@pytest.mark.parametrize("extra", [{}, {"policies": {"flat": "all"}}])
def test_a_fixture_in_a_folder_is_read_once(tmp_path: Path, extra: dict[str, Any]) -> None:
    path = write(tmp_path, {"queries": [QUERY], "expected": {"recall": 0.5}, **extra})

    def act() -> None:
        fixture = read_if_expecting(str(path))
        assert fixture is not None
        assert fixture.check().ok

    assert count_reads(path, act) == 1


def test_a_file_of_a_folder_that_expects_nothing_is_no_fixture(tmp_path: Path) -> None:
    path = write(tmp_path, {"scripts": {"test": "expected"}})
    assert read_if_expecting(str(path)) is None
    assert read_if_expecting(str(write(tmp_path, {"queries": [QUERY]}))) is None
