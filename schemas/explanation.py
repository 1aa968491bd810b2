"""Which groups of a query are met, where, and why the others are not."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from groupwise.schemas.ids import DocumentId
from groupwise.schemas.rendering import Tabular
from groupwise.schemas.shape import Shape
from groupwise.schemas.values import Excerpt

Reason = Literal["beyond_k", "not_retrieved", "not_in_corpus"]
Ids = Annotated[tuple[DocumentId, ...], Field(strict=False)]


class NearMiss(Shape):
    """A document that does not meet a group, and how little is missing.

    ``rank`` is None for a document of the corpus that was not retrieved. ``overlap`` and
    ``threshold`` are those of a matcher that measures an overlap.
    """

    id: DocumentId
    rank: int | None = None
    alternative: DocumentId
    differs_in: Annotated[tuple[str, ...], Field(strict=False)] = ()
    overlap: float | None = None
    threshold: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the near miss as plain data."""
        fields = {**dict(self), "differs_in": list(self.differs_in)}
        optional = ("overlap", "threshold")
        return {n: v for n, v in fields.items() if n not in optional or v is not None}


class GroupExplanation(Shape):
    """A group, where it is met first and again, or the reason why it is not.

    ``group`` counts from 0. ``rank`` may be beyond k: then the group is not met.
    """

    group: int
    label: str | None = None
    alternatives: Ids
    met: bool
    rank: int | None = None
    by: DocumentId | None = None
    again: Annotated[tuple[int, ...], Field(strict=False)] = ()
    reason: Reason | None = None
    near: Annotated[tuple[NearMiss, ...], Field(strict=False)] = ()


class QueryExplanation(Shape):
    """A query: its text, its hit vector, its first k results, and each of its groups.

    ``query`` is None if the ground truth has no text, ``complete`` for a query that is not scored.
    ``failure`` is the reason why a live retriever returned nothing, if it failed.
    ``texts`` and ``gold_texts`` have the beginnings of the texts of results and alternatives by id,
    if they were asked for.
    """

    query: str | None = None
    failure: str | None = None
    hit_vector: Annotated[tuple[int, ...], Field(strict=False)]
    complete: bool | None
    groups: Annotated[tuple[GroupExplanation, ...], Field(strict=False)]
    results: Ids = ()
    texts: dict[str, str] = Field(default_factory=dict)
    gold_texts: dict[str, str] = Field(default_factory=dict)


class QueryExplanations(Mapping[str, QueryExplanation]):
    """Explanations by query; each is built when it is read.

    ``has_texts`` says whether texts were asked for.
    """

    has_texts = False

    def __init__(
        self, names: Iterable[str], describe: Callable[[str], dict[str, Any]] | None = None
    ) -> None:
        """Describe each of these queries by the fields of ``QueryExplanation``."""
        self._built: dict[str, QueryExplanation | None] = dict.fromkeys(names)
        self._describe = describe

    @classmethod
    def of(cls, built: Mapping[str, QueryExplanation]) -> "QueryExplanations":
        """Return explanations that are built already."""
        found = cls(())
        found._built.update(built)
        return found

    def __getitem__(self, query_id: str) -> QueryExplanation:
        found = self._built[query_id]
        if found is None:
            found = self._built[query_id] = _build_query(self._fields_of(query_id))
        return found

    def _fields_of(self, query_id: str) -> dict[str, Any]:
        if self._describe is None:
            raise KeyError(query_id)
        return self._describe(query_id)

    def dump(self, query_id: str, *, results: bool = False) -> dict[str, Any]:
        """Return a query as plain data, without building the models."""
        found = self._built[query_id]
        fields = vars(found) if found else self._fields_of(query_id)
        groups = fields["groups"]
        dumped = [_dump_group(g if isinstance(g, dict) else {**vars(g)}) for g in groups]
        listed = {"results": list(fields["results"])} if results else {}
        text = {n: fields[n] for n in ("query", "failure") if fields.get(n) is not None}
        head = {"hit_vector": list(fields["hit_vector"]), "complete": fields["complete"]}
        texts = {name: dict(fields[name]) for name in ("texts", "gold_texts") if fields.get(name)}
        return {**text, **head, **listed, "groups": dumped, **texts}

    def with_failures(self, failures: Mapping[str, str]) -> "QueryExplanations":
        """Return the explanations with the reasons why a retriever failed, by query."""
        if not any(name in failures for name in self):
            return self
        return QueryExplanations.of(
            {
                name: query.model_copy(update={"failure": failures.get(name)})
                for name, query in self.items()
            }
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self._built)

    def __len__(self) -> int:
        return len(self._built)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and dict(self.items()) == dict(other.items())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(dict(self.items()))

    def __deepcopy__(self, _memo: dict[int, Any]) -> "QueryExplanations":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return QueryExplanations.of, (dict(self.items()),)

    @classmethod
    def __get_pydantic_core_schema__(
        cls, _source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_after_validator_function(
            cls.of,
            handler(dict[str, QueryExplanation]),
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda queries: {name: query.model_dump() for name, query in queries.items()}
            ),
        )


def _build_query(fields: Mapping[str, Any]) -> QueryExplanation:
    """Return the model of fields that are known to be valid; those of a group are all of them."""
    groups = tuple(GroupExplanation.assemble({**group}) for group in fields["groups"])
    blank = {"query": None, "failure": None, "hit_vector": (), "complete": None}
    whole = {**blank, "groups": (), "results": (), "texts": {}, "gold_texts": {}, **fields}
    return QueryExplanation.assemble({**whole, "groups": groups}, {*fields})


