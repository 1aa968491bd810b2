"""The ground truth of a query: groups of alternatives, an AND of ORs."""

from collections.abc import Mapping
from itertools import chain
from typing import Annotated, Any, ClassVar, NamedTuple, NoReturn, TypeAlias

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    ValidationInfo,
    field_validator,
    model_serializer,
    model_validator,
)
from pydantic_core import PydanticCustomError

from groupwise.schemas.ids import (
    DocumentId,
    DocumentName,
    Id,
    Kind,
    Offset,
    plain_kind,
    refuse_mixed_kinds,
)
from groupwise.schemas.reference import Reference, reference_of
from groupwise.schemas.shape import LISTING, Shape
from groupwise.schemas.values import (
    as_flat,
    as_list,
    as_number,
    describe,
    is_number,
    is_pair,
    quote_id,
)

FLAT_QUESTION = (
    "{what}: must all of them be found, or any one? Say flat='all' (one group per id) or "
    "flat='any' (one group), or write the groups: [{example}]"
)


class RichTruth(NamedTuple):
    """A checked ground truth with a weight and a label per group, and a grade per id."""

    groups: list[list[Id]]
    weights: list[float]
    grades: list[float]
    labels: list[str | None]


PlainTruth: TypeAlias = list[list[Id]]
Truth: TypeAlias = PlainTruth | RichTruth
"""A checked ground truth as matching takes it; an empty list for an unanswerable query."""


def plain_truths(values: list[Any]) -> Kind | None:
    """Return the kind of all ids if these are lists of lists of ids; else None."""
    if {*map(type, values)} != {list}:
        return None
    groups = [*chain.from_iterable(values)]
    if groups and ({*map(type, groups)} != {list} or not all(groups)):
        return None
    return plain_kind([*chain.from_iterable(groups)])


def plain_rankings(values: list[Any]) -> Kind | None:
    """Return the kind of all ids if these are lists of ids; else None."""
    return plain_kind([*chain.from_iterable(values)]) if {*map(type, values)} == {list} else None


class Alternative(Shape):
    """A document that meets a group; a higher grade is better."""

    described_as: ClassVar[str] = "an id or an alternative"
    short: ClassVar[str | None] = "id"

    id: DocumentId
    grade: Annotated[float, Field(ge=0, le=1000)] = 1.0
    text: str | None = None
    document: DocumentName | None = None
    start: Offset | None = None
    end: Offset | None = None

    @model_serializer(mode="wrap")
    def _serialise(self, handler: SerializerFunctionWrapHandler) -> Any:
        fields = {name: value for name, value in handler(self).items() if value is not None}
        if fields.get("grade") == 1:
            del fields["grade"]
        return fields if len(fields) > 1 else self.id


class Group(Shape):
    """Alternatives, any of which meets the group: in short, a list of them, or grades by id."""

    described_as: ClassVar[str] = "a group"
    short: ClassVar[str | None] = "alternatives"

    alternatives: Annotated[tuple[Alternative, ...], LISTING]
    weight: Annotated[float, Field(ge=1e-9, le=1e9)] = 1.0
    label: str | None = None

    @classmethod
    def reshape(cls, value: Any) -> Any:
        """Accept a list of ids, or grades by id, as a group of weight 1."""
        if isinstance(value, str):
            raise PydanticCustomError(
                "group_string", "expected a group, got {found}; write [{value}]",
                {"found": describe(value), "value": quote_id(value)},
            )  # fmt: skip
        if is_graded_group(value):
            return {"alternatives": [{"id": i, "grade": grade} for i, grade in value.items()]}
        value = as_flat(value)
        return {"alternatives": value} if isinstance(value, list) else value

    @field_validator("alternatives", mode="before")
    @classmethod
    def _refuse_empty_group(cls, value: Any) -> Any:
        if (value := as_flat(value)) == []:
            raise PydanticCustomError(
                "empty_group", "an empty group, which no result can meet; remove it or add an id"
            )
        return value

    @field_validator("alternatives", mode="after")
    @classmethod
    def _refuse_unmeetable_group(cls, value: tuple[Alternative, ...]) -> tuple[Alternative, ...]:
        if not any(alternative.grade for alternative in value):
            raise PydanticCustomError(
                "unmeetable_group", "all grades of this group are 0, so no result can meet it"
            )
        return value

    @model_serializer(mode="wrap")
    def _serialise(self, handler: SerializerFunctionWrapHandler) -> Any:
        fields = handler(self)
        if self.weight == 1 and self.label is None:
            return fields["alternatives"]
        return {name: value for name, value in fields.items() if value is not None}


