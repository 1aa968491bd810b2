"""Plain rows of the long form take a shorter way to the same records."""

from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, read
from groupwise.evaluator.formats.csv import read_rows
from groupwise.evaluator.formats.csv_rows import build_truth
from groupwise.evaluator.formats.losses import count_features
from groupwise.evaluator.formats.mapping.judgements import judgements, not_relevant
from groupwise.evaluator.formats.mapping.long_form import LongRecords, flat_record, grouped_record
from groupwise.evaluator.reading.records import Reading
from groupwise.evaluator.reading.source import MemorySource
from tests.strategies import MANY

GRADES = st.sampled_from([1, 1, 2, 0, -1, 0.5])
JUDGED = st.lists(
    st.tuples(st.integers(1, 9), st.sampled_from("xyz"), st.sampled_from("abcd"), GRADES)
)


@MANY
@given(JUDGED)
def test_flat_and_grouped_records_are_those_of_the_definition(judged: list[Any]) -> None:
    """The first grade counts; relevant: above 0, not relevant: 0, not judged: below."""
    first: dict[tuple[str, str], float] = {}
    flat: dict[str, float] = {}
    for _, group, document, grade in judged:
        first.setdefault((group, document), grade)
        flat.setdefault(document, grade)

    groups = list(dict.fromkeys(group for group, _ in first))
    relevant = {
        name: {d: grade for (group, d), grade in first.items() if group == name and grade > 0}
        for name in groups
    }
    met = {document for grades in relevant.values() for document in grades}
    others = [
        d for name in groups for (group, d), grade in first.items() if group == name and grade == 0
    ]
    said: list[Any] = []
    found = grouped_record("q", judged, lambda *problem: said.append(problem))
    assert found["ground_truth"] == {name: grades for name, grades in relevant.items() if grades}
    assert found.get("not_relevant", []) == [d for d in dict.fromkeys(others) if d not in met]
    differ = [line for line, group, d, grade in judged if first[group, d] != grade]
    assert [line for _, line in said] == differ

    record = flat_record("q", [(line, d, grade) for line, _, d, grade in judged], mock.Mock())
    assert record["ground_truth"] == {d: grade for d, grade in flat.items() if grade > 0}
    assert record.get("not_relevant", []) == [d for d, grade in flat.items() if grade == 0]


IDS = st.sampled_from(["a", "b", "c", 7])
GROUPS = st.lists(
    st.lists(
        IDS | st.builds(lambda i, g: {"id": i, "grade": g}, IDS, GRADES.filter(lambda g: g >= 0))
    )
)


@MANY
@given(GROUPS, st.lists(IDS))
def test_bare_ids_are_judged_as_those_written_in_full(groups: list[Any], others: list[Any]) -> None:
    record = {"id": "q", "ground_truth": groups, "not_relevant": others}
    in_full = [
        [each if isinstance(each, dict) else {"id": each} for each in group] for group in groups
    ]
    longer = {**record, "ground_truth": [{"alternatives": group} for group in in_full]}
    assert [*judgements(record)] == [*judgements(longer)]
    assert not_relevant(record) == not_relevant(longer)
    zero = [each["id"] for group in in_full for each in group if each.get("grade") == 0]
    assert not_relevant(record) == list(dict.fromkeys([*others, *zero]))
    assert count_features([record]) == count_features([longer])


class CountedSource(MemorySource):
    """A source that counts how often it is opened."""

    opened = 0

    def open(self) -> Any:
        self.opened += 1
        return super().open()


TEXT = b"query_id,id,group\nq,a,1\nr\nr,b,1\nq,c,2\ns,,\ns,d,\n,\n,,\n"


def read_all(records: LongRecords) -> tuple[list[Any], list[str]]:
    reading = Reading()
    batches = [(batch.values, batch.place(0, ())) for batch in records.batches(reading)]
    return batches, [*map(str, reading.problems)]


def test_passes_that_overlap_are_whole() -> None:
    records = LongRecords(MemorySource("data.csv", TEXT), read_rows, build_truth)
    expected = read_all(records)
    one, other = records.batches(Reading()), records.batches(Reading())
    assert next(iter(one)).values == next(iter(other)).values == expected[0][0][0]
    assert not [*one, *other]
    assert read_all(records) == expected


def test_problems_of_lines_are_reported_once(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_bytes(TEXT)
    with pytest.raises(InputError) as caught:
        read(tmp_path / "data.csv")
    said = [(problem.line, problem.message) for problem in caught.value.problems]
    assert len(said) == len({*said}) == 3
