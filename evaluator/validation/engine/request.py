"""What a validation was asked for."""

from dataclasses import dataclass, field

from groupwise.evaluator.statistics.gates import Gate
from groupwise.evaluator.validation.engine.case import Understanding

DEFAULT_K = 10


@dataclass(frozen=True)
class Asked:
    """Cutoff, profile, gates, and how flat lists and kinds of ids are taken."""

    k: int | None = None
    profile: str = "autorag"
    gates: tuple[Gate, ...] = ()
    flat: str | None = None
    ids: str | None = None
    context: dict[str, str | None] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "context", {"flat": self.flat, "ids": self.ids})

    @property
    def understanding(self) -> Understanding:
        """How records are taken."""
        return Understanding(self.flat, self.ids)
