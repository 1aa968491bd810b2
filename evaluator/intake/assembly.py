"""Plain records as models, without validating them again.

What was accepted in bulk has the fields that are built here in one form only: lists of ids, numbers
and texts. All other records are validated one by one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain, islice, repeat
from typing import Any

from groupwise.evaluator.intake.bulk import BulkCheck, PlainBatch
from groupwise.evaluator.intake.graded import split_grades
from groupwise.evaluator.reading.records import Batch
from groupwise.schemas import Id, Query, RunQuery
from groupwise.schemas.ground_truth import Alternative, GroundTruth, Group
from groupwise.schemas.parts import Part

BUILT = frozenset({"query", "ground_truth", "not_relevant", "results", "scores"})
GROUPS, ALTERNATIVES, ID, GRADED = {"groups"}, {"alternatives"}, {"id"}, {"id", "grade"}


def accept(bulk: BulkCheck, batch: Batch, flat: str | None) -> PlainBatch | None:
    """Return the records of a batch, if models of them need no validation; else None.

    Groups are as written: lists of ids, or grades by id.
    """
    plain = _accept_plain(bulk, batch, flat)
    return plain if plain and _can_assemble(plain) else None


def _accept_plain(bulk: BulkCheck, batch: Batch, flat: str | None) -> PlainBatch | None:
    fields = batch.columns()
    if fields is not None:
        return bulk.accept_columns(fields, batch.keys)
    values = batch.values
    may_have_grades = bulk.part.has_truth and batch.keys is None
    graded = split_grades(values, flat) if may_have_grades else None
    if graded is None:
        return bulk.accept(values, batch.keys)
    plain = bulk.accept(graded.values, None)
    return plain and replace(plain, columns={**plain.columns, "ground_truth": graded.groups})


def _can_assemble(plain: PlainBatch) -> bool:
    """Whether models of these records need no validation.

    Strings of a type of their own become plain ones, and halves of characters are refused there.
    """
    columns = plain.columns
    if not columns.keys() <= BUILT or {*map(type, columns.values())} != {list}:
        return False
    truths = chain.from_iterable(columns.get("ground_truth", ()))
    lists = (*truths, *columns.get("not_relevant", ()), *columns.get("results", ()))
    ids: list[Any] = [*chain.from_iterable(lists)]
    texts = [text for text in columns.get("query", ()) if text is not None]
    return {*map(type, ids)} in ({str}, {int}, set()) and is_unicode([*plain.ids, *texts, *ids])


def select_fields(plain: PlainBatch, part: Part) -> PlainBatch | None:
    """Return plain records with the fields of a part only; None if models of them need validation.

    A field without a value is one that was not given.
    """
    columns = {name: column for name, column in plain.columns.items() if name in part.fields}
    found = replace(plain, columns=columns)
    is_whole = all(None not in column for column in columns.values())
    return found if is_whole and _can_assemble(found) else None


def is_unicode(values: list[Any]) -> bool:
    """Whether texts, or ids, have no halves of characters, which models refuse."""
    try:
        "".join(map(str, values)).encode()
    except UnicodeEncodeError:
        return False
    return True


def assemble(plain: PlainBatch, part: Part) -> Iterator[Query | RunQuery]:
    """Yield the models of records that were accepted here."""
    model, blank, names = part.model, _blank_fields(part), ("id", *plain.columns)
    given, factories = {*names}, _list_factories(part)
    columns = [BUILDERS[name](column) for name, column in plain.columns.items()]
    for values in zip(plain.ids, *columns, strict=True):
        fields = {**blank, **dict(zip(names, values, strict=True))}
        for name, make in factories.items():
            fields[name] = make()
        yield model.assemble(fields, given)


@cache
def _blank_fields(part: Part) -> Mapping[str, Any]:
    """Return the fields of a model in their order, with their defaults."""
    fields = part.model.model_fields
    return {name: None if each.is_required() else each.default for name, each in fields.items()}


@cache
def _list_factories(part: Part) -> Mapping[str, Callable[[], Any]]:
    """Return what makes the defaults that no two models share; such fields are not built here."""
    fields = part.model.model_fields
    return {name: each.default_factory for name, each in fields.items() if each.default_factory}  # type: ignore[misc]


def _build_truths(truths: list[list[Any]]) -> Iterable[GroundTruth]:
    """Return the models of ground truths, whose groups are lists of ids or grades by id."""
    groups = [*chain.from_iterable(truths)]
    kinds = {*map(type, groups)}
    built = iter(
        _build_alike(groups, kinds.pop()) if len(kinds) == 1 else map(_build_group, groups)
    )
    fields = ({"groups": tuple(islice(built, len(truth)))} for truth in truths)
    return GroundTruth.assemble_each(fields, GROUPS)


def _build_alike(groups: list[Any], kind: type) -> Iterable[Group]:
    """Return the models of groups that are all lists, or all grades."""
    ids = chain.from_iterable(groups)
    is_graded = kind is dict
    grades = chain.from_iterable(map(dict.values, groups)) if is_graded else repeat(1.0)
    alternatives = Alternative.assemble_each(
        (
            {"id": document, "grade": float(grade), "text": None, "document": None, "start": None,
             "end": None}
            for document, grade in zip(ids, grades, strict=False)
        ),
        GRADED if is_graded else ID,
    )  # fmt: skip
    return Group.assemble_each(
        (
            {"alternatives": tuple(islice(alternatives, len(group))), "weight": 1.0, "label": None}
            for group in groups
        ),
        ALTERNATIVES,
    )


def _build_group(listed: list[Id] | dict[Id, float]) -> Group:
    if type(listed) is dict:
        alternatives = tuple(map(_build_graded, listed, listed.values()))
    else:
        alternatives = tuple(map(_build_alternative, listed))
    fields = {"alternatives": alternatives, "weight": 1.0, "label": None}
    return Group.assemble(fields, ALTERNATIVES)


def _build_alternative(document: Id) -> Alternative:
    fields = {
        "id": document, "grade": 1.0, "text": None, "document": None, "start": None, "end": None,
    }  # fmt: skip
    return Alternative.assemble(fields, ID)


def _build_graded(document: Id, grade: float) -> Alternative:
    fields = {
        "id": document, "grade": float(grade), "text": None, "document": None, "start": None,
        "end": None,
    }  # fmt: skip
    return Alternative.assemble(fields, GRADED)


BUILDERS: dict[str, Callable[[list[Any]], Iterable[Any]]] = {
    "query": iter,
    "ground_truth": _build_truths,
    "not_relevant": lambda lists: map(tuple, lists),
    "results": lambda lists: map(tuple, lists),
    "scores": lambda lists: (tuple(map(float, scores)) for scores in lists),
}
