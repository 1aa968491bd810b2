"""Queries with their ground truth."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
    model_validator,
)
from pydantic_core import PydanticCustomError

from groupwise.schemas.ground_truth import GroundTruth, is_graded, judged_apart
from groupwise.schemas.ids import DocumentId, Id, Kind, QueryId
from groupwise.schemas.origins import FromTables
from groupwise.schemas.result import records_of
from groupwise.schemas.shape import DEEPEST, Shape, as_list, is_shallow


class Query(Shape):
    """A query and what its result must hold."""

    described_as: ClassVar[str] = "a record with id and ground_truth"

    id: QueryId
    query: str | None = None
    ground_truth: GroundTruth = GroundTruth.model_construct(groups=())
    not_relevant: Annotated[tuple[DocumentId, ...], Field(strict=False)] = ()
    answerable: bool = True
    metadata: dict[str, Any] | None = None
    generation_gt: Any = Field(default=None, description="AutoRAG's reference answers; not used.")
    hashes: dict[str, str] | None = Field(
        default=None, description="Content hash by document id; groupwise fingerprint writes them."
    )
    corpus: str | None = Field(
        default=None, description="Fingerprint of the corpus that the query was judged on."
    )

    @model_validator(mode="before")
    @classmethod
    def _as_others_have_it(cls, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        _refuse_rich_groups(value.get("retrieval_gt"))
        return _with_judgements_apart(value)

    @field_validator("metadata", "generation_gt", mode="before")
    @classmethod
    def _of_reasonable_depth(cls, value: Any) -> Any:
        if not is_shallow(value, DEEPEST):
            raise PydanticCustomError("depth", "nested deeper than 64 levels")
        return value

    @model_validator(mode="after")
    def _answerable_or_not(self) -> "Query":
        if self.answerable and "ground_truth" not in self.model_fields_set:
            raise PydanticCustomError(
                "no_ground_truth",
                'no ground_truth; a query that nothing answers says "answerable": false',
            )
        if not self.answerable and self.ground_truth.groups:
            raise PydanticCustomError(
                "answerable", '"answerable" is false, yet there is a ground truth; remove one'
            )
        return self

    def judged_not_relevant(self) -> list[Id]:
        """The documents that are judged, and judged not relevant."""
        graded_zero = [one.id for one in self.ground_truth.alternatives if one.grade == 0]
        return [*self.not_relevant, *graded_zero]

    def kind(self) -> Kind:
        """The kind of the ids of the ground truth."""
        return next((type(one.id) for one in self.ground_truth.alternatives), type(None))

    @model_serializer(mode="wrap")
    def _without_defaults(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        kept = {"id", "ground_truth"} | self.model_fields_set
        return {name: value for name, value in handler(self).items() if name in kept}


def _refuse_rich_groups(groups: Any) -> None:
    """AutoRAG's own field holds lists of ids and nothing else, as in its parquet files."""
    rich = isinstance(groups, list) and any(isinstance(group, Mapping) for group in groups)
    if rich or isinstance(groups, Mapping):
        raise PydanticCustomError(
            "retrieval_gt",
            "an object as a group in retrieval_gt, which holds lists of ids as in AutoRAG; "
            "grades and weights go into ground_truth",
        )


def _with_judgements_apart(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Grades by id, as ranx and pytrec_eval have them: what is judged not relevant, by itself."""
    grades = record.get("ground_truth")
    if not is_graded(grades):
        return record
    relevant, others = judged_apart(grades or {})
    known = as_list(record.get("not_relevant", []))
    if not others or not isinstance(known, list):
        return {**record, "ground_truth": relevant}
    return {**record, "ground_truth": relevant, "not_relevant": [*known, *others]}


class Dataset(FromTables):
    """Queries with their ground truth, in any of the shapes that files and programs have them."""

    described_as: ClassVar[str] = "a data set"
    role: ClassVar[Literal["ground_truth", "run"]] = "ground_truth"

    queries: Annotated[tuple[Query, ...], Field(strict=False)]

    @classmethod
    def reshaped(cls, value: Any) -> Any:
        """Records in a list, or ground truths by query id."""
        return {"queries": records_of(value, "ground_truth")}

    def __iter__(self) -> Iterator[Query]:  # type: ignore[override]
        return iter(self.queries)

    def __len__(self) -> int:
        return len(self.queries)
