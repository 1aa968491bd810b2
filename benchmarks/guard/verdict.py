"""The recorded ratios, and what a new count says beside them."""

import json
from pathlib import Path
from typing import NamedTuple

from benchmarks.guard.counting import CountingError

RECORDED = Path(__file__).with_name("recorded.json")
SLACK = 1.5
"""A ratio may be this many times the recorded one: versions of Python and orjson stay below, half
the speed does not."""
ABOUT = (
    "Instructions of each piece of work over those of orjson.loads of the same lines. "
    "Written by `make guard FLAGS=--update`; commit it with the change that explains it."
)


class Verdict(NamedTuple):
    """A counted ratio beside the recorded one."""

    work: str
    ratio: float
    recorded: float

    @property
    def is_kept(self) -> bool:
        """Whether the work costs no more than the slack allows."""
        return self.ratio <= self.recorded * SLACK

    @property
    def is_stale(self) -> bool:
        """Whether the work has become so fast that a twofold slowdown would go unnoticed."""
        return 2 * self.ratio <= self.recorded * SLACK

    def __str__(self) -> str:
        word = "kept  " if self.is_kept else "SLOWER"
        counted = f"{self.ratio:.2f} times parsing the same lines"
        allowed = f"recorded {self.recorded:.2f}, allowed {self.recorded * SLACK:.2f}"
        hint = "; faster than recorded: run `make guard FLAGS=--update`" if self.is_stale else ""
        return f"{word} {self.work}: {counted} ({allowed}){hint}"


def judge(ratios: dict[str, float], path: Path = RECORDED) -> list[Verdict]:
    """Set each ratio beside the recorded one.

    Raises:
        CountingError: There is none for a piece of work.
    """
    recorded = json.loads(path.read_text("utf-8"))["ratios"]
    if missing := ratios.keys() - recorded.keys():
        raise CountingError(f"no ratio is recorded for {', '.join(sorted(missing))}; use --update")
    return [Verdict(work, ratio, recorded[work]) for work, ratio in ratios.items()]


def record(ratios: dict[str, float], path: Path = RECORDED) -> None:
    """Write the ratios that later counts are judged by."""
    rounded = {work: round(ratio, 2) for work, ratio in ratios.items()}
    text = json.dumps({"about": ABOUT, "ratios": rounded}, indent=2)
    path.write_text(f"{text}\n", "utf-8")