class GroundTruth(Shape):
    """The groups of a query: its results must hold an alternative of each."""

    described_as: ClassVar[str] = "a list of groups"
    short: ClassVar[str | None] = "groups"

    groups: Annotated[tuple[Group, ...], LISTING]

    @model_validator(mode="before")
    @classmethod
    def _answer_flat(cls, value: Any, info: ValidationInfo) -> Any:
        """Return the groups of a flat list of ids, or of grades by id, as the context says."""
        context = info.context or {}
        if is_graded(value):
            return _group_grades(value, context.get("flat"))
        value = as_flat(value)
        if not isinstance(value, list) or not value:
            return value
        value = [as_list(group) for group in value]
        if any(not isinstance(group, str | int) or group is True for group in value):
            return value
        return _group_flat_ids(value, context)

    @classmethod
    def reshape(cls, value: Any) -> Any:
        """Accept a list of groups."""
        if isinstance(value, Mapping) and set(value) != {"groups"}:
            raise PydanticCustomError(
                "ground_truth",
                'expected a list of groups, such as [["a", "b"], ["c"]], got an object; '
                'grades by id must be numbers, as in {"a": 3, "b": 1}',
            )
        return {"groups": value} if isinstance(value, list) else value

    @model_validator(mode="after")
    def _refuse_mixed_ids(self) -> "GroundTruth":
        ids = [alternative.id for group in self.groups for alternative in group.alternatives]
        if len({*map(type, ids)}) > 1:
            for group in self.groups:
                _refuse_pair([alternative.id for alternative in group.alternatives])
            refuse_mixed_kinds(ids)
        return self

    @property
    def alternatives(self) -> list[Alternative]:
        """The alternatives of all groups, in the order given."""
        return [alternative for group in self.groups for alternative in group.alternatives]

    def _meeting(self) -> list[list[Alternative]]:
        """The alternatives of each group that are relevant."""
        return [[a for a in group.alternatives if a.grade > 0] for group in self.groups]

    def references(self) -> list[list[Reference]]:
        """What the alternatives refer to: the same groups and places as in ``truth``."""
        return [[reference_of(alternative) for alternative in group] for group in self._meeting()]

    def truth(self) -> Truth:
        """Return the ground truth as matching takes it, without documents judged not relevant."""
        meeting = self._meeting()
        groups = [[alternative.id for alternative in group] for group in meeting]
        weights = [group.weight for group in self.groups]
        grades = [alternative.grade for alternative in chain.from_iterable(meeting)]
        labels = [group.label for group in self.groups]
        if set(weights) <= {1.0} and set(grades) <= {1.0} and not any(labels):
            return groups
        return RichTruth(groups, weights, grades, labels)

    @model_serializer(mode="wrap")
    def _serialise(self, handler: SerializerFunctionWrapHandler) -> Any:
        return handler(self)["groups"]


def is_graded_group(value: Any) -> bool:
    """Whether a group is written as grades by id."""
    if not isinstance(value, Mapping) or "alternatives" in value:
        return False
    return not any(isinstance(grade, list | dict | str) for grade in value.values())


def is_graded(value: Any) -> bool:
    """Whether this maps ids to numbers: judgements without groups, or scores."""
    if type(value) is not dict and (type(value) is list or not isinstance(value, Mapping)):
        return False
    return all(map(is_number, value.values()))


def split_judgements(grades: Mapping[Any, Any]) -> tuple[dict[Any, Any], list[Any]]:
    """Return the grades of the relevant documents, and the documents judged not relevant.

    TREC marks spam and unjudged documents with grades below 0. They are not relevant, and like
    trec_eval we do not count them as judged.
    """
    relevant = {id_: as_number(grade) for id_, grade in grades.items() if not grade <= 0}
    return relevant, [id_ for id_, grade in grades.items() if grade == 0]


def _group_grades(grades: Mapping[Any, Any], flat: str | None) -> list[Any]:
    """Return grades by id as one group, or as a group each."""
    relevant, _ = split_judgements(grades)
    if relevant and flat is None:
        first, grade = next(iter(relevant.items()))
        example = f"{{{quote_id(first)}: {grade}}}"
        _ask("grades by id, without groups", example, len(relevant))
    if flat == "any":
        return [relevant] if relevant else []
    return [{id_: grade} for id_, grade in relevant.items()]


def _group_flat_ids(ids: list[Any], context: Mapping[str, Any]) -> list[Any]:
    """Return ids as one group, or as a group each; those that are repeated are noted."""
    flat = context.get("flat")
    unique = [*dict.fromkeys(map(str, ids) if context.get("ids") == "text" else ids)]
    if flat is None:
        _ask("a flat list of ids", f"[{quote_id(ids[0])}]", len(unique))
    if flat == "any":
        return [ids]
    if len(unique) < len(ids) and "folded" in context:
        context["folded"].append(len(ids) - len(unique))
    return [[id_] for id_ in unique]


def _ask(what: str, example: str, count: int) -> NoReturn:
    shown = f"{example}, …" if count > 1 else example
    raise PydanticCustomError("flat", FLAT_QUESTION, {"what": what, "example": shown})


def _refuse_pair(ids: list[Id]) -> None:
    """Raise an error for a text and a number: as two ids, the number would be an alternative."""
    if is_pair(ids):
        raise PydanticCustomError(
            "pair",
            "ids of both kinds in [{shown}]; if it is one id in two parts, write {joined}, or join "
            "the parts in a file with --map ground_truth=PATH.*.0+1; if it is two ids, write both "
            "as text",
            {"shown": ", ".join(map(quote_id, ids)), "joined": quote_id("#".join(map(str, ids)))},
        )
