"""The page about Dask and Ray: its code runs, and the report is that of one piece."""

import io
import os
import re
import subprocess
import sys
from contextlib import redirect_stdout
from importlib.util import find_spec
from typing import Any

import pytest

from groupwise import evaluate
from tests.docs.pages import blocks
from tests.paths import ROOT

PAGE = ROOT / "docs" / "how-to" / "ray-and-dask.md"
pytestmark = pytest.mark.filterwarnings(
    "ignore::FutureWarning", "ignore::DeprecationWarning", "ignore::ResourceWarning"
)


def run_block(library: str) -> dict[str, Any]:
    """Run the code about a library; it prints what the page shows. Return its variables."""
    imported = re.compile(rf"^import {library}$", re.MULTILINE)
    (code,) = (block.text for block in blocks(PAGE, "py") if imported.search(block.text))
    names: dict[str, Any] = {"__name__": "page"}
    with redirect_stdout(io.StringIO()) as output:
        exec(code, names)  # noqa: S102
    assert output.getvalue().strip() == code.rpartition("  # ")[2].strip()
    return names


def test_dask() -> None:
    pytest.importorskip("dask.dataframe", reason="dask is in the extra 'peers'")
    names = run_block("dask")
    tables = [names[side].compute() for side in ("truths", "run")]
    local = evaluate(*tables, metrics=["recall", "mrr"], per_query=False)
    assert names["report"].to_json() == local.to_json()
    assert local.counts.missing == 1


IN_RAY = """
import ray
from groupwise import evaluate
from tests.evaluate.test_dask_and_ray import run_block

ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
names = run_block("ray")
ray.shutdown()
local = evaluate(names["truths"], names["run"], metrics=["recall", "mrr"], per_query=False)
print(names["report"].to_json() == local.to_json())
"""


def test_ray() -> None:
    """In a process of its own: Ray changes the environment, and what becomes of signals."""
    if find_spec("ray") is None:
        pytest.skip("ray is in the extra 'peers'")
    done = subprocess.run(
        [sys.executable, "-c", IN_RAY], capture_output=True, text=True, check=False, cwd=ROOT,
        env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[-1] == "True"
