"""What the comparison of the six runs says."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Findings:
    """A comparison as JSON, asked in the words of the page."""

    comparison: dict[str, Any]

    @classmethod
    def read(cls, path: Path) -> "Findings":
        """Return what a file with a comparison says."""
        return cls(json.loads(path.read_text("utf-8")))

    def mean(self, run: str, metric: str) -> str:
        """Return the mean of a run."""
        return f"{self._entry(run, metric)['mean']:.4f}"

    def is_better(self, run: str, other: str, metric: str) -> bool:
        """Return whether a run is significantly better than another one."""
        return other in self._entry(run, metric)["better_than"]

    def differs(self, run: str, other: str, metric: str) -> bool:
        """Return whether two runs can be told apart."""
        return self.is_better(run, other, metric) or self.is_better(other, run, metric)

    def flips(self, run: str, other: str, metric: str, second: str) -> bool:
        """Return whether a run wins by one metric and loses by another."""
        return self.is_better(run, other, metric) and self.is_better(other, run, second)

    def count_pairs(self, metric: str) -> int:
        """Return the number of pairs of runs."""
        return int(self.comparison["metrics"][metric]["pairs"])

    def count_decided(self, metric: str) -> int:
        """Return the number of pairs that can be told apart."""
        return int(self.comparison["metrics"][metric]["significant"])

    def list_undecided(self, metric: str) -> list[dict[str, Any]]:
        """Return the pairs that cannot be told apart."""
        pairs = self.comparison["pairs"]
        return [pair for pair in pairs if pair["metric"] == metric and not pair["significant"]]

    def _entry(self, run: str, metric: str) -> dict[str, Any]:
        entry: dict[str, Any] = self.comparison["runs"][run][metric]
        return entry
