"""What a run of the input fuzzer notes in its folder: figures, kept inputs, findings."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

MOST_KEPT = 400
"""Inputs of a target."""


@dataclass
class Figures:
    """How it went with a target; ``slowest`` is in seconds, of one input."""

    executions: int = 0
    values: int = 0
    seconds: float = 0.0
    outcomes: int = 0
    slowest: float = 0.0
    findings: int = 0
    slices: int = 0

    def __add__(self, other: "Figures") -> "Figures":
        sums = {name: value + getattr(other, name) for name, value in asdict(self).items()}
        return Figures(**sums | {"slowest": max(self.slowest, other.slowest)})

    def describe(self) -> str:
        """Return a line for people."""
        rate = self.executions / max(self.seconds, 1e-9)
        return (
            f"{self.executions:>10,} executions, {self.values:>10,} values, "
            f"{self.outcomes:>5} outcomes, {rate:>8,.0f}/s, slowest {self.slowest * 1000:.0f} ms, "
            f"{self.findings} findings"
        )


class Journal:
    """A folder with `figures.json`, `kept/TARGET/`, `findings.jsonl` and `findings/`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._figures = {name: Figures(**each) for name, each in self._read().items()}

    def _read(self) -> dict[str, Any]:
        path = self.folder / "figures.json"
        found: dict[str, Any] = json.loads(path.read_bytes()) if path.exists() else {}
        return found

    def figures(self, name: str) -> Figures:
        """Return the figures of a target so far."""
        return self._figures.get(name, Figures())

    def all_figures(self) -> dict[str, Figures]:
        """Return the figures of each target."""
        return self._figures

    def add(self, name: str, figures: Figures) -> None:
        """Add the figures of a slice."""
        before = self.figures(name)
        total = before + figures
        total.outcomes = len(self._folder_of(name)) or figures.outcomes
        self._figures[name] = total
        content = {each: asdict(found) for each, found in sorted(self._figures.items())}
        fresh = self.folder / "figures.json.new"
        fresh.write_text(json.dumps(content, indent=1))
        fresh.replace(self.folder / "figures.json")

    def _folder_of(self, name: str) -> list[Path]:
        return sorted((self.folder / "kept" / name.replace(":", "-")).glob("*"))

    def kept(self, name: str) -> Iterator[bytes]:
        """Yield the inputs of a target that were kept."""
        for path in self._folder_of(name):
            yield path.read_bytes()

    def keep(self, name: str, outcome: str, data: bytes) -> None:
        """Keep an input, one per outcome."""
        folder = self.folder / "kept" / name.replace(":", "-")
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / sha256(outcome.encode("utf-8", "replace")).hexdigest()[:16]
        if not path.exists():
            path.write_bytes(data)

    def note(self, name: str, error: str, where: str, data: bytes) -> None:
        """Note a finding, with its input beside it."""
        path = (
            self.folder / "findings" / f"{name.replace(':', '-')}-{sha256(data).hexdigest()[:12]}"
        )
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        finding = {
            "target": name, "error": error, "place": _place(where), "file": str(path),
            "where": where,
        }  # fmt: skip
        with (self.folder / "findings.jsonl").open("a") as file:
            file.write(json.dumps(finding) + "\n")

    def findings(self) -> list[dict[str, Any]]:
        """Return what was found, one of each kind."""
        path = self.folder / "findings.jsonl"
        found = (
            [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        )
        return list(
            {(each["target"], each["place"], each["error"][:60]): each for each in found}.values()
        )


def _place(where: str) -> str:
    """Return the last line of ours in a traceback."""
    ours = [line for line in where.splitlines() if "/evaluator/" in line or "/schemas/" in line]
    return ours[-1].strip() if ours else where[-200:]
