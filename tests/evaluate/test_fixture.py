"""Fixtures as tests, from Python."""

import json
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from groupwise import InputError, check_fixture
from groupwise.evaluator.evaluation.fixture_files import read_if_fixture
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
    dry = check_fixture(path, update=True, dry_run=True)
    assert path.read_bytes() == before
    check = check_fixture(path, update=True)
    assert check == dry
    (difference,) = check.differences
    assert (difference.expected, difference.found) == (1, 0.5)
    assert json.loads(path.read_text())[0]["expected"] == {"recall": 0.5, "mrr": 0.5}
    assert check_fixture(path).ok


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("shape", ["head", "record", "list", "map", "lines", "both"])
def test_update_fills_an_empty_expectation(tmp_path: Path, after: bool, shape: str) -> None:
    blank: dict[str, Any] = {"expected": {}}
    query = QUERY | blank if after else blank | QUERY
    inner = {name: value for name, value in query.items() if name != "id"}
    content: Any = {
        "head": {"queries": [QUERY], **blank} if after else {**blank, "queries": [QUERY]},
        "both": {"queries": [query], **blank} if after else {**blank, "queries": [query]},
        "record": query, "list": [query], "lines": query, "map": {"q1": inner},
    }[shape]  # fmt: skip
    path = write(tmp_path, content)
    if shape == "lines":
        path = path.rename(path.with_suffix(".jsonl"))
    check_fixture(path, update=True)
    assert path.read_text().count('"expected"') == (2 if shape == "both" else 1)
    assert check_fixture(path).ok
    assert check_fixture(path).checked == 6


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
        fixture = read_if_fixture(str(path))
        assert fixture is not None
        assert fixture.check().ok

    assert count_reads(path, act) == 1


FOREIGN: dict[str, Any] = {
    "a configuration": {"scripts": {"test": "expected"}, "expected": "yes"},
    "cases of another test": [{"input": "x", "expected": "y"}],
    "texts of queries": {"version": 2, "queries": ["where?", "when?"]},
    "ground truth": [{"id": "q", "ground_truth": [["a"]]}],
    "ground truth with a column of its own": [{"qid": "q", "retrieval_gt": [["a"]], "hops": 2}],
    "a run": {"q": ["a", "b"]},
    "a published data set": {
        "queries": {"q": "why?"}, "corpus": {"a": "text"}, "relevant_docs": {"q": ["a"]},
    },
    "a number": 7,
}  # fmt: skip


@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN)
def test_other_files_of_a_folder_are_no_fixtures(tmp_path: Path, content: Any) -> None:
    assert read_if_fixture(str(write(tmp_path, content))) is None


def test_json_lines_of_others_under_another_name_are_no_fixture(tmp_path: Path) -> None:
    path = tmp_path / "published.json"
    path.write_text('{"question": "why?"}\n{"question": "who?"}\n', encoding="utf-8")
    assert read_if_fixture(str(path)) is None
    path.write_text(f"{json.dumps(QUERY)}\n{json.dumps(QUERY)}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"name it \.jsonl"):
        read_if_fixture(str(path))


def test_a_repeated_key_of_another_program_is_not_our_concern(tmp_path: Path) -> None:
    path = tmp_path / "theirs.json"
    path.write_text('{"a": 1, "a": 2}', encoding="utf-8")
    assert read_if_fixture(str(path)) is None


BROKEN_FIXTURES: dict[str, Any] = {
    "head": {"queries": [QUERY], "expectd": {"recall": 0.5}},
    "head, the unknown field first": {"expectd": {"recall": 0.5}, "queries": [QUERY]},
    "query": {"queries": [{**QUERY, "expectd": {"recall": 0.5}}]},
    "results misspelled": {"queries": [{"id": "q", "ground_truth": [["a"]], "reslts": ["a"]}]},
    "list": [{**QUERY, "expectd": {"recall": 0.5}}],
    "map": {"q": {**QUERY, "expectd": {"recall": 0.5}}},
}


@pytest.mark.parametrize("content", BROKEN_FIXTURES.values(), ids=BROKEN_FIXTURES)
def test_an_unknown_field_in_a_fixture_of_a_folder_is_an_error(
    tmp_path: Path, content: Any
) -> None:
    with pytest.raises(InputError, match=r"unknown field '(expectd|reslts)'"):
        read_if_fixture(str(write(tmp_path, content)))
