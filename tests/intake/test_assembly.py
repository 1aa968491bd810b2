"""Models of plain records are built without validation, and are those that validation returns."""

import copy
import pickle
from enum import StrEnum
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from groupwise.evaluator.errors import Problems
from groupwise.evaluator.intake import assembly
from groupwise.evaluator.intake.checking import Intake
from groupwise.evaluator.intake.documents import open_corpus
from groupwise.evaluator.intake.objects import Objects
from groupwise.schemas import Document, Policies, Query, RunQuery
from groupwise.schemas.fixture import FixtureQuery
from tests.strategies import MANY

MODELS = (Query, RunQuery, FixtureQuery)
PLAIN_IDS = st.sampled_from(["a", "b", " c", "é", "7"])
NUMBERS = st.integers(-2, 9)
GRADES = st.sampled_from([1, 2, 0.5, 1000])
ODD = st.sampled_from(
    [None, "", " ", "\ud800", True, 1.5, 2**63, 7, "a", ["a"], [["a"], []], {"a": 0}, {"a": -1}]
)


def list_records(ids: Any, odd: Any) -> Any:
    group = st.lists(ids | odd, min_size=1, max_size=3)
    truths = (
        st.lists(group, max_size=3)
        | st.dictionaries(ids, GRADES, max_size=3)
        | st.lists(group | st.dictionaries(ids, GRADES, min_size=1, max_size=2), max_size=3)
    )
    fields = {
        "query": st.sampled_from(["Who?", None, ""]) | odd,
        "not_relevant": st.lists(ids | odd, max_size=2),
        "scores": st.lists(st.sampled_from([1, 0.5, -2]), max_size=2),
        "metadata": st.just({"type": "x"}),
        "expected": st.just({"recall": 1}),
    }
    names = {"id": st.sampled_from(["q", "r", "s", 7, "é"]) | odd, "ground_truth": truths | odd}
    both = {**names, "results": st.lists(ids | odd, max_size=3) | odd}
    return st.one_of(
        *(
            st.fixed_dictionaries(kept, optional={name: fields[name] for name in some})
            for kept in (names, {name: both[name] for name in ("id", "results")}, both)
            for some in ((), ("query", "not_relevant"), ("scores",), tuple(fields))
        )
    )


ALIKE = list_records(PLAIN_IDS, st.nothing()) | list_records(NUMBERS, st.nothing())
RECORDS = ALIKE | list_records(PLAIN_IDS | NUMBERS, ODD) | ODD


def show(value: Any) -> Any:
    """All that can be seen of a model: its type, its fields in order, and which were given."""
    if isinstance(value, tuple):
        return tuple(map(show, value))
    if not isinstance(value, BaseModel):
        return type(value), value
    fields = [(name, show(each)) for name, each in value.__dict__.items()]
    return type(value), fields, value.model_fields_set, value.__pydantic_extra__


def read_models(
    model: Any, values: list[Any], keys: Any = None, **policies: Any
) -> tuple[list[Any], list[str], int]:
    problems = Problems()
    intake = Intake(Objects("data", values, keys, 3), model, Policies(**policies), problems)
    found = list(intake.models())
    return found, [*map(str, problems.kept), str(intake.folded)], problems.count


def compare_with_validation(model: Any, values: list[Any], *keys: Any, **policies: Any) -> None:
    models, *said = read_models(model, values, *keys, **policies)
    with mock.patch.object(assembly, "accept", return_value=None):
        validated, *expected = read_models(model, values, *keys, **policies)
    assert [*map(show, models)] == [*map(show, validated)]
    assert models == validated
    assert [*map(repr, models)] == [*map(repr, validated)]
    assert said == expected


@MANY
@given(
    st.sampled_from(MODELS), st.lists(RECORDS, max_size=7), st.sampled_from([None, "any", "all"]),
    st.sampled_from([None, "text"]),
)  # fmt: skip
def test_models_are_those_of_validation(
    model: Any, values: list[Any], flat: str | None, ids: str | None
) -> None:
    compare_with_validation(model, values, flat=flat, ids=ids)


@MANY
@given(
    st.sampled_from(MODELS),
    st.lists(ALIKE.map(lambda record: next(iter(record.values()))) | ALIKE | ODD, max_size=5),
    st.sampled_from([None, "any", "all"]),
)
def test_models_are_those_of_validation_by_query_id(
    model: Any, values: list[Any], flat: str | None
) -> None:
    compare_with_validation(model, values, [f"q{n}" for n in range(len(values))], flat=flat)


