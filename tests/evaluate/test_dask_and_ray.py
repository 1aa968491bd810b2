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


def test_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    ray = pytest.importorskip("ray", reason="ray is in the extra 'peers'")
    pytest.importorskip("ray.data", reason="ray is in the extra 'peers'")
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        names = run_block("ray")
    finally:
        ray.shutdown()
    local = evaluate(names["truths"], names["run"], metrics=["recall", "mrr"], per_query=False)
    assert names["report"].to_json() == local.to_json()
