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
MODELS = {
    "annotated_types", "cython_runtime", "jiter", "numpy", "orjson", "pydantic", "pydantic_core",
    "typing_extensions", "typing_inspection",
}  # fmt: skip
"""Older versions of NumPy register the second as a module."""
LATER = {"cli", "judging", "passages", "reporting", "testing", "validation"}
"""Rooms that an evaluation of objects does not enter."""
RUN = "from groupwise.evaluator.cli import run; run({words!r})"
LIST = "import json, sys; print(json.dumps(sorted({*sys.modules} - before)), file=sys.stderr)"


def loaded_by(code: str, folder: Path | None = None) -> set[str]:
    """The modules that are loaded by a piece of code, beyond those of a bare interpreter."""
    script = f"import sys; before = {{*sys.modules}}; {code}; {LIST}"
    done = subprocess.run(
        [sys.executable, "-P", "-c", script],
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


def test_the_version_is_printed_without_packages() -> None:
    assert find_foreign(loaded_by("import groupwise; groupwise.__version__")) == set()


@pytest.mark.parametrize("name", ["evaluate", "Evaluator", "evaluate_stream"])
def test_a_name_of_the_package_loads_no_later_room(name: str) -> None:
    modules = loaded_by(f"from groupwise import {name}")
    assert find_foreign(modules) <= MODELS
    assert not list_rooms(modules) & LATER


def test_an_evaluation_loads_the_models_of_its_report_and_nothing_else() -> None:
    code = "from groupwise import evaluate; evaluate({'q': [['a']]}, {'q': ['a']})"
    modules = loaded_by(code)
    assert find_foreign(modules) <= MODELS
    assert not modules & {"asyncio", "multiprocessing", "rich"}
    assert "groupwise.schemas.comparison" not in modules
    assert "groupwise.schemas.validation" not in modules


@pytest.mark.parametrize(
    "words",
    [["evaluate", EXAMPLE], ["validate", EXAMPLE], ["check", EXAMPLE]],
    ids=lambda words: words[0],
)
def test_commands_load_none_of_the_extras(words: list[str]) -> None:
    modules = run(*words)
    assert find_foreign(modules) <= {*MODELS, "rich"}
    assert not modules & {"rich.console", "asyncio", "multiprocessing"}
