"""What is loaded: an import of a name, and a small command, take only what they need.

There are no timed assertions: what is not loaded costs nothing, on any machine.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import FIXTURES

EXAMPLE = str(FIXTURES / "examples" / "running-example.json")
WITHOUT_MODELS = {"cython_runtime", "numpy", "orjson"}
"""Older versions of NumPy register the first as a module."""
MODELS = {"annotated_types", "pydantic", "pydantic_core", "typing_extensions", "typing_inspection"}
UNNEEDED = {
    "asyncio", "concurrent.futures", "email", "html", "http", "importlib.metadata",
    "logging", "multiprocessing", "numpy.typing", "random", "rich", "shutil", "socket",
    "subprocess", "tempfile", "tomllib", "unittest",
}  # fmt: skip
"""Modules that take long to load, and that an evaluation has no use for."""
LATER = {"cli", "judging", "passages", "reporting", "testing", "validation"}
"""Rooms that an evaluation of objects does not enter."""
RUN = "from groupwise.evaluator.cli import run; run({words!r})"
LIST = "import json, sys; print(json.dumps(sorted({*sys.modules} - before)), file=sys.stderr)"


def loaded_by(code: str, folder: Path | None = None) -> set[str]:
    """The modules that are loaded by a piece of code, beyond those of a bare interpreter."""
    script = f"import sys; before = {{*sys.modules}}; {code}; {LIST}"
    done = subprocess.run(
        [sys.executable, "-I", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
    )
    return {*json.loads(done.stderr.splitlines()[-1])}


def find_foreign(modules: set[str]) -> set[str]:
    """The packages that are neither ours nor of the standard library."""
    packages = {name.partition(".")[0] for name in modules}
    return {
        name
        for name in packages - {*sys.stdlib_module_names} - {"groupwise"}
        if not name.startswith("_")  # a module of the interpreter's build
    }


def list_rooms(modules: set[str]) -> set[str]:
    """The rooms of the evaluator that modules lie in."""
    parts = [name.split(".") for name in modules if name.startswith("groupwise.evaluator.")]
    return {names[2] for names in parts}


def run(*words: str) -> set[str]:
    return loaded_by(RUN.format(words=list(words)))


@pytest.mark.parametrize("name", ["evaluate", "Evaluator", "evaluate_stream"])
def test_a_name_of_the_package_loads_no_model(name: str) -> None:
    modules = loaded_by(f"from groupwise import {name}")
    assert find_foreign(modules) <= WITHOUT_MODELS
    assert not modules & UNNEEDED - loaded_by("import numpy, orjson")
    assert not list_rooms(modules) & LATER


def test_an_evaluation_loads_the_models_of_its_report_and_nothing_else() -> None:
    code = "from groupwise import evaluate; evaluate({'q': [['a']]}, {'q': ['a']})"
    modules = loaded_by(code)
    assert find_foreign(modules) <= WITHOUT_MODELS | MODELS
    assert not modules & {"asyncio", "multiprocessing", "rich"}
    assert "groupwise.schemas.comparison" not in modules
    assert "groupwise.schemas.validation" not in modules


@pytest.mark.parametrize(
    "words",
    [
        [EXAMPLE],
        [EXAMPLE, "-m", "recall,ndcg", "-k", "1,3"],
        [EXAMPLE, "--profile", "trec", "--no-per-query"],
        [EXAMPLE, "--quiet"],
    ],
    ids=" ".join,
)
def test_a_table_of_scores_is_printed_without_models(words: list[str]) -> None:
    modules = run("evaluate", *words)
    assert find_foreign(modules) <= {*WITHOUT_MODELS, "rich"}
    assert not modules & {"rich.console", "rich.table", "importlib.metadata", "multiprocessing"}
    assert not list_rooms(modules) & {"judging", "passages", "testing", "validation"}


def test_several_processes_read_for_a_table_without_models(tmp_path: Path) -> None:
    path = tmp_path / "both.jsonl"
    path.write_text(
        '{"id": "q%s", "ground_truth": [["a"]], "results": ["a"]}\n' * 9 % (*"123456789",)
    )
    small = (
        "from groupwise.evaluator.processes import jobs; jobs.LEAST_BYTES = jobs.PART_BYTES = 99"
    )
    words = ["evaluate", str(path), "--no-per-query", "--jobs", "2"]
    modules = loaded_by(f"{small}; {RUN.format(words=words)}")
    assert "multiprocessing.popen_fork" in modules
    assert find_foreign(modules) <= {*WITHOUT_MODELS, "rich"}


@pytest.mark.parametrize(
    "words",
    [["evaluate", EXAMPLE, "--format", "json"], ["validate", EXAMPLE], ["check", EXAMPLE]],
    ids=lambda words: words[0] + words[-1][-4:],
)
def test_other_commands_load_models_and_none_of_the_extras(words: list[str]) -> None:
    modules = run(*words)
    assert find_foreign(modules) <= {*WITHOUT_MODELS, *MODELS, "rich"}
    assert not modules & {"rich.console", "asyncio", "multiprocessing"}
