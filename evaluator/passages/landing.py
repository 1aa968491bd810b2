"""Where a passage lands in a corpus: the chunks that hold it, and how sure that is."""

from typing import NamedTuple

from groupwise.evaluator.hits.spans import Span
from groupwise.schemas.remap import By

HALF = 0.5
"""A passage of which the new chunks hold less is lost."""


class Landing(NamedTuple):
    """The chunks that hold a passage.

    Attributes:
        chunks: Their numbers: those that each hold all of it, or those that share it, in order.
        coverage: The share of the passage that they hold.
        by: How they were found.
        is_split: Whether several chunks share the passage.
        largest: The chunk that holds most of it.
        place: Where in the new corpus it is, if that is known.
        reason: Why it is not clear that these are the chunks; None: it is.
    """

    chunks: tuple[int, ...]
    coverage: float
    by: By | None = None
    is_split: bool = False
    largest: int = -1
    place: Span | None = None
    reason: str | None = None

    @property
    def is_found(self) -> bool:
        """Whether the chunks hold enough of the passage."""
        return self.coverage >= HALF
