"""What a lean validator accepts, its model accepts with the same result."""

from typing import Any

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from groupwise.schemas import FixtureQuery, Query, RunQuery
from groupwise.schemas.shape import lean_validator

BLANK = ["", " ", "\t\n", "\u00a0", "\u3000", "\x1c", "\ud800"]
ODD: list[Any] = [None, True, 1.0, float("nan"), float("inf"), 10**400, 2**63, b"a", {"a"}, ("a",)]
IDS = st.sampled_from(["a", "b", "c ", 1, 2, *BLANK]) | st.sampled_from(ODD)
NUMBERS = st.sampled_from([0, 1, 2, 0.5, -1, 2000, "1", None]) | st.sampled_from(ODD)


def objects(*numbers: str) -> st.SearchStrategy[Any]:
    known = {"text": st.sampled_from(["x", "", None, 1]), "document": IDS}
    fields = dict.fromkeys((*numbers, "start", "end"), NUMBERS)
    odd = {"qid": IDS, "unknown": IDS, "label": st.text(max_size=1)}
    return st.fixed_dictionaries({}, optional={"id": IDS, **known, **fields, **odd})


def lists(items: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(st.sampled_from("abc"), max_size=3) | st.lists(items, max_size=3) | IDS


ALTERNATIVES = lists(IDS | objects("grade") | st.builds(lambda id_: {"id": id_}, IDS))
GROUPS = ALTERNATIVES | st.fixed_dictionaries(
    {"alternatives": ALTERNATIVES}, optional={"weight": NUMBERS, "label": IDS}
)
RANKINGS = lists(IDS | objects("score", "tokens") | st.builds(lambda id_: {"id": id_}, IDS))
TRUTH = {"ground_truth": lists(GROUPS), "not_relevant": lists(IDS), "answerable": IDS}
RANKING = {"results": RANKINGS, "scores": lists(NUMBERS)}
RECORDS: dict[type[BaseModel], dict[str, st.SearchStrategy[Any]]] = {
    Query: TRUTH, RunQuery: RANKING, FixtureQuery: {**TRUTH, **RANKING}
}  # fmt: skip


@pytest.mark.parametrize("model", RECORDS)
@given(st.data())
def test_a_lean_validator_accepts_less_than_its_model(
    model: type[BaseModel], data: st.DataObject
) -> None:
    record = data.draw(st.fixed_dictionaries({"id": IDS}, optional=RECORDS[model]))
    try:
        lean = lean_validator(model).validate_python(record)
    except ValidationError:
        return
    sound = model.__pydantic_validator__.validate_python(record)
    assert lean == sound
    assert lean.model_dump() == sound.model_dump()


@pytest.mark.skipif(
    tuple(map(int, pydantic.VERSION.split(".")[:2])) < (2, 12),
    reason="before pydantic 2.12 the model reads these records: the same, but slower",
)
def test_plain_records_need_no_more_than_that() -> None:
    groups = [["a", {"id": "b", "grade": 2}], {"alternatives": ["c"], "weight": 2, "label": "x"}]
    results = [{"id": "a", "score": 0.5, "text": "t", "tokens": 3, "vector": [0.1]}]
    record = {"id": "q", "query": "?", "ground_truth": groups, "metadata": {"n": [1]}}
    assert lean_validator(Query).validate_python(record).id == "q"
    for ranking in (results, ["a", "b"], [1, 2]):
        assert lean_validator(RunQuery).validate_python({"id": "q", "results": ranking}).id == "q"
