"""Results in `benchmarks/results/*.json`: written point by point, kept between runs.

A run that was interrupted goes on where it stopped, a part can be measured anew, and the pages are
written from the files without measuring at all.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.machine import Setting
from benchmarks.workloads import complete

RESULTS = Path(__file__).with_name("results")


class Store:
    """The points of one section, in a file.

    Attributes:
        setting: Where the points were measured.
        rounds: In how many rounds.
        points: What was measured, by key.
    """

    def __init__(self, path: Path, setting: Setting, rounds: int) -> None:
        self.setting = setting
        self.rounds = rounds
        self.points: dict[str, Any] = {}
        self._path = path

    @classmethod
    def open(cls, path: Path, setting: Setting, rounds: int, *, resume: bool) -> "Store":
        """Return an empty store, or the stored points of an equal setting to go on with."""
        store = cls(path, setting, rounds)
        if resume and path.exists():
            found = read_store(path)
            if (found.setting, found.rounds) == (setting, rounds):
                store.points = found.points
        return store

    def keep(self, key: str, measure: Callable[..., Any], *arguments: Any) -> Any:
        """Return the stored point, or measure it and store it at once."""
        if key not in self.points:
            self.points[key] = round_times(measure(*arguments))
            self._write()
        return self.points[key]

    def _write(self) -> None:
        content = {**self.setting, "rounds": self.rounds, "points": self.points}
        with complete(self._path) as file:
            file.write(format_json(content) + "\n")


def read_store(path: Path) -> Store:
    """Read what was stored."""
    content = json.loads(path.read_text("utf-8"))
    setting: Setting = {"machine": content["machine"], "versions": content["versions"]}
    store = Store(path, setting, content["rounds"])
    store.points = content["points"]
    return store


def format_json(value: Any, depth: int = 0) -> str:
    """Write JSON with lists on one line each."""
    if not isinstance(value, dict) or not value:
        return json.dumps(value)
    edge = "  " * depth
    rows = (
        f"{edge}  {json.dumps(key)}: {format_json(item, depth + 1)}" for key, item in value.items()
    )
    return "{\n" + ",\n".join(rows) + f"\n{edge}}}"


def round_times(value: Any) -> Any:
    """Round seconds to microseconds, wherever they are."""
    if isinstance(value, dict):
        return {key: round_times(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [round_times(item) for item in value]
    return round(value, 6) if isinstance(value, float) else value
