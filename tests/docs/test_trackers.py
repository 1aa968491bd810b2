"""The page about trackers: its code runs against a store of MLflow, and with the names of W&B."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import blocks
from tests.paths import ROOT

PAGE = ROOT / "docs" / "how-to" / "trackers.md"
STORED = """
(run,) = mlflow.search_runs(output_format="list", search_all_experiments=True)
assert run.data.metrics == report.flat()
assert run.data.params == {"profile": "autorag", "queries": "2"}
(file,) = mlflow.MlflowClient().list_artifacts(run.info.run_id)
assert (file.path, file.file_size > 10_000) == ("report.html", True)
"""
WANDB = """
import contextlib, re, sys, types

logged = {}
experiment = types.SimpleNamespace(log=logged.update)
wandb = types.ModuleType("wandb")
wandb.init = lambda **_: contextlib.nullcontext(experiment)
wandb.Table = lambda dataframe: dataframe
sys.modules["wandb"] = wandb
"""
LOGGED = """
assert list(logged.pop("queries")["query"]) == ["q1", "q2"]
assert logged == report.flat()
"""


def find_code(library: str) -> str:
    """Return the code of the page up to the block about a library."""
    (example,) = (block.text for block in blocks(PAGE, "python"))
    (block,) = (block.text for block in blocks(PAGE, "py") if f"import {library}" in block.text)
    return f"{example}\n{block}"


def run_code(code: str, folder: Path) -> None:
    store = {"MLFLOW_TRACKING_URI": (folder / "mlruns").as_uri(), "MLFLOW_ALLOW_FILE_STORE": "true"}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **store}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_the_code_for_mlflow_runs_against_a_store_of_files(tmp_path: Path) -> None:
    pytest.importorskip("mlflow")
    pytest.importorskip("jinja2")
    run_code(find_code("mlflow") + STORED, tmp_path)
    assert list((tmp_path / "mlruns").rglob("recall_at_5"))


def test_the_code_for_wandb_logs_scores_and_queries(tmp_path: Path) -> None:
    run_code(WANDB + find_code("wandb") + LOGGED, tmp_path)


def test_the_page_names_the_rules() -> None:
    text = PAGE.read_text("utf-8")
    assert "250 characters" in text
    assert re.search("refuses an `@`", text)
