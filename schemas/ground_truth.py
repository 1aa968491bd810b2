"""The ground truth of a query: groups of alternatives, an AND of ORs."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Annotated, Any, ClassVar, NamedTuple, TypeAlias

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    ValidationInfo,
    field_validator,
    model_serializer,
    model_validator,
)
from pydantic_core import PydanticCustomError

from groupwise.schemas.ids import ONE_KIND, DocumentId, Id, Kind, kind_within
from groupwise.schemas.reference import Reference, reference_of
from groupwise.schemas.shape import Shape, as_list, as_number, describe, is_number, quoted

FLAT_QUESTION = (
    "a flat list of ids: must all of them be found, or any one? "
    "Say flat='all' (one group per id) or flat='any' (one group), or write the groups: {example}"
)
GRADED_QUESTION = FLAT_QUESTION.replace("a flat list of ids", "grades by id, without groups")


class RichTruth(NamedTuple):
    """A sound ground truth with weights and labels, one per group, and grades, one per id."""

    groups: list[list[Id]]
    weights: list[float]
    grades: list[float]
    labels: list[str | None]


PlainTruth: TypeAlias = list[list[Id]]
Truth: TypeAlias = PlainTruth | RichTruth
"""A sound ground truth as matching takes it; an empty list where nothing answers the query."""


def plain_truths(values: list[Any]) -> Kind | None:
    """The kind of all ids if all these ground truths are plain: each a sound list of lists of ids.

    None means that they need a closer look.
    """
    if set(map(type, values)) != {list}:
        return None
    groups = list(chain.from_iterable(values))
    if not set(map(type, groups)) <= {list} or not all(groups):
        return None
    return kind_within(groups)


class Alternative(Shape):
    """A document that meets a group; the higher its grade, the better."""

    described_as: ClassVar[str] = "an id or an alternative"

    id: DocumentId
    grade: Annotated[float, Field(ge=0, le=1000)] = 1.0
    text: str | None = None
    document: str | int | None = None
    start: Annotated[int, Field(ge=0)] | None = None
    end: Annotated[int, Field(ge=0)] | None = None

    @classmethod
    def reshaped(cls, value: Any) -> Any:
        """A bare id stands for an alternative of grade 1."""
        return value if isinstance(value, Mapping) else {"id": value}

    @model_serializer(mode="wrap")
    def _shortest(self, handler: SerializerFunctionWrapHandler) -> Any:
        fields = {name: value for name, value in handler(self).items() if value is not None}
        if fields.get("grade") == 1:
            del fields["grade"]
        return fields if len(fields) > 1 else self.id


class Group(Shape):
    """Alternatives of which any one will do."""

    described_as: ClassVar[str] = "a group"

    alternatives: Annotated[tuple[Alternative, ...], Field(strict=False)]
    weight: Annotated[float, Field(ge=1e-9, le=1e9)] = 1.0
    label: str | None = None

    @classmethod
    def reshaped(cls, value: Any) -> Any:
        """A list of ids, or grades by id, stands for a group of weight 1."""
        if isinstance(value, str):
            raise PydanticCustomError(
                "group_string",
                "a string where a group belongs (it would be split into characters); "
                "write [{value}]",
                {"value": quoted(value)},
            )
        if is_grades_in_short(value):
            return {"alternatives": [{"id": i, "grade": grade} for i, grade in value.items()]}
        if isinstance(value, AbstractSet):
            value = sorted(value, key=str)
        value = as_list(value)
        return {"alternatives": value} if isinstance(value, list) else value

    @field_validator("alternatives", mode="before")
    @classmethod
    def _at_least_one(cls, value: Any) -> Any:
        value = as_list(value)
        if value == []:
            raise PydanticCustomError(
                "empty_group", "an empty group, which no result can meet; remove it or fill it"
            )
        return value

    @field_validator("alternatives", mode="after")
    @classmethod
    def _can_be_met(cls, value: tuple[Alternative, ...]) -> tuple[Alternative, ...]:
        if all(alternative.grade == 0 for alternative in value):
            raise PydanticCustomError(
                "unmeetable_group", "every grade of this group is 0: no result can meet it"
            )
        return value

    @model_serializer(mode="wrap")
    def _shortest(self, handler: SerializerFunctionWrapHandler) -> Any:
        fields = handler(self)
        if self.weight == 1 and self.label is None:
            return fields["alternatives"]
        return {name: value for name, value in fields.items() if value is not None}


def is_grades_in_short(value: Any) -> bool:
    """Whether a group is written as grades by id."""
    if not isinstance(value, Mapping) or "alternatives" in value:
        return False
    return not any(isinstance(grade, list | dict | str) for grade in value.values())


class GroundTruth(Shape):
    """What a query's result must hold: one alternative of every group."""

    described_as: ClassVar[str] = "a list of groups"

    groups: Annotated[tuple[Group, ...], Field(strict=False)]

    @model_validator(mode="before")
    @classmethod
    def _answer_flat(cls, value: Any, info: ValidationInfo) -> Any:
        if is_graded(value):
            return _graded_as_groups(value, (info.context or {}).get("flat"))
        value = as_list(value)
        if not isinstance(value, list) or not value:
            return value
        value = [as_list(group) for group in value]
        if any(not isinstance(group, str | int) or group is True for group in value):
            return value
        return _flat_as_groups(value, (info.context or {}).get("flat"))

    @classmethod
    def reshaped(cls, value: Any) -> Any:
        """A list stands for its groups."""
        if isinstance(value, Mapping) and set(value) != {"groups"}:
            raise PydanticCustomError(
                "ground_truth",
                'an object where a list of groups belongs, such as [["a", "b"], ["c"]]; '
                'grades by id are numbers, as in {"a": 3, "b": 1}',
            )
        return {"groups": value} if isinstance(value, list) else value

    @model_validator(mode="after")
    def _one_kind(self) -> "GroundTruth":
        refuse_mixed_kinds([alternative.id for alternative in self.alternatives])
        return self

    @property
    def alternatives(self) -> list[Alternative]:
        """All alternatives of all groups, in the order given."""
        return [alternative for group in self.groups for alternative in group.alternatives]

    def _meeting(self) -> list[list[Alternative]]:
        """The alternatives of each group that are relevant."""
        return [[a for a in group.alternatives if a.grade > 0] for group in self.groups]

    def references(self) -> list[list[Reference]]:
        """What the alternatives refer to: the same groups and places as in ``truth``."""
        return [[reference_of(alternative) for alternative in group] for group in self._meeting()]

    def truth(self) -> Truth:
        """The ground truth as matching takes it, without what is judged not relevant."""
        meeting = self._meeting()
        groups = [[alternative.id for alternative in group] for group in meeting]
        weights = [group.weight for group in self.groups]
        grades = [alternative.grade for alternative in chain.from_iterable(meeting)]
        labels = [group.label for group in self.groups]
        if set(weights) <= {1.0} and set(grades) <= {1.0} and not any(labels):
            return groups
        return RichTruth(groups, weights, grades, labels)

    @model_serializer(mode="wrap")
    def _shortest(self, handler: SerializerFunctionWrapHandler) -> Any:
        return handler(self)["groups"]


