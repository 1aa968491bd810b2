"""What is known of a file after a look at its beginning, and how to go on with it."""

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import Field

from groupwise.schemas.rendering import Rendered
from groupwise.schemas.shape import Shape
from groupwise.schemas.values import Excerpt

INSPECTION_SCHEMA = "groupwise.inspection/1"
Texts: TypeAlias = Annotated[tuple[str, ...], Field(strict=False)]


class InspectedField(Shape):
    """A field of the records: its path, the type of its values, an example, what it could be."""

    path: str
    type: str
    example: str = Field(description="The first value, cut if it is long.")
    could_be: Texts = Field(default=(), description="Our fields, or what else the values are.")
    records: int = Field(default=0, description="How many of the records have it.")


class Proposal(Shape):
    """A way to read the file: a command that is ready to be typed, and the reason for it."""

    command: str
    map: dict[str, str] = Field(
        default_factory=dict, description="The path of each field, for --map and fields=."
    )
    flat: Literal["any", "all"] | None = None
    why: str = ""
    then: Texts = Field(default=(), description="Commands that come next; RUN is to be replaced.")


class Inspection(Rendered):
    """What a file is, its fields, and how to read it, as far as its beginning says."""

    kind: ClassVar[str] = "inspection"

    file: str
    format: str | None = Field(default=None, description="The name of the format, if it is known.")
    title: str = Field(default="", description="What the file is, in words.")
    holds: Texts = Field(default=(), description="ground_truth, run, corpus.")
    records: int = Field(default=0, description="How many records were seen.")
    whole: bool = Field(default=True, description="Whether these are all records of the file.")
    fields: Annotated[tuple[InspectedField, ...], Field(strict=False)] = ()
    proposals: Annotated[tuple[Proposal, ...], Field(strict=False)] = ()
    notes: Texts = Field(default=(), description="What to know before going on.")

    def facts(self) -> dict[str, Any]:
        """Return the file, its format, and how many records were seen."""
        return {"file": Excerpt(self.file), "format": self.format, "records": self.records}

    def to_dict(self) -> dict[str, Any]:
        """Return the inspection as plain data, as ``inspect --format json`` prints it."""
        found: dict[str, Any] = _without_surrogates(self.model_dump())
        return {"schema": INSPECTION_SCHEMA, **found}


def _without_surrogates(value: Any) -> Any:
    """Return data with halves of surrogate pairs as escapes: no file can be written with them."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {name: _without_surrogates(part) for name, part in value.items()}
    return [*map(_without_surrogates, value)] if isinstance(value, list | tuple) else value
