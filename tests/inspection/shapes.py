"""The golden sets in twelve shapes, with the groups that were written down by hand."""

import json
from contextlib import chdir
from pathlib import Path
from typing import Any

from groupwise import read
from tests.cli.shell import Outcome, type_line
from tests.paths import FIXTURES

GOLDEN = FIXTURES / "formats" / "golden"
EXPECTED: dict[str, dict[str, dict[str, list[list[Any]]]]] = json.loads(
    (GOLDEN / "expected.json").read_text("utf-8")
)


def type_in(folder: Path, command: str) -> Outcome:
    """Type a command line into a shell, in a folder."""
    with chdir(folder):
        return type_line(command)


def groups_in(path: Path) -> dict[str, list[list[Any]]]:
    """The ids of each group of each query in a file of ours."""
    dataset = read(path, role="ground_truth")
    return {
        query.id: [[part.id for part in group.alternatives] for group in query.ground_truth.groups]
        for query in dataset.queries
    }