def _flat_as_groups(ids: list[Any], flat: str | None) -> list[list[Any]]:
    if flat == "any":
        return [ids]
    if flat == "all":
        return [[one] for one in ids]
    example = f"[[{quoted(ids[0])}]]" if len(ids) == 1 else f"[[{quoted(ids[0])}], …]"
    raise PydanticCustomError("flat", FLAT_QUESTION, {"example": example})


def is_graded(value: Any) -> bool:
    """Whether this is a number for each id: judgements without groups, or scores."""
    return isinstance(value, Mapping) and all(map(is_number, value.values()))


def judged_apart(grades: Mapping[Any, Any]) -> tuple[dict[Any, Any], list[Any]]:
    """Judgements without groups: the grades of what is relevant, and what is not.

    Below 0 is what TREC marks as spam or as not judged; like 0 it is relevant to nothing, and
    like trec_eval we do not count it as judged.
    """
    relevant = {one: as_number(grade) for one, grade in grades.items() if not grade <= 0}
    return relevant, [one for one, grade in grades.items() if grade == 0]


def _graded_as_groups(grades: Mapping[Any, Any], flat: str | None) -> list[Any]:
    relevant, _ = judged_apart(grades)
    if flat == "any" or not relevant:
        return [relevant] if relevant else []
    if flat == "all":
        return [{one: grade} for one, grade in relevant.items()]
    one, grade = next(iter(relevant.items()))
    more = "" if len(relevant) == 1 else ", …"
    example = f"[{{{quoted(one)}: {grade}}}{more}]"
    raise PydanticCustomError("flat", GRADED_QUESTION, {"example": example})


def refuse_mixed_kinds(ids: list[Id]) -> None:
    """Raise an error that names one id of each kind where both occur."""
    texts = [one for one in ids if isinstance(one, str)]
    if texts and len(texts) != len(ids):
        number = next(one for one in ids if not isinstance(one, str))
        raise PydanticCustomError(
            "mixed_kinds",
            f"ids of both kinds: the string {{text}} and the number {{number}}; {ONE_KIND}",
            {"text": describe(texts[0]).removeprefix("the string "), "number": number},
        )
