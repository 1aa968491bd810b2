"""The functions that write files, who calls them in the source, and who did in this process."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from groupwise.evaluator.reading import writing

SEAM = ("write_data", "write_whole", "replace_content", "new_file", "draft_content")
ROOT = Path(__file__).parent.parent.parent
CALLED: set[str] = set()
OTHER_WAYS = {"write_text", "write_bytes", "mkstemp", "NamedTemporaryFile", "savez", "save_npz"}
"""Names of methods and functions that write past the seam."""
BESIDE = {
    "evaluator/cli/streams.py": "the null device",
}
"""What opens files for writing in another way, and why."""


def find_calls() -> set[str]:
    """Return every function that calls the seam, as ``module:function``."""
    return {
        f"{path}:{_function_of(node, functions)}"
        for path, node, functions in _list_calls()
        if isinstance(node.func, ast.Name) and node.func.id in SEAM
    }


def _function_of(node: ast.Call, functions: list[ast.FunctionDef]) -> str:
    """Return the innermost function around a call."""
    around = [each for each in functions if each.lineno <= node.lineno <= (each.end_lineno or 0)]
    return max(around, key=lambda each: each.lineno).name


def find_other_ways() -> set[str]:
    """Return the calls that open a file for writing, or write one, past the seam."""
    return {place for place in _find_writing() if place.partition(":")[0] not in BESIDE}


def _find_writing() -> set[str]:
    return {f"{path}:{node.lineno}" for path, node, _ in _list_calls() if _writes(node)}


def _writes(node: ast.Call) -> bool:
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if name in OTHER_WAYS or (name == "open" and ast.unparse(node.func) == "os.open"):
        return True
    modes = [word.value for word in node.args if isinstance(word, ast.Constant)]
    modes += [
        word.value.value
        for word in node.keywords
        if word.arg == "mode" and isinstance(word.value, ast.Constant)
    ]
    return name == "open" and any(
        isinstance(mode, str) and mode[:1] in ("w", "a", "x") for mode in modes
    )


def _list_calls() -> Iterator[tuple[str, ast.Call, list[ast.FunctionDef]]]:
    """Yield the calls in the source, with the file and its functions."""
    for folder in ("evaluator", "schemas", "groupwise"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if name == "evaluator/reading/writing.py" or name.startswith("groupwise/evaluator/"):
                continue
            nodes = [*ast.walk(ast.parse(path.read_bytes()))]
            functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
            for node in nodes:
                if isinstance(node, ast.Call):
                    yield name, node, functions


def watch_calls() -> None:
    """Note from now on which lines call the seam."""
    for name in SEAM:
        setattr(writing, name, _noted(getattr(writing, name)))


def _noted(function: Any) -> Any:
    def call(*rest: Any, **more: Any) -> Any:
        caller = sys._getframe(1)
        path = Path(caller.f_code.co_filename).resolve()
        if path.is_relative_to(ROOT) and path.name != "writing.py":
            CALLED.add(f"{path.relative_to(ROOT).as_posix()}:{caller.f_code.co_name}")
        return function(*rest, **more)

    return call
