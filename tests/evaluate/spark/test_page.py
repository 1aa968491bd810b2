"""The page about Spark: its code runs, and prints what the page shows."""

import ast
import io
import os
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import blocks, matches, statements
from tests.paths import ROOT

PAGE = ROOT / "docs" / "how-to" / "spark.md"
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning"),
]


def test_the_code_of_the_page_runs(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks(PAGE, "py"):
        text = block.text.replace('parquet("scores")', f'parquet("{tmp_path / "scores"}")')
        for statement, shown in statements(type(block)("py", text, block.line)):
            with redirect_stdout(io.StringIO()) as output:
                exec(compile(ast.Module([statement], []), os.fspath(PAGE), "exec"), names)  # noqa: S102
            if shown:
                assert matches(output.getvalue().splitlines(), shown), shown
    scores = spark.read.parquet(str(tmp_path / "scores")).collect()
    assert {row["id"]: row["recall@10"] for row in scores} == {"q1": 1.0, "q2": 1.0, "q3": 0.0}
