"""Documents that are taken together are those that models accept or refuse."""

from functools import partialmethod
from typing import Any
from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

from groupwise.evaluator.errors import Problems
from groupwise.evaluator.intake.documents import Documents
from groupwise.evaluator.intake.objects import Objects
from groupwise.schemas.reference import reference_of
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


def read(values: list[Any], keys: list[str] | None, size: int, **options: Any) -> Any:
    """Return what is read of documents, so many at a time."""
    problems = Problems()
    with mock.patch.object(Objects, "batches", partialmethod(Objects.batches, size=size)):
        batches = [*Documents(Objects("corpus", values, keys)).batches(problems, **options)]
    found = [reference for batch in batches for reference in batch.references]
    return found, problems.kept


@MANY
@given(ALIKE | MIXED, st.booleans(), st.sampled_from([None, "text"]))
def test_the_size_of_a_batch_changes_nothing(
    values: list[Any], has_keys: bool, ids: str | None
) -> None:
    keys = [f"d{number}" for number in range(len(values))] if has_keys else None
    each = read(values, keys, 1, ids=ids, spans=True)
    assert read(values, keys, 3, ids=ids, spans=True) == each
    assert read(values, keys, 100, ids=ids, spans=True) == each


@MANY
@given(ALIKE | MIXED, st.sampled_from([None, "text"]))
def test_references_are_those_of_models(values: list[Any], ids: str | None) -> None:
    models = [*Documents(Objects("corpus", values, None)).models(Problems(), ids)]
    assert read(values, None, 3, ids=ids, spans=True)[0] == [*map(reference_of, models)]
