"""Documents that are taken or counted together are those that models accept or refuse."""

from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from groupwise.evaluator import errors
from groupwise.evaluator.errors import Problems
from groupwise.evaluator.intake import documents
from groupwise.evaluator.intake.documents import is_refused, open_corpus
from groupwise.evaluator.intake.objects import Objects
from groupwise.schemas import Document
from groupwise.schemas.corpus import with_id
from tests.intake.test_assembly import show
from tests.strategies import MANY

IDS = st.sampled_from(["a", "b", " c", "é", "7"])
ODD = st.sampled_from(
    [None, "", " ", "\ud800", True, 1.5, 2**63, 7, -1, "a", [], ["a", 1], ("a",), {}, {"b": 1}]
)
FIELDS = {
    "id": IDS, "doc_id": IDS, "text": st.sampled_from(["x", "", None]), "contents": IDS,
    "document": IDS, "start": st.just(3), "start_end_idx": st.just([1, 2]), "metadata": st.just({}),
    "other": ODD,
}  # fmt: skip
ODD_FIELDS = {name: plain | ODD for name, plain in FIELDS.items()}


def objects(fields: dict[str, Any], needed: tuple[str, ...]) -> Any:
    kept = {name: fields[name] for name in needed}
    others = {name: fields[name] for name in fields if name not in needed}
    return st.fixed_dictionaries(kept, optional=others)


ALIKE = st.one_of(
    st.lists(IDS, max_size=5),
    st.lists(st.integers(-2, 9), max_size=5),
    st.lists(
        objects({"id": IDS, "text": FIELDS["text"], "other": ODD}, ("id", "text")), max_size=5
    ),
    st.lists(objects({"doc_id": st.integers(0, 5), "other": ODD}, ("doc_id",)), max_size=5),
    st.lists(objects(FIELDS, ("id",)), max_size=5),
)
MIXED = st.lists(IDS | ODD | objects(ODD_FIELDS, ()), max_size=6)


def read_models(values: list[Any], keys: list[str] | None, ids: str | None) -> Any:
    problems = Problems()
    corpus = open_corpus(values if keys is None else dict(zip(keys, values, strict=True)))
    corpus._records = Objects("corpus", values, keys, 3)
    found = list(corpus.models(problems, ids))
    return [*map(show, found)], problems.kept, problems.count


@MANY
@given(
    ALIKE | MIXED, st.booleans(), st.sampled_from([None, "text"]), st.sampled_from([0, 1, 1000])
)  # fmt: skip
def test_documents_are_those_of_validation(
    values: list[Any], has_keys: bool, ids: str | None, kept: int
) -> None:
    keys = [f"d{number}" for number in range(len(values))] if has_keys else None
    with mock.patch.object(errors, "KEPT_PROBLEMS", kept):
        quick = read_models(values, keys, ids)
        with (
            mock.patch.object(documents, "_has_ids_and_texts", return_value=False),
            mock.patch.object(documents, "is_refused", return_value=False),
        ):
            assert quick == read_models(values, keys, ids)


@MANY
@given(IDS | ODD | objects(ODD_FIELDS, ()), st.booleans())
def test_what_is_refused_is_no_document(value: Any, has_key: bool) -> None:
    record = with_id("d", value) if has_key else value
    if is_refused(value, has_key=has_key):
        with pytest.raises(ValidationError):
            Document.model_validate(record)


@pytest.mark.parametrize("value", [[], ["a"], 1.5, True, None, {}, {"name": "a"}])
def test_common_values_that_are_no_documents_need_no_model(value: Any) -> None:
    assert is_refused(value, has_key=False)


@pytest.mark.parametrize("value", [[], 7, 1.5, False])
def test_common_values_that_are_no_texts_need_no_model(value: Any) -> None:
    assert is_refused(value, has_key=True)


@pytest.mark.parametrize(
    "values",
    [
        ["a", "b"],
        [1, 2],
        [{"id": "a", "text": "x"}, {"id": "b", "text": None}],
        [{"_id": 1, "name": "x"}, {"_id": 2}],
    ],
)
@pytest.mark.parametrize("ids", [None, "text"])
def test_plain_documents_are_not_validated(values: list[Any], ids: str | None) -> None:
    expected = [show(Document.model_validate(value, context={"ids": ids})) for value in values]
    with mock.patch.object(Document, "model_validate", side_effect=AssertionError):
        assert read_models(values, None, ids) == (expected, [], 0)


def test_problems_beyond_the_limit_are_not_described() -> None:
    values = [{"id": "a", "text": 7}] * 40
    with mock.patch.object(errors, "KEPT_PROBLEMS", 3):
        _, kept, count = read_models(values, None, None)
        corpus = open_corpus(values)
        with mock.patch.object(corpus, "_problem", side_effect=errors.Problem) as made:
            list(corpus.models(Problems()))
    assert (len(kept), count, made.call_count) == (3, 40, 3)
