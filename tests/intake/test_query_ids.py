"""Records, and their query ids within and outside of them."""

from typing import Any

import pytest

from groupwise.evaluator.intake.query_ids import is_record, query_of, record_with_key
from groupwise.schemas import Query, RunQuery

TRUTH = {"id": "q", "ground_truth": [["a"]]}
RUN = {"qid": "q", "retrieved_ids": ["a"]}
UNANSWERABLE = {"id": "q", "answerable": False}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (TRUTH, True),
        (RUN, True),
        (UNANSWERABLE, True),
        (Query.model_validate(TRUTH), True),
        (RunQuery.model_validate(RUN), True),
        ({"ground_truth": [["a"]]}, False),
        ({"id": "q"}, False),
        ([["a"]], False),
        (None, False),
    ],
)
def test_a_record_has_an_id_and_a_role(value: Any, expected: bool) -> None:
    assert is_record(value) is expected


KNOWN = {"id", "qid", "query_id", "ground_truth", "query"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([["a"]], {"id": "q", "ground_truth": [["a"]]}),
        ({"a": 3}, {"id": "q", "ground_truth": {"a": 3}}),
        ({"ground_truth": [["a"]]}, {"id": "q", "ground_truth": [["a"]]}),
        ({"id": "r", "query": "?"}, {"qid": "q", "id": "r", "query": "?"}),
        (None, {"id": "q", "ground_truth": None}),
    ],
)
def test_a_key_outside_a_record_is_its_query_id(value: Any, expected: Any) -> None:
    """A second id is kept under another name, so that the schema refuses both."""
    assert record_with_key("q", value, "ground_truth", KNOWN) == expected


@pytest.mark.parametrize(
    ("record", "query"),
    [
        (TRUTH, "q"),
        (RUN, "q"),
        ({"id": 7}, "7"),
        ({"id": None}, None),
        ({}, None),
        (["q"], None),
        (Query.model_validate(TRUTH), "q"),
    ],
)
def test_the_query_id_is_found_under_any_of_its_names(record: Any, query: str | None) -> None:
    assert query_of(record) == query
