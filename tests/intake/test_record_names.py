"""Lists of records are told from lists of bare ground truths by the names of fields, once each."""

from typing import Any
from unittest import mock

import pytest

from groupwise.evaluator.intake import query_ids
from groupwise.evaluator.intake.query_ids import are_records, is_record
from groupwise.schemas import FixtureQuery

RECORD = {"id": "q", "ground_truth": [["a"]], "results": ["a"]}
MODEL = FixtureQuery.model_validate(RECORD)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([RECORD] * 3, True),
        ([RECORD, {"qid": "r", "retrieval_gt": [["a"]]}], True),
        ([RECORD, MODEL, RECORD], True),
        ([RECORD, {"a": 1}], False),
        ([RECORD, {"id": "r"}, RECORD], False),
        ([RECORD, [["a"]]], False),
        ([RECORD, None], False),
        ([{"id": 1, "results": []}, {"results": []}], False),
    ],
)
def test_all_must_be_records(values: list[Any], expected: bool) -> None:
    assert are_records(values) is expected
    assert all(map(is_record, values)) is expected


def test_records_with_the_same_names_are_looked_at_once() -> None:
    with mock.patch.object(query_ids, "is_record", wraps=is_record) as looks:
        assert are_records([{**RECORD, "id": f"q{number}"} for number in range(1000)])
    assert looks.call_count == 1
