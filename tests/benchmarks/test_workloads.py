"""The data has the shape it is asked for, and is the same in every run."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks.axes import AXES, GrowthAxis
from benchmarks.measures import SERIES, Measures
from benchmarks.workloads import Workload, complete, write_array, write_jsonl

EVERY_AXIS = pytest.mark.parametrize("axis", AXES.values(), ids=list(AXES))


def test_equal_sizes_give_equal_data_and_other_sizes_other_data() -> None:
    assert [*Workload(5, 8).records()] == [*Workload(5, 8).records()]
    assert next(Workload(5, 8).records()) != next(Workload(5, 8, 2).records())


@pytest.mark.parametrize(("groups", "alternatives"), [(1, 1), (3, 2), (32, 2), (2, 64)])
def test_groups_and_alternatives_are_as_many_as_asked_for(groups: int, alternatives: int) -> None:
    for record in Workload(20, 100, groups, alternatives).records():
        assert [len(group) for group in record["ground_truth"]] == [alternatives] * groups


def test_without_a_number_they_vary() -> None:
    records = [*Workload(200, 5).records()]
    assert {len(record["ground_truth"]) for record in records} == {1, 2, 3, 4}
    assert {len(group) for record in records for group in record["ground_truth"]} == {1, 2, 3}


def test_shared_ids_are_in_neighbouring_groups_and_once_in_the_results() -> None:
    for record in Workload(50, 30, 5, 3, shared=True).records():
        for before, group in pairwise(record["ground_truth"]):
            assert len({*before} & {*group}) == 1
        assert len({*record["results"]}) == len(record["results"]) == 30


def test_some_alternatives_are_retrieved_and_some_are_not() -> None:
    records = [*Workload(200, 20).records()]
    listed = [(id_, record) for record in records for g in record["ground_truth"] for id_ in g]
    found = sum(id_ in record["results"] for id_, record in listed)
    assert len(listed) / 2 < found < len(listed) * 0.8


def test_files_hold_the_records_and_are_written_once(tmp_path: Path) -> None:
    workload = Workload(4, 3, 2, 1)
    path = write_jsonl(workload, tmp_path)
    assert [json.loads(line) for line in path.read_text().splitlines()] == [*workload.records()]
    assert json.loads(write_array(path).read_text()) == [*workload.records()]
    path.write_text("")
    assert write_jsonl(workload, tmp_path).read_text() == ""


def test_an_incomplete_file_does_not_get_its_name(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        _write_half(tmp_path / "data")
    assert not (tmp_path / "data").exists()


def _write_half(path: Path) -> None:
    with complete(path) as file:
        file.write("half")
        raise KeyboardInterrupt


@EVERY_AXIS
def test_along_an_axis_only_its_number_grows(axis: GrowthAxis) -> None:
    assert list(axis.values) == sorted({*axis.values})
    first, last = axis.workload(axis.values[0]), axis.workload(axis.values[-1])
    grown = [name for name in vars(first) if getattr(first, name) != getattr(last, name)]
    expected = {"metrics": [], "depth": ["results"], "shared": ["groups"]}
    assert grown == expected.get(axis.name, [axis.name])


@pytest.mark.parametrize(("count", "measures"), SERIES.items())
def test_a_series_has_as_many_numbers_as_it_says(count: int, measures: Measures) -> None:
    assert len({*measures.names}) == count
    assert measures.deepest == max(int(name.partition("@")[2]) for name in measures.names)


def test_the_axes_reach_as_far_as_the_page_says() -> None:
    ends = {name: (axis.values[0], axis.values[-1]) for name, axis in AXES.items()}
    assert ends == {
        "queries": (1_000, 1_000_000),
        "depth": (10, 1_000),
        "groups": (1, 32),
        "shared": (1, 32),
        "alternatives": (1, 64),
        "metrics": (1, 60),
    }
