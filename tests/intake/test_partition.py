"""Plain records of a batch are told from the others, and only these are looked at closely."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise.evaluator.intake import partition as module
from groupwise.evaluator.intake.bulk import BulkCheck
from groupwise.evaluator.intake.partition import partition
from groupwise.schemas import FixtureQuery
from tests.validation.data import IDS, TRUTHS

ODD = st.sampled_from([None, True, 1.5, "", " ", 2**63, -(2**63), 7, "é", [], ["a"], {"a": 1}])
RECORDS = st.fixed_dictionaries(
    {
        "id": st.sampled_from(["q", "r", 7, "", None]),
        "ground_truth": TRUTHS | st.lists(st.lists(IDS | ODD, max_size=3) | ODD, max_size=3) | ODD,
        "results": st.lists(IDS, max_size=4) | st.lists(IDS | ODD, max_size=4) | ODD,
    },
    optional={"scores": st.lists(st.floats(0, 1), max_size=2), "query": st.just("Who?") | ODD},
)


@given(records=st.lists(RECORDS | ODD, max_size=8))
def test_records_are_plain_as_they_are_by_themselves(records: list[Any]) -> None:
    bulk = BulkCheck(FixtureQuery)
    parts = partition(bulk, records, None)
    alone = [number for number, each in enumerate(records) if bulk.accept([each], None) is None]
    assert parts.odd == alone
    plain = [number for part in parts.plain for number in part.numbers]
    assert sorted([*plain, *parts.odd]) == [*range(len(records))]
    for numbers, batch in parts.plain:
        assert batch.columns["ground_truth"] == [records[n]["ground_truth"] for n in numbers]
        assert batch.columns["results"] == [records[n]["results"] for n in numbers]


@pytest.mark.parametrize("number", [10, 40])
def test_only_odd_records_are_looked_at_closely(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at: list[Any] = []

    def note(field: str) -> None:
        quick, careful = module.QUICK_TESTS[field]

        def look(contents: list[Any]) -> Any:
            looked_at.extend(contents)
            return careful(contents)

        monkeypatch.setitem(module.QUICK_TESTS, field, (quick, look))

    note("ground_truth")
    note("results")
    good = {"id": "q", "ground_truth": [["a"]], "results": ["a"]}
    bad = {"id": "q", "ground_truth": [[""]], "results": [1.5]}
    parts = partition(BulkCheck(FixtureQuery), [*[good] * 9, bad] * number, None)
    assert len(parts.odd) == number
    assert looked_at == [[[""]]] * number + [[1.5]] * number
