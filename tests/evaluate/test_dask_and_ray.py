"""The page about Dask and Ray: its code runs, and the report is that of one piece."""

import io
import re
from contextlib import redirect_stdout
from typing import Any

import pytest

from groupwise import evaluate
from tests.docs.pages import blocks
from tests.paths import ROOT

PAGE = ROOT / "docs" / "how-to" / "ray-and-dask.md"
NO_RAY = "ray is not installed; as large as it is, it is not allowed in CI"
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
    pytest.importorskip("dask.dataframe", reason="dask is not installed")
    names = run_block("dask")
    tables = [names[side].compute() for side in ("truths", "run")]
    local = evaluate(*tables, metrics=["recall", "mrr"], per_query=False)
    assert names["report"].to_json() == local.to_json()
    assert local.counts.missing == 1


def test_ray() -> None:
    ray = pytest.importorskip("ray", reason=NO_RAY)
    pytest.importorskip("ray.data", reason=NO_RAY)
    try:
        names = run_block("ray")
    finally:
        ray.shutdown()
    local = evaluate(names["truths"], names["run"], metrics=["recall", "mrr"], per_query=False)
    assert names["report"].to_json() == local.to_json()
