"""Notebooks of the documentation: they are clean, run from top to bottom, and show something."""

import ast
import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.paths import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
LARGEST = 30_000
"""How many characters the output of a cell may have."""
SHOWN = {
    "which-retriever": {
        "Dataset", "Query", "Run", "ValidationReport", "Report", "Comparison", "Explanation",
        "Plot", "DataFrame",
    },
    "showcase": {
        "Dataset", "ValidationReport", "Report", "Comparison", "Plot", "DataFrame", "Explanation",
    },
}  # fmt: skip
"""What each notebook shows, among other things."""
NEEDS = {"showcase": ("bm25s", "sklearn")}
NAMES = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)


def test_there_is_one() -> None:
    assert NOTEBOOKS


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def list_code(path: Path) -> list[str]:
    return ["".join(cell["source"]) for cell in read(path)["cells"] if cell["cell_type"] == "code"]


@NAMES
def test_a_notebook_is_stored_without_outputs_and_traces_of_a_machine(path: Path) -> None:
    notebook = read(path)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert notebook["metadata"] == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook["cells"]:
        assert cell["metadata"] == {}
        assert cell["cell_type"] == "markdown" or (cell["outputs"], cell["execution_count"]) == (
            [],
            None,
        )
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len({*ids}) == len(ids)
    assert path.read_text("utf-8") == json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


@NAMES
def test_links_of_a_notebook_lead_somewhere(path: Path) -> None:
    text = "".join(
        line
        for cell in read(path)["cells"]
        if cell["cell_type"] == "markdown"
        for line in cell["source"]
    )
    links = [link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link]
    assert links
    assert [link for link in links if not (path.parent / link).exists()] == []


def require(path: Path) -> None:
    """Skip a notebook whose retrievers are not installed."""
    for name in NEEDS.get(path.stem, ()):
        pytest.importorskip(name, reason="needs pip install -e '.[showcase]'")


def run_cell(source: str, namespace: dict[str, Any]) -> Any:
    """Run a cell as Python, and return the value of its last line."""
    *body, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        body, last = [*body, last], ast.Expr(ast.Constant(None))
    exec(compile(ast.Module(body, []), "cell", "exec"), namespace)  # noqa: S102
    return eval(compile(ast.Expression(last.value), "cell", "eval"), namespace)  # noqa: S307


@NAMES
def test_a_notebook_runs_as_plain_python(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require(path)
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    shown = []
    for source in list_code(path):
        with contextlib.redirect_stdout(io.StringIO()):
            value = run_cell(source, namespace)
        assert value is not None, source
        assert len(repr(value)) < LARGEST
        shown.append(type(value).__name__)
    assert SHOWN[path.stem] <= {*shown}
    assert not list(tmp_path.iterdir())


SHELL = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

shell, found = InteractiveShell.instance(), []
shell.display_formatter.active_types = list(shell.display_formatter.formatters)
for source in json.load(sys.stdin):
    with capture_output() as captured:
        result = shell.run_cell(source)
    result.raise_error()
    data, _ = shell.display_formatter.format(result.result)
    found.append({kind: len(str(value)) for kind, value in data.items()})
print(json.dumps(found))
"""


@NAMES
def test_a_notebook_runs_in_ipython(path: Path, tmp_path: Path) -> None:
    pytest.importorskip("IPython")
    require(path)
    code = list_code(path)
    environment = {**os.environ, "IPYTHONDIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", SHELL],
        input=json.dumps(code), capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    outputs = json.loads(done.stdout.splitlines()[-1])
    assert len(outputs) == len(code)
    assert sum("text/html" in output for output in outputs) >= 6
    assert sum("image/svg+xml" in output for output in outputs) >= 1
    assert max(size for output in outputs for size in output.values()) < LARGEST
