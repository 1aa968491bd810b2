"""A judging sheet: candidates for a ground truth, which a person says yes or no to."""

import os
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from groupwise.schemas.binding import find_bound
from groupwise.schemas.ids import DocumentId, QueryId
from groupwise.schemas.shape import Shape

COLUMNS = ("query", "candidate", "group", "why", "text", "judge", "verdict")
VERDICTS = ("yes", "no")
JUDGEMENTS = "judgements"
"""The key of a query's metadata under which verdicts are kept."""


class Suggestion(Shape):
    """A row of a judging sheet: a document that may belong into a group of a query.

    ``group`` counts from 0; None: the person who judges says which. ``verdict`` is None until
    somebody has judged.
    """

    described_as: ClassVar[str] = "a row of a judging sheet"

    query: QueryId
    candidate: DocumentId
    group: Annotated[int, Field(ge=0)] | None = None
    why: str = ""
    text: str | None = None
    judge: str | None = None
    verdict: Literal["yes", "no"] | None = None


class Sheet(Shape):
    """Candidates to judge, the most useful first.

    ``counts`` says how many come from the corpus and from runs, and how many were left out by a
    limit.
    """

    described_as: ClassVar[str] = "a judging sheet"

    rows: Annotated[tuple[Suggestion, ...], Field(strict=False)] = ()
    counts: dict[str, int] = Field(default_factory=dict)
    warnings: Annotated[tuple[str, ...], Field(strict=False)] = ()

    @classmethod
    def reshape(cls, value: Any) -> Any:
        """Accept a list of rows."""
        return value if isinstance(value, Mapping) else {"rows": value}

    def __iter__(self) -> Iterator[Suggestion]:  # type: ignore[override]
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def to_csv(self) -> str:
        """Return comma-separated values for a spreadsheet; groups are counted from 1."""
        return self.render("csv")

    def to_jsonl(self) -> str:
        """Return a JSON object per row; groups are counted from 0."""
        return self.render("jsonl")

    def render(self, form: str) -> str:
        """Return the sheet as text in a form by its name.

        Raises:
            ValueError: There is no such form.
        """
        text: str = find_bound("render_sheet")(self, form)
        return text

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the sheet to a file, whole or not at all; its ending says which form.

        Raises:
            ValueError: No form has that ending.
            InputError: The file is a sheet with verdicts, which would be lost.
            OutputError: The file could not be written; what was there before is untouched.
        """
        find_bound("write_sheet")(self, path)
