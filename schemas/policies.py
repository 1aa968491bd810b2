"""Policies: how to handle the cases that other evaluators decide silently."""

from typing import Any, Literal, get_args

from pydantic import Field

from groupwise.schemas.shape import Shape


class Policies(Shape):
    """How to handle missing, empty and ambiguous data."""

    missing: Literal["zero", "skip", "error"] = Field(
        "zero", description="A query of the ground truth that is not in the run."
    )
    extra: Literal["ignore", "error"] = Field(
        "ignore", description="A query of the run that has no ground truth."
    )
    empty_results: Literal["zero", "skip"] = Field(
        "zero", description="A query whose result is empty; 'skip' is what AutoRAG does."
    )
    unanswerable: Literal["skip", "zero", "error"] = Field(
        "skip",
        description="A query that has no groups at all; 'zero' is what trec_eval does, "
        "for the mean over all judged queries.",
    )
    flat: Literal["any", "all"] | None = Field(
        None,
        description="A flat list of ids: one group ('any') or one group per id ('all'), "
        "also where the list repeats it.",
    )
    ids: Literal["text"] | None = Field(
        None, description="'text' compares all ids as strings, whole numbers included."
    )
    ties: Literal["score", "input", "report"] = Field(
        "score",
        description="Order of scored results in the trec profile: by score, then id ('score'), as "
        "given ('input'), or by score, with the worst and best value over all tie-breaking orders "
        "('report'). The other profiles keep the given order.",
    )
    characters_per_token: float | None = Field(
        None, gt=0, description="Estimates the tokens of a result that carries only its text."
    )


def _list_choices(annotation: Any) -> tuple[str, ...]:
    parts = [annotation, *get_args(annotation)]
    return tuple(word for part in parts for word in get_args(part) if isinstance(word, str))


CHOICES = {name: _list_choices(field.annotation) for name, field in Policies.model_fields.items()}
"""The words that each policy accepts; none for one that is a number."""
