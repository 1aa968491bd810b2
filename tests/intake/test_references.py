"""Texts and spans of alternatives and results, for matchers that need more than ids."""

import json
from pathlib import Path
from typing import Any

import pytest

from groupwise.evaluator.errors import Problems
from groupwise.evaluator.intake.check import Intake
from groupwise.evaluator.intake.join import Join, concatenate
from groupwise.evaluator.intake.objects import as_records
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.order import sort_by_score
from groupwise.schemas import Policies, Query, Reference, RunQuery

TRUTH = {
    "plain": [["a", "b"], ["c"]],
    "rich": [
        [{"id": "a", "text": "one"}, {"id": "x", "grade": 0, "text": "none"}, "b"],
        [{"id": "c", "document": "d", "start": 0, "end": 9}],
    ],
}
RUN = {
    "rich": [{"id": "b", "score": 1.0, "text": "two"}, {"id": "c", "score": 2.0}],
    "plain": ["a", "x"],
}
REFERENCES = [
    [Reference("a", "one"), Reference("b")],
    [Reference("c", document="d", start=0, end=9)],
]


def rows_of(value: Any, model: Any, *, references: bool = True, **policies: Any) -> list[Rows]:
    problems = Problems()
    records = as_records(value, "input")
    intake = Intake(records, model, Policies(**policies), problems, references=references)
    found = list(intake.rows())
    problems.raise_if_any()
    return found


def joined(truth: Any, run: Any, **policies: Any) -> dict[str, Rows]:
    sides = (rows_of(truth, Query, **policies), rows_of(run, RunQuery, **policies))
    parts = list(Join(*map(iter, sides)).rows())
    return {rows.ids[n]: rows.only([n]) for rows in parts for n in range(len(rows))}


def test_references_are_aligned_with_the_ids_that_meet_a_group() -> None:
    (rows,) = rows_of({"rich": TRUTH["rich"]}, Query)
    assert rows.truths == [[["a", "b"], ["c"]]]
    assert rows.truth_references == [REFERENCES]
    assert rows.not_relevant == [["x"]]


def test_each_query_keeps_its_own_references_through_a_join() -> None:
    found = joined(TRUTH, RUN)
    assert found["rich"].truth_references == [REFERENCES]
    assert found["rich"].result_references == [[Reference("b", "two"), Reference("c")]]


def test_references_follow_their_results_into_the_order_of_scores() -> None:
    rows = sort_by_score(joined(TRUTH, RUN)["rich"])
    assert rows.results == [["c", "b"]]
    assert rows.result_references == [[Reference("c"), Reference("b", "two")]]


def test_ids_of_references_are_text_where_ids_are() -> None:
    found = joined({"q": [[{"id": 1, "text": "one"}]]}, {"q": [{"id": 1, "score": 1}]}, ids="text")
    assert found["q"].truth_references == [[[Reference("1", "one")]]]
    assert found["q"].result_references == [[Reference("1")]]


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_files_have_them_too(tmp_path: Path, suffix: str) -> None:
    records = [{"id": query, "ground_truth": groups} for query, groups in TRUTH.items()]
    lines = "\n".join(map(json.dumps, records))
    path = tmp_path / f"truth.{suffix}"
    path.write_text(lines if suffix == "jsonl" else json.dumps(records), "utf-8")
    rows = concatenate(rows_of(path, Query))
    assert rows.truth_references[-1] == REFERENCES


def test_plain_records_are_still_accepted_in_bulk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Intake, "_validate", None)
    (rows,) = rows_of({"plain": TRUTH["plain"]}, Query)
    assert rows.truth_references == []


def test_nobody_pays_for_references_that_are_not_needed() -> None:
    for value, model in ((TRUTH, Query), (RUN, RunQuery)):
        (rows,) = rows_of(value, model, references=False)
        assert not rows.truth_references
        assert not rows.result_references