class Name(StrEnum):
    """A string of a type of its own."""

    A = "a"


@pytest.mark.parametrize(
    ("record", "flat"),
    [
        ({"id": "q", "ground_truth": [["a", "b"], ["c"]]}, None),
        ({"id": 7, "ground_truth": [[1]], "not_relevant": [2], "query": None}, None),
        ({"id": "q", "ground_truth": {"a": 2, "b": 1}}, "any"),
        ({"id": "q", "ground_truth": {"a": 2, "b": 1}}, "all"),
        ({"id": "q", "ground_truth": [{"a": 2, "b": 1}, ["c"]]}, None),
        ({"id": "q", "ground_truth": [], "query": "Who?"}, None),
    ],
)
def test_plain_ground_truth_is_not_validated(record: Any, flat: str | None) -> None:
    with mock.patch.object(Query, "model_validate", side_effect=AssertionError):
        ((model,), _, count) = read_models(Query, [record], flat=flat)
    expected = Query.model_validate(record, context={"flat": flat})
    assert (show(model), count) == (show(expected), 0)
    for same in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):  # noqa: S301
        assert show(same) == show(expected)
    changed = model.model_copy(update={"corpus": "c"})
    assert changed.model_fields_set == {*expected.model_fields_set, "corpus"}
    assert model.model_fields_set == expected.model_fields_set


@pytest.mark.parametrize(
    "record",
    [{"id": "q", "results": ["a", "b"], "scores": [1, 0.5]}, {"id": "q", "results": []}],
)
def test_plain_results_are_not_validated(record: Any) -> None:
    with mock.patch.object(RunQuery, "model_validate", side_effect=AssertionError):
        ((model,), _, count) = read_models(RunQuery, [record])
    assert (show(model), count) == (show(RunQuery.model_validate(record)), 0)


@pytest.mark.parametrize(
    "record",
    [
        {"id": "q", "ground_truth": [["a"], ["b"]], "results": ["a"], "scores": [1]},
        {"id": "q", "ground_truth": [{"a": 2}], "results": [], "query": "Who?"},
    ],
)
def test_plain_records_of_both_kinds_are_not_validated(record: Any) -> None:
    with mock.patch.object(FixtureQuery, "model_validate", side_effect=AssertionError):
        (models, _, count) = read_models(FixtureQuery, [record, {**record, "id": "r"}])
    assert (show(models[0]), count) == (show(FixtureQuery.model_validate(record)), 0)
    assert models[0].expected is not models[1].expected


@pytest.mark.parametrize("model", MODELS)
def test_numbers_that_become_text_are_not_validated(model: Any) -> None:
    both = {"id": 7, "ground_truth": [[1, 2], [3]], "not_relevant": [4], "results": [-1, 2]}
    kept = {name: value for name, value in both.items() if name in model.model_fields}
    with mock.patch.object(model, "model_validate", side_effect=AssertionError):
        ((found,), _, count) = read_models(model, [kept], ids="text")
    expected = model.model_validate(kept, context={"ids": "text"})
    assert (show(found), count) == (show(expected), 0)
    assert found.judged_ids() == ["1", "2", "3", "4"] if model is Query else found.id == "7"


@pytest.mark.parametrize("text", [Name.A, "\ud800"])
@pytest.mark.parametrize("field", ["id", "query", "ground_truth", "not_relevant"])
def test_texts_that_validation_changes_or_refuses_are_validated(field: str, text: str) -> None:
    record: dict[str, Any] = {"id": "q", "ground_truth": [["b"]], "query": "", "not_relevant": []}
    record[field] = {"ground_truth": [[text]], "not_relevant": [text]}.get(field, text)
    compare_with_validation(Query, [record])


@pytest.mark.parametrize("texts", [None, ["x", None, "z"]])
def test_documents_are_those_of_validation(texts: list[str | None] | None) -> None:
    columns = {"id": ["a", "b", "c"], **({} if texts is None else {"text": texts})}
    records = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    batch = mock.Mock(keys=None, columns=lambda: columns)
    corpus = open_corpus(records)
    with mock.patch.object(corpus, "_records", mock.Mock(batches=lambda _reading: [batch])):
        models = list(corpus.models(Problems()))
    assert [*map(show, models)] == [show(Document.model_validate(each)) for each in records]