def _dump_group(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a group as plain data; ``near`` only if there are any."""
    near = fields.pop("near")
    fields["alternatives"] = list(fields["alternatives"])
    fields["again"] = list(fields["again"])
    if near:
        fields["near"] = [each.to_dict() for each in near]
    return fields


class Reasons(Shape):
    """How many groups are met, and how many are not for each reason."""

    met: int = 0
    beyond_k: int = 0
    not_retrieved: int = 0
    not_in_corpus: int = 0

    @property
    def groups(self) -> int:
        """The number of groups."""
        return sum(dict(self).values())

    @property
    def missed(self) -> int:
        """The number of groups that are not met."""
        return self.groups - self.met


class MissedGroup(Shape):
    """A group that several queries have, and how many of them miss it."""

    alternatives: Ids
    missed: int
    queries: int


class SliceExplanation(Shape):
    """Reasons and depths of the queries with the same value of a field."""

    queries: int
    reasons: Reasons
    depth_for: dict[str, int | None]


class ExplanationCounts(Shape):
    """How many queries there are, how many were scored, and how many are explained one by one."""

    queries: int = 0
    scored: int = 0
    explained: int = 0


class CorpusUsed(Shape):
    """The corpus that groups or ids were looked for in: its base name, and how many it has."""

    name: str | None = None
    documents: int | None = None


class Explanation(Tabular):
    """Which groups were missed, where they would have been met, and why.

    ``queries`` has the queries asked for, everything else is about all that are scored.
    ``depth_for`` says how many results meet 50, 90, 95, 99 % of all groups; None: no number does.
    ``missed_groups`` has the groups that several queries have and most of them miss, ``labels`` the
    reasons by label, ``near`` how many missed groups have a near miss of each kind.
    ``matching`` has the matcher and its options, unless it is ``exact``.
    """

    described_as: ClassVar[str] = "an explanation"
    kind: ClassVar[str] = "explanation"

    schema_: Literal["groupwise.explanation/1"] = Field("groupwise.explanation/1", alias="schema")
    profile: str = "autorag"
    k: int
    queries: QueryExplanations
    reasons: Reasons
    depth_for: dict[str, int | None]
    near: dict[str, int] = Field(default_factory=dict)
    labels: dict[str, Reasons] = Field(default_factory=dict)
    missed_groups: Annotated[tuple[MissedGroup, ...], Field(strict=False)] = ()
    slices: dict[str, dict[str, SliceExplanation]] = Field(default_factory=dict)
    counts: ExplanationCounts = ExplanationCounts()
    matching: dict[str, Any] = Field(default_factory=dict)
    corpus: CorpusUsed | None = None
    warnings: Annotated[tuple[str, ...], Field(strict=False)] = ()

    @classmethod
    def reshape(cls, value: Any) -> Any:
        """Fill in the counts that are left out where they are those of the queries."""
        queries = value.get("queries") if isinstance(value, Mapping) else None
        if not isinstance(queries, Mapping):
            return value
        count = len(queries)
        return {"counts": {"queries": count, "scored": count, "explained": count}, **value}

    def to_dict(self, *, queries: bool = True, results: bool = False) -> dict[str, Any]:
        """Return the explanation as plain data; fields that say nothing are left out.

        Args:
            queries: Whether to fill ``queries``.
            results: Whether to add the first k results of each query.
        """
        names = self.queries if queries else ()
        dumped = {name: self.queries.dump(name, results=results) for name in names}
        fields: dict[str, Any] = {
            "schema": self.schema_,
            "profile": self.profile if self.profile != "autorag" else None,
            "k": self.k,
            "queries": dumped,
            "reasons": dict(self.reasons),
            "depth_for": dict(self.depth_for),
            "near": dict(self.near),
            "labels": {label: dict(reasons) for label, reasons in self.labels.items()},
            "missed_groups": [_dump_missed(group) for group in self.missed_groups],
            "slices": self.model_dump(include={"slices"})["slices"],
            "counts": dict(self.counts) if self._has_more_counts() else None,
            "matching": dict(self.matching),
            "corpus": None if self.corpus is None else dict(self.corpus),
            "warnings": list(self.warnings),
        }
        always = {"k", "queries", "reasons", "depth_for"}
        return {name: value for name, value in fields.items() if value or name in always}

    def facts(self) -> dict[str, Any]:
        """Return how many results count, and how many queries and groups are explained."""
        reasons = dict(self.reasons)
        return {"k": self.k, "queries": Excerpt(list(self.queries)), "groups": reasons}

    def only(self, queries: Iterable[str]) -> "Explanation":
        """Return the explanation with some of its queries; sums stay those of all."""
        chosen = {query: self.queries[query] for query in queries if query in self.queries}
        return self.model_copy(update={"queries": QueryExplanations.of(chosen)})

    def _has_more_counts(self) -> bool:
        """Whether the counts say more than the queries do."""
        listed = len(self.queries)
        return dict(self.counts) != {"queries": listed, "scored": listed, "explained": listed}

    def __str__(self) -> str:
        return self.render("table")


def _dump_missed(group: MissedGroup) -> dict[str, Any]:
    return {**dict(group), "alternatives": list(group.alternatives)}


def build_reasons(counts: Mapping[str, int]) -> Reasons:
    """Return the counts as reasons."""
    return Reasons.model_construct(None, **counts)
