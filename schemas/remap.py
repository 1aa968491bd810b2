"""Ground truth that was moved to a corpus with other chunks, and what happened to it."""

from collections.abc import Iterable
from os import PathLike
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, PrivateAttr

from groupwise.schemas.binding import find_bound
from groupwise.schemas.dataset import Dataset
from groupwise.schemas.ids import DocumentId
from groupwise.schemas.rendering import Tabular
from groupwise.schemas.shape import Shape

Outcome = Literal["exact", "partial", "ambiguous", "lost"]
By = Literal["id", "span", "document", "corpus"]
Ids = Annotated[tuple[DocumentId, ...], Field(strict=False)]


class RemapCounts(Shape):
    """How many alternatives have each outcome."""

    exact: int = Field(default=0, description="All of the text is in the new chunks.")
    partial: int = Field(default=0, description="At least half of it is.")
    ambiguous: int = Field(default=0, description="There are several ways to move it.")
    lost: int = Field(default=0, description="Less than half of it is in any new chunk.")

    @property
    def moved(self) -> int:
        """The number of alternatives that were moved without doubt."""
        return self.exact + self.partial


class MovedAlternative(Shape):
    """An alternative, and the new chunks that hold its text."""

    model_config = ConfigDict(populate_by_name=True)

    query: str = Field(description="The id of the query.")
    group: int | None = Field(
        description="The group in the old ground truth, from 0; null: judged not relevant."
    )
    from_: DocumentId = Field(alias="from", description="The old chunk.")
    to: Ids = Field(description="The new chunks, in the order of the text.")
    outcome: Outcome = Field(description="How well it was moved.")
    coverage: float = Field(description="The share of the text that the new chunks hold.")
    by: By | None = Field(
        default=None,
        description="How they were found: by the id of a chunk that has not changed, by span, by "
        "text in the same document, by text in the corpus; null: not found.",
    )
    reason: str | None = Field(
        default=None, description="Why it is not exact, or what to say to make it so."
    )
    written: Ids = Field(
        default=(), description="For a lost alternative: the id under which it was kept."
    )

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; fields without a value are left out."""
        fields = self.model_dump(by_alias=True)
        return {
            name: [*value] if isinstance(value, tuple) else value
            for name, value in fields.items()
            if value not in (None, ()) or name in ("group", "to")
        }


class Remapped(Tabular):
    """The outcome of ``remap``: the new ground truth, and what happened to each alternative.

    Documents that are judged not relevant have counts of their own. Losing one of them is no
    obstacle: it is then not judged.
    """

    model_config = ConfigDict(populate_by_name=True)
    described_as: ClassVar[str] = "a report of a remapping"
    kind: ClassVar[str] = "remap"

    schema_: Literal["groupwise.remap/1"] = Field("groupwise.remap/1", alias="schema")
    queries: int = Field(default=0, description="The number of queries.")
    split: Literal["span", "groups"] | None = Field(
        default=None, description="What was done with texts that several new chunks share."
    )
    counts: RemapCounts = Field(description="How many alternatives have each outcome.")
    alternatives: Annotated[tuple[MovedAlternative, ...], Field(strict=False)] = Field(
        description="Each alternative, by query."
    )
    not_relevant_counts: RemapCounts = Field(
        default_factory=RemapCounts, description="The same for what is judged not relevant."
    )
    not_relevant: Annotated[tuple[MovedAlternative, ...], Field(strict=False)] = Field(
        default=(), description="Each document that is judged not relevant, by query."
    )
    warnings: Annotated[tuple[str, ...], Field(strict=False)] = Field(
        default=(), description="What to know of the data."
    )
    _ground_truth: Dataset | None = PrivateAttr(default=None)
    _lossy: bool = PrivateAttr(default=False)

    def hold(self, ground_truth: Dataset, *, lossy: bool) -> "Remapped":
        """Return the report with the ground truth that it is about."""
        self._ground_truth = ground_truth
        self._lossy = lossy
        return self

    @property
    def is_complete(self) -> bool:
        """Whether nothing is lost or ambiguous."""
        return not self.counts.lost and not self.counts.ambiguous

    @property
    def ground_truth(self) -> Dataset:
        """The ground truth for the new corpus.

        Raises:
            LossyConversion: Something is lost or ambiguous, and ``lossy`` was not given.
            InputError: This report was read from a file.
        """
        found: Dataset = find_bound("release_ground_truth")(
            self, self._ground_truth, lossy=self._lossy
        )
        return found

    def save_ground_truth(self, path: str | PathLike[str]) -> None:
        """Write the new ground truth to a JSON or JSON Lines file, whole or not at all.

        Raises:
            LossyConversion: Something is lost or ambiguous, and ``lossy`` was not given.
            InputError: The name of the file ends otherwise, or this report was read from a file.
            OutputError: The file could not be written; what was there before is untouched.
        """
        find_bound("save_ground_truth")(self.ground_truth, path)

    def list_open(self) -> Iterable[MovedAlternative]:
        """Return the alternatives that are ambiguous or lost."""
        return [found for found in self.alternatives if found.outcome in ("ambiguous", "lost")]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data, as ``remap --format json`` prints it."""
        fields: dict[str, Any] = {
            "schema": self.schema_,
            "queries": self.queries,
            "split": self.split,
            "counts": dict(self.counts),
            "alternatives": [found.to_dict() for found in self.alternatives],
        }
        if self.not_relevant:
            fields["not_relevant_counts"] = dict(self.not_relevant_counts)
            fields["not_relevant"] = [found.to_dict() for found in self.not_relevant]
        return fields | ({"warnings": [*self.warnings]} if self.warnings else {})

    def facts(self) -> dict[str, Any]:
        """Return what ``repr`` shows."""
        return {"queries": self.queries, **dict(self.counts)}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Remapped) and dict(self) == dict(other)

    def __hash__(self) -> int:
        return hash((self.queries, self.split, self.alternatives))

    def __str__(self) -> str:
        return self.render("table")
