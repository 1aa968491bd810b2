"""Runs the steps of action.yml as a runner does: scripts by bash, inputs as variables."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.paths import ROOT

yaml = pytest.importorskip("yaml")

ACTION = ROOT / "action.yml"
EXPRESSION = re.compile(r"\$\{\{ (inputs|steps)\.([\w.-]+) \}\}")
SHELL = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail"]
"""What ``shell: bash`` means to a runner."""


def read_action() -> dict[str, Any]:
    action: dict[str, Any] = yaml.safe_load(ACTION.read_text("utf-8"))
    return action


@dataclass
class Runner:
    """A runner with a checked-out project in ``folder``, and the files that steps write to."""

    folder: Path
    temporary: Path
    outputs: dict[str, str] = field(default_factory=dict)
    log: str = ""

    @property
    def summary(self) -> str:
        return (self.temporary / "page.md").read_text("utf-8")

    def use(self, inputs: Mapping[str, str], *skipped: str) -> int:
        """Run the steps up to the first that fails; return its exit code, or 0."""
        (self.temporary / "page.md").touch()
        known = read_action()["inputs"]
        assert set(inputs) <= set(known)
        values = {name: given.get("default", "") for name, given in known.items()} | dict(inputs)
        for step in read_action()["runs"]["steps"]:
            if step["name"] not in skipped and (code := self._run(step, values)):
                return code
        return 0

    def _run(self, step: Mapping[str, Any], values: Mapping[str, str]) -> int:
        script, written = self.temporary / "step.sh", self.temporary / "outputs"
        script.write_text(step["run"], "utf-8")
        written.write_text("", "utf-8")
        variables = {
            name: EXPRESSION.sub(lambda match: self._find(match, values), text)
            for name, text in step.get("env", {}).items()
        }
        done = subprocess.run(
            [*SHELL, script], cwd=self.folder, env=self._environment(written) | variables,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        self.log += done.stdout
        lines = written.read_text("utf-8").splitlines()
        pairs = (line.partition("=") for line in lines)
        self.outputs |= {f"{step.get('id')}.outputs.{name}": text for name, _, text in pairs}
        return done.returncode

    def _find(self, match: re.Match[str], values: Mapping[str, str]) -> str:
        return values[match[2]] if match[1] == "inputs" else self.outputs[match[2]]

    def _environment(self, written: Path) -> dict[str, str]:
        path = os.pathsep.join([os.fspath(Path(sys.executable).parent), os.environ["PATH"]])
        own = {
            name: value for name, value in os.environ.items() if name.startswith(("PIP_", "HOME"))
        }
        return own | {
            "PATH": path,
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION_PATH": os.fspath(ROOT),
            "GITHUB_OUTPUT": os.fspath(written),
            "GITHUB_STEP_SUMMARY": os.fspath(self.temporary / "page.md"),
            "RUNNER_TEMP": os.fspath(self.temporary),
        }
