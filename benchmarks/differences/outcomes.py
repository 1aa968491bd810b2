"""Every case through every evaluator."""

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.differences.model import CannotSayError, Case, Peer


@dataclass(frozen=True)
class Outcome:
    """The outcome of an evaluator for a case: a value, or None and the reason."""

    value: float | None
    reason: str = ""

    def __str__(self) -> str:
        return self.reason if self.value is None else f"{self.value:.4f}"

    def agrees(self, other: "Outcome") -> bool:
        """Whether both are values, and the same to six decimals: some peers compute in float32."""
        if self.value is None or other.value is None:
            return False
        return abs(self.value - other.value) < 5e-7


Row = dict[str, Outcome]


def outcome(peer: Peer, case: Case) -> Outcome:
    """Run a case; an exception counts as an outcome."""
    try:
        value = peer.score(case)
    except CannotSayError:
        return Outcome(None, "n/a")
    except Exception as error:  # noqa: BLE001  (any error of a peer is a cell of the table)
        return Outcome(None, f"`{type(error).__name__}`")
    return Outcome(value, "none")


def rows(
    sections: dict[str, list[Case]], peers: list[Peer], say: Callable[[str], None]
) -> dict[str, Row]:
    """The outcomes by the name of the case and the label of the evaluator."""
    found: dict[str, Row] = {}
    for case in (case for cases in sections.values() for case in cases):
        say(f"{case.name}: {case.metric}")
        found[case.name] = {peer.label: outcome(peer, case) for peer in peers}
    return found
