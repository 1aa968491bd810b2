"""The options of a validation that rules depend on."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from groupwise.evaluator.statistics.gates import Gate

DEFAULT_CUTOFF = 10
Flat: TypeAlias = Literal["any", "all"] | None
TextIds: TypeAlias = Literal["text"] | None


@dataclass(frozen=True)
class Request:
    """Cutoff, profile and gates, and how flat lists and ids are interpreted.

    ``flat_is_finding`` reports flat lists although ``flat`` says what they mean: a fix writes them
    as groups.
    """

    k: int | None = None
    profile: str = "autorag"
    gates: "tuple[Gate, ...]" = ()
    flat: Flat = None
    ids: TextIds = None
    flat_is_finding: bool = False

    @property
    def cutoff(self) -> int:
        """The cutoff that rules use."""
        return self.k or DEFAULT_CUTOFF

    @property
    def context(self) -> dict[str, str | None]:
        """The policies that the models validate a record with."""
        return {"flat": None if self.flat_is_finding else self.flat, "ids": self.ids}
