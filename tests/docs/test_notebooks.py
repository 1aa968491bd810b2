"""Notebooks of the documentation are stored without outputs, and run from top to bottom."""

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.paths import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_stored_without_outputs(path: Path) -> None:
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        assert cell["metadata"] == {}
        assert not cell.get("outputs")
        assert not cell.get("execution_count")


def run_cell(source: str, namespace: dict[str, Any]) -> Any:
    """Run a cell as Python, and return the value of its last line."""
    *body, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        body, last = [*body, last], ast.Expr(ast.Constant(None))
    exec(compile(ast.Module(body, []), "cell", "exec"), namespace)  # noqa: S102
    return eval(compile(ast.Expression(last.value), "cell", "eval"), namespace)  # noqa: S307


@pytest.mark.parametrize(
    "name", ["which-retriever", pytest.param("showcase", marks=pytest.mark.nightly)]
)
def test_every_cell_runs_and_shows_something(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "showcase":
        pytest.importorskip("bm25s", reason="needs pip install -e '.[showcase]'")
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    notebook = json.loads((ROOT / "docs" / "notebooks" / f"{name}.ipynb").read_text("utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            with contextlib.redirect_stdout(io.StringIO()):
                value = run_cell("".join(cell["source"]), namespace)
            assert len(repr(value)) < 30_000
            assert value is not None
    assert not list(tmp_path.iterdir())
