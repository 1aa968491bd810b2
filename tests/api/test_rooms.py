"""The rooms: who may import whom, read from the sources, lazy imports included."""

import ast
import re
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from groupwise import schemas
from tests.paths import ROOT

SOURCES = [
    path.relative_to(ROOT)
    for folder in ("evaluator", "schemas")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
NAMES = [path.as_posix() for path in SOURCES]
PARAMETERS = pytest.mark.parametrize("path", SOURCES, ids=NAMES)
LOOSE = {"__init__.py", "errors.py", "text.py"}
DRAWN = re.compile(r"```text\n(schemas .*?)```", re.DOTALL)


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports, by their full names, also those within functions."""
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports cannot cross the two folders"
            yield from (f"{node.module}.{name.name}" for name in node.names)


def imported(path: Path, *names: str) -> list[str]:
    return [
        found
        for found in imports(path)
        if any(found == name or found.startswith(f"{name}.") for name in names)
    ]


def room_of(module: str) -> str:
    """The room that a module of ours lies in; blank for the package itself."""
    _, _, name = module.partition(".")
    folder, _, rest = name.partition(".")
    return folder if folder == "schemas" else rest.partition(".")[0]


def layers() -> list[str]:
    """The rooms in the order of the contract, the lowest first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (contract,) = settings["tool"]["importlinter"]["contracts"]
    return [room_of(layer) for layer in reversed(contract["layers"])]


def module_of(path: Path) -> str:
    return ".".join(["groupwise", *path.with_suffix("").parts])


def within(path: Path, *rooms: str) -> bool:
    return room_of(module_of(path)) in rooms


def test_every_module_lies_in_a_room() -> None:
    assert {path.name for path in (ROOT / "evaluator").glob("*.py")} == LOOSE
    folders = {path.parts[1] for path in SOURCES if len(path.parts) > 2}
    assert folders | {"schemas", "errors", "text"} == set(layers())


def test_the_rooms_are_drawn_in_the_order_of_the_contract() -> None:
    page = (ROOT / "docs/explanation/how-it-works.md").read_text("utf-8")
    drawing = DRAWN.search(page)
    assert drawing is not None
    assert [line.split()[0] for line in drawing[1].splitlines()] == layers()


def test_the_graph_of_rooms_has_no_cycle_lazy_imports_included() -> None:
    edges: dict[str, set[str]] = {}
    for path in SOURCES:
        here = room_of(module_of(path))
        for found in imported(path, "groupwise.evaluator", "groupwise.schemas"):
            if room_of(found) not in ("", here):
                edges.setdefault(here, set()).add(room_of(found))
    order = layers()
    for here, others in edges.items():
        assert all(order.index(other) < order.index(here) for other in others), (here, others)
    assert list(TopologicalSorter(edges).static_order())


FACADE = Path("schemas/__init__.py")


def test_the_facade_of_the_models_loads_what_it_shows_to_tools() -> None:
    (shown,) = (
        node
        for node in ast.parse((ROOT / FACADE).read_text("utf-8")).body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    homes = {
        name.name: f"groupwise.schemas.{schemas._HOME_OF[name.name]}"
        for node in shown.body
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
    found = [node for node in shown.body if isinstance(node, ast.ImportFrom)]
    assert homes == {name.name: node.module for node in found for name in node.names}
    assert sorted(homes) == sorted(schemas.__all__) == sorted(schemas._HOME_OF)
    for name in schemas.__all__:
        assert getattr(schemas, name) is not None


@PARAMETERS
def test_modules_of_ours_are_imported_by_statements_only(path: Path) -> None:
    """An import by a string is one that no tool can see; only facades have a table of names."""
    if path == FACADE:
        return
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            assert "groupwise" not in ast.unparse(node.args[0])
            assert isinstance(node.args[0], ast.Constant | ast.Name), ast.unparse(node)


@PARAMETERS
def test_schemas_import_nothing_of_the_evaluator(path: Path) -> None:
    if within(path, "schemas"):
        assert imported(path, "groupwise.evaluator", "evaluator") == []
        assert "groupwise.evaluator" not in (ROOT / path).read_text("utf-8")


@PARAMETERS
def test_hits_and_metrics_know_nothing_of_schemas_files_or_printing(path: Path) -> None:
    if within(path, "hits", "metrics"):
        assert imported(path, "pydantic", "pydantic_core", "orjson", "rich", "json") == []
        assert imported(path, "groupwise.schemas") == []
        for room in ("reading", "formats", "intake", "matching"):
            assert imported(path, f"groupwise.evaluator.{room}") == []


@PARAMETERS
def test_matching_knows_nothing_of_formats(path: Path) -> None:
    if within(path, "matching"):
        assert imported(path, "groupwise.evaluator.formats") == []


@PARAMETERS
def test_imports_are_branded(path: Path) -> None:
    assert imported(path, "evaluator", "schemas") == []


@PARAMETERS
def test_ids_meet_in_matching_only(path: Path) -> None:
    """Hits and metrics have no column of ids."""
    if within(path, "hits", "metrics"):
        names = {
            node.id if isinstance(node, ast.Name) else node.attr
            for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8")))
            if isinstance(node, ast.Name | ast.Attribute)
        }
        assert names.isdisjoint({"ids", "Id", "results_ids", "alternative_ids"})


def test_this_file_sees_the_imports_there_are() -> None:
    assert len(SOURCES) > 25
    assert imported(Path("evaluator/evaluation/evaluate.py"), "groupwise.schemas")
    assert imported(Path("evaluator/metrics/autorag.py"), "groupwise.evaluator.hits")
