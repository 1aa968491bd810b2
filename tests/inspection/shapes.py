"""The golden sets in twelve shapes, with the groups that were written down by hand."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from groupwise import read
from tests.paths import FIXTURES

GOLDEN = FIXTURES / "formats" / "golden"
EXPECTED: dict[str, dict[str, dict[str, list[list[Any]]]]] = json.loads(
    (GOLDEN / "expected.json").read_text("utf-8")
)


class Typed(NamedTuple):
    code: int
    out: str
    err: str


def type_in(folder: Path, command: str) -> Typed:
    """Type a command line into a shell, in a folder."""
    path = os.pathsep.join([os.fspath(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, env=os.environ | {"PATH": path}, check=False,
        capture_output=True,
    )  # fmt: skip
    return Typed(done.returncode, done.stdout.decode(), done.stderr.decode())


def groups_in(path: Path) -> dict[str, list[list[Any]]]:
    """The ids of each group of each query in a file of ours."""
    dataset = read(path, role="ground_truth")
    return {
        query.id: [[part.id for part in group.alternatives] for group in query.ground_truth.groups]
        for query in dataset.queries
    }
