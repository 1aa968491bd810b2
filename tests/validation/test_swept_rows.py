"""Clean rows beside others: each is counted, whichever walk tells that it is clean."""

import pytest

from groupwise import validate
from groupwise.evaluator.native import fallback, loader
from groupwise.evaluator.validation.engine import sweep

RECORDS = [
    {"id": "q0", "ground_truth": [["u", "v", "w"]], "not_relevant": ["c"]},
    {"id": "q1", "ground_truth": [["u", "o"]]},
    {"id": "q2", "ground_truth": [["u"]]},
]


@pytest.mark.parametrize("walk", [loader.walk, fallback], ids=["as it is", "in Python"])
def test_rows_that_share_an_id_are_all_counted(
    walk: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "walk", walk)
    found = validate(RECORDS, k=3, profile="trec").statistics
    assert found is not None
    assert (found.queries, found.groups_per_query) == (3, {1: 3})
    assert found.alternatives_per_group == {1: 1, 2: 1, 3: 1}
