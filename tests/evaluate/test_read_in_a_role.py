"""A file that holds ground truth and results is read in one role as if it held nothing else."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, read
from groupwise.evaluator.evaluation.checked_records import open_checked
from groupwise.evaluator.reading.options import Options
from groupwise.schemas import Dataset, Fixture, Policies, Run
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


def read_twice(path: Any, role: Any, ids: Any) -> Any:
    """Validate all records as what they are, then once more in their role."""
    records = open_checked(path, Options(role=role, texts=True), Policies(ids=ids))
    tuple(records.models())
    return (Run if role == "run" else Dataset).model_validate(list(records))


def outcome_of(call: Any, *given: Any) -> Any:
    try:
        return call(*given)
    except InputError as error:
        return error.count, error.problems


@FEWER
@given(
    RECORDS, st.sampled_from(["run", "ground_truth"]), st.sampled_from([None, "text"]),
    st.sampled_from([".json", ".jsonl"]),
)  # fmt: skip
def test_queries_are_those_that_are_validated_in_their_role(
    records: list[Any], role: Any, ids: Any, suffix: str
) -> None:
    named = [{"id": f"q{number}", **record} for number, record in enumerate(records)]
    text = "\n".join(map(json.dumps, named)) if suffix == ".jsonl" else json.dumps(named)
    with file_of(text, suffix) as path:
        found = outcome_of(lambda: read(path, role=role, ids=ids))
        expected = outcome_of(read_twice, path, role, ids)
    assert found == expected


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
