"""The steps of the GitHub workflow on the page about CI, run one after the other."""

import json
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from groupwise import evaluate
from tests.docs.pages import blocks
from tests.paths import ROOT

TRUTH = [
    {"id": f"q{n}", "query": f"question number {n}?", "ground_truth": [[f"d{n}"]]}
    for n in range(20)
]
GOOD = [{"id": f"q{n}", "results": [f"d{n}", "x"]} for n in range(20)]
CORPUS = [{"id": f"d{n}", "text": f"the text {n}"} for n in range(20)]
FIXTURE = {
    "queries": [{"id": "q", "ground_truth": [["a"]], "results": ["a"]}],
    "expected": {"recall": 1},
}
"""A run that finds everything, and a fixture that passes."""


def read_steps() -> dict[str, str]:
    """The scripts of the steps, by name."""
    shown = blocks(ROOT / "docs" / "how-to" / "ci.md", "yaml")
    (workflow,) = (block for block in shown if "name: Validate the data" in block.text)
    steps = {}
    for step in re.split(r"^      - ", workflow.text, flags=re.MULTILINE)[1:]:
        name = re.match(r"name: (.+)\n", step)
        script = re.search(r"^        run: (?:\|\n)?(.+)", step, re.MULTILINE | re.DOTALL)
        if name and script:
            steps[name[1]] = textwrap.dedent(script[1])
    return steps


def write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> None:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), "utf-8")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_lines(tmp_path / "truth.jsonl", TRUTH)
    write_lines(tmp_path / "corpus.jsonl", CORPUS)
    write_lines(tmp_path / "good.jsonl", GOOD)
    (tmp_path / "first.groupwise.json").write_text(json.dumps(FIXTURE), "utf-8")
    (tmp_path / "retrieve.py").write_text("print(open('good.jsonl').read(), end='')\n", "utf-8")
    evaluate(
        tmp_path / "truth.jsonl", tmp_path / "good.jsonl",
        metrics=["recall@10", "ndcg@10", "complete@10"], missing="error",
        save_baseline=tmp_path / "baseline.json",
    )  # fmt: skip
    return tmp_path


def run_step(name: str, project: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([os.fspath(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["bash", "-e", "-c", read_steps()[name]],
        cwd=project, capture_output=True, text=True, check=False,
        env=os.environ | {"PATH": path, "GITHUB_STEP_SUMMARY": os.fspath(project / "page.md")},
    )  # fmt: skip


def test_the_workflow_passes_and_posts_a_summary(project: Path) -> None:
    names = ["Validate the data", "Run the fixtures", "Retrieve", "Evaluate", "Show the summary"]
    assert list(read_steps()) == ["Install", *names, "Comment on the pull request"]
    for name in names:
        done = run_step(name, project)
        assert done.returncode == 0, (name, done.stdout, done.stderr)
    page = (project / "page.md").read_text("utf-8")
    assert "ndcg@10 >= baseline - 0.01" in page.replace("\\", "")


def test_a_worse_run_fails_and_still_posts_a_summary(project: Path) -> None:
    write_lines(project / "good.jsonl", [{**record, "results": ["x", "y"]} for record in GOOD])
    run_step("Retrieve", project)
    done = run_step("Evaluate", project)
    assert done.returncode == 1, done.stderr
    assert run_step("Show the summary", project).returncode == 0
    assert "failed" in (project / "page.md").read_text("utf-8")


def test_wrong_data_are_annotated_on_their_lines(project: Path) -> None:
    wrong = [*TRUTH[:4], {**TRUTH[4], "ground_truth": [["d4"], []]}, *TRUTH[5:]]
    write_lines(project / "truth.jsonl", wrong)
    done = run_step("Validate the data", project)
    assert done.returncode == 1
    assert re.search(r"^::error file=truth\.jsonl,line=5,.*GT004", done.stdout, re.MULTILINE)
