"""The hooks for pre-commit: their commands on good and bad files, and run by pre-commit itself."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.paths import ROOT

yaml = pytest.importorskip("yaml")

HOOKS = {
    hook["id"]: hook
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
}
QUERY = {"id": "q", "query": "which?", "ground_truth": [["a"], ["b"]], "results": ["a"]}
FIXTURE = {"queries": [QUERY], "expected": {"recall": 0.5}}
CASES: dict[str, tuple[str, Any, Any]] = {
    "groupwise-validate": (
        "truth.jsonl",
        {"id": "q", "query": "which?", "ground_truth": [["a"], ["b"]]},
        {"id": "q", "query": "which?", "ground_truth": [["a"], []]},
    ),
    "groupwise-check": ("one.groupwise.json", FIXTURE, FIXTURE | {"expected": {"recall": 1}}),
}
"""Of each hook, a file that it takes: its name, good content, bad content."""


def call(folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([os.fspath(Path(sys.executable).parent), os.environ["PATH"]])
    variables = os.environ | {"PATH": path, "PRE_COMMIT_HOME": os.fspath(folder / "home")}
    return subprocess.run(
        words, cwd=folder, env=variables, capture_output=True, text=True, check=False
    )


def test_every_hook_has_a_case_and_is_on_a_page() -> None:
    assert set(HOOKS) == set(CASES)
    pages = "".join(page.read_text("utf-8") for page in (ROOT / "docs").rglob("*.md"))
    for name in HOOKS:
        assert f"- id: {name}\n" in pages


@pytest.mark.parametrize("name", CASES)
def test_a_hook_passes_good_files_in_silence_and_fails_for_bad_ones(
    name: str, tmp_path: Path
) -> None:
    file, good, bad = CASES[name]
    assert re.search(HOOKS[name]["files"], file)
    for content, code in ((good, 0), (bad, 1)):
        (tmp_path / file).write_text(json.dumps(content), "utf-8")
        done = call(tmp_path, *shlex.split(HOOKS[name]["entry"]), file)
        assert done.returncode == code, done.stdout + done.stderr
        assert bool(done.stdout + done.stderr) is bool(code)
