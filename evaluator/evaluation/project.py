"""Settings of a project: ``[tool.groupwise.evaluate]`` in its ``pyproject.toml``.

The file is looked up in the working directory and its parents; the nearest one with the table is
used. Paths in it are relative to its folder. The command line takes precedence.
"""

import os
from collections.abc import Mapping
from typing import NamedTuple

from groupwise.evaluator.evaluation.gate_sets import KEYS as OF_GATES
from groupwise.evaluator.evaluation.settings import Check, check_keys, check_path, find_table

TABLE = ("tool", "groupwise", "evaluate")
KEYS: Mapping[str, Check] = {**OF_GATES, "baseline": check_path}
"""The keys of the table, and the check of each."""


class EvaluateSettings(NamedTuple):
    """The settings of a project; None and empty where it has none."""

    metrics: tuple[str, ...] | None = None
    profile: str | None = None
    gates: tuple[str, ...] = ()
    baseline: str | None = None


def read_evaluate_settings(start: str | os.PathLike[str] = ".") -> EvaluateSettings:
    """Return the settings for a folder; none of them is set if no file has the table.

    Raises:
        InputError: The file is not TOML, or the table holds unknown keys or wrong values.
    """
    table = find_table(TABLE, start)
    if table is None:
        return EvaluateSettings()
    table.refuse(check_keys(table.content, KEYS))
    content = dict(table.content)
    gates = content.get("gates", ())
    baseline = content.get("baseline")
    return EvaluateSettings(
        tuple(content["metrics"]) if "metrics" in content else None,
        content.get("profile"),
        (gates,) if isinstance(gates, str) else tuple(gates),
        None if baseline is None else os.path.relpath(table.folder / baseline),
    )
