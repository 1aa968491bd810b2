"""A file that holds ground truth and results is read in one role as if it held nothing else."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, read
from groupwise.schemas import Dataset, Fixture, Query, Run, RunQuery
from tests.formats.reading import file_of
from tests.strategies import FEWER

IDS = st.sampled_from(["a", "b", "c", " d", "é"])
NUMBERS = st.integers(0, 4)
EXTRA = {
    "query": st.sampled_from(["Who?", None, ""]),
    "metadata": st.just({"type": "x"}),
    "expected": st.just({"recall": 1}),
    "not_relevant": st.lists(st.just("z"), max_size=2),
}


def list_records(ids: Any) -> Any:
    truths = st.lists(st.lists(ids, min_size=1, max_size=3), min_size=1, max_size=3)
    graded = st.lists(st.dictionaries(IDS, st.sampled_from([1, 2]), min_size=1), min_size=1)
    results = st.lists(ids, max_size=3)
    scored = st.dictionaries(IDS, st.sampled_from([0.5, 2]), max_size=3)
    fields = {"ground_truth": truths | graded, "results": results | scored}
    return st.lists(st.fixed_dictionaries(fields, optional=EXTRA), min_size=1, max_size=6)


RECORDS = list_records(IDS) | list_records(NUMBERS)


def read_alone(records: list[Any], role: Any, ids: Any) -> Any:
    """Validate the fields of a role only."""
    fields = (RunQuery if role == "run" else Query).model_fields
    kept = [{name: each[name] for name in fields if name in each} for each in records]
    model = Run if role == "run" else Dataset
    return model.model_validate({"queries": kept}, context={"ids": ids})


@FEWER
@given(
    RECORDS, st.sampled_from(["run", "ground_truth"]), st.sampled_from([None, "text"]),
    st.sampled_from([".json", ".jsonl"]),
)  # fmt: skip
def test_a_file_of_both_is_read_in_a_role_as_if_it_held_nothing_else(
    records: list[Any], role: Any, ids: Any, suffix: str
) -> None:
    named = [{"id": f"q{number}", **record} for number, record in enumerate(records)]
    text = "\n".join(map(json.dumps, named)) if suffix == ".jsonl" else json.dumps(named)
    with file_of(text, suffix) as path:
        try:
            found = read(path, role=role, ids=ids)
        except InputError:  # ids of both kinds
            return
    assert found == read_alone(named, role, ids)


PLAIN = [{"id": f"q{n}", "ground_truth": [["a", "b"]], "results": ["a"]} for n in range(3)]


def test_the_whole_file_is_a_fixture() -> None:
    with file_of(json.dumps(PLAIN), ".json") as path:
        assert isinstance(read(path), Fixture)


@pytest.mark.parametrize("role", ["run", "ground_truth"])
def test_problems_of_the_other_role_are_reported_as_well(role: Any) -> None:
    records = [{"id": "q", "ground_truth": [[]], "results": [""]}, *PLAIN]
    with file_of(json.dumps(records), ".json") as path, pytest.raises(InputError) as caught:
        read(path, role=role)
    assert caught.value.count == 2
