"""Queries with their ground truth."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)
from pydantic_core import PydanticCustomError

from groupwise.schemas.ground_truth import (
    GroundTruth,
    is_graded,
    split_judgements,
)
from groupwise.schemas.ids import DocumentId, Id, Kind, QueryId, refuse_mixed_kinds
from groupwise.schemas.origins import FromTables
from groupwise.schemas.shape import LISTING, Held, Record, refuse_unfit
from groupwise.schemas.values import Excerpt, as_flat


class Query(Record):
    """A query and its ground truth."""

    described_as: ClassVar[str] = "a record with id and ground_truth"
    holds: ClassVar[frozenset[Held]] = frozenset({"ground_truth"})
    has_truth: ClassVar[bool] = True

    id: QueryId
    query: str | None = None
    ground_truth: GroundTruth = GroundTruth.model_construct(groups=())
    not_relevant: Annotated[tuple[DocumentId, ...], LISTING, BeforeValidator(as_flat)] = ()
    answerable: bool = True
    metadata: Annotated[dict[str, Any], AfterValidator(refuse_unfit)] | None = None
    generation_gt: Annotated[Any, AfterValidator(refuse_unfit)] = Field(
        default=None, description="AutoRAG's reference answers; not used."
    )
    hashes: Annotated[dict[str, str], LISTING] | None = Field(
        default=None, description="Content hash by document id; groupwise fingerprint writes them."
    )
    corpus: str | None = Field(
        default=None, description="Fingerprint of the corpus that the query was judged on."
    )

    @model_validator(mode="before")
    @classmethod
    def _accept_other_shapes(cls, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        groups = value.get("retrieval_gt")
        rich = isinstance(groups, list) and any(isinstance(group, Mapping) for group in groups)
        if rich or isinstance(groups, Mapping):
            raise PydanticCustomError(
                "retrieval_gt",
                "expected lists of ids in retrieval_gt, as in AutoRAG, got an object; "
                "write grades and weights in ground_truth",
            )
        return _split_record(value)

    @model_validator(mode="after")
    def _check_answerable(self) -> "Query":
        if self.answerable and "ground_truth" not in self.model_fields_set:
            raise PydanticCustomError(
                "no_ground_truth",
                'no ground_truth; a query without an answer needs "answerable": false',
            )
        if not self.answerable and self.ground_truth.groups:
            raise PydanticCustomError(
                "answerable",
                '"answerable" is false, but there is a ground truth; remove one of them',
            )
        if self.not_relevant:
            refuse_mixed_kinds(self.judged_ids())
        return self

    def facts(self) -> dict[str, Any]:
        """Return the id, the beginning of the query, and the first groups."""
        groups = [
            [listed.id for listed in group.alternatives] for group in self.ground_truth.groups
        ]
        text = {} if self.query is None else {"query": Excerpt(self.query)}
        return {"id": Excerpt(self.id), **text, "ground_truth": Excerpt(groups)}

    def judged_ids(self) -> list[Id]:
        """Return the ids of all judged documents: the alternatives, then those not relevant."""
        return [*(listed.id for listed in self.ground_truth.alternatives), *self.not_relevant]

    def judged_not_relevant(self) -> list[Id]:
        """Return the documents that are judged not relevant."""
        graded_zero = [listed.id for listed in self.ground_truth.alternatives if listed.grade == 0]
        return [*self.not_relevant, *graded_zero]

    def kind(self) -> Kind:
        """Return the kind of the ids of judged documents."""
        return next(map(type, self.judged_ids()), type(None))

    @model_serializer(mode="wrap")
    def _serialise(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        kept = {"id", "ground_truth"} | self.model_fields_set
        return {name: value for name, value in handler(self).items() if name in kept}


def _split_record(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the record with grades by id, as in ranx and pytrec_eval, split by relevance."""
    grades = record.get("ground_truth")
    if not is_graded(grades):
        return record
    relevant, others = split_judgements(grades or {})
    known = as_flat(record.get("not_relevant", []))
    if not others or not isinstance(known, list):
        return {**record, "ground_truth": relevant}
    return {**record, "ground_truth": relevant, "not_relevant": [*known, *others]}


class Dataset(FromTables):
    """Queries with their ground truth, in any shape that files and programs use."""

    described_as: ClassVar[str] = "a data set"
    role: ClassVar[Literal["ground_truth", "run"]] = "ground_truth"

    queries: Annotated[tuple[Query, ...], LISTING]

    def facts(self) -> dict[str, Any]:
        """Return how many queries and groups there are."""
        groups = sum(len(query.ground_truth.groups) for query in self.queries)
        return {"queries": len(self.queries), "groups": groups}

    if TYPE_CHECKING:

        def __getitem__(self, query_id: str) -> Query: ...
        def __iter__(self) -> Iterator[Query]: ...  # type: ignore[override]
