"""Data goes one way: who may import whom, read from the sources."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT

SOURCES = [
    path.relative_to(ROOT)
    for folder in ("evaluator", "schemas")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
NAMES = [path.as_posix() for path in SOURCES]
PARAMETERS = pytest.mark.parametrize("path", SOURCES, ids=NAMES)


def package_of(path: Path) -> list[str]:
    return ["groupwise", *path.parent.parts]


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports, by their full names, also those within functions."""
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            home = package_of(path)[: -node.level + 1 or None] if node.level else []
            module = ".".join([*home, *filter(None, [node.module])])
            yield from (f"{module}.{name.name}" for name in node.names)


def within(path: Path, *layers: str) -> bool:
    return any(path.is_relative_to(layer) or path == Path(f"{layer}.py") for layer in layers)


def imported(path: Path, *names: str) -> list[str]:
    return [
        one
        for one in imports(path)
        if any(one == name or one.startswith(f"{name}.") for name in names)
    ]


@PARAMETERS
def test_schemas_import_nothing_of_the_evaluator(path: Path) -> None:
    if within(path, "schemas"):
        assert imported(path, "groupwise.evaluator", "evaluator") == []


@PARAMETERS
def test_hits_and_metrics_know_nothing_of_schemas_files_or_printing(path: Path) -> None:
    if within(path, "evaluator/hits", "evaluator/arrays", "evaluator/metrics"):
        assert imported(path, "pydantic", "pydantic_core", "orjson", "rich", "json") == []
        assert imported(path, "groupwise.schemas") == []
        for layer in ("formats", "matching", "reporting", "cli", "intake", "inputs"):
            assert imported(path, f"groupwise.evaluator.{layer}") == []


@PARAMETERS
def test_matching_knows_nothing_of_formats_metrics_or_printing(path: Path) -> None:
    if within(path, "evaluator/matching"):
        for layer in ("formats", "metrics", "reporting", "cli", "statistics"):
            assert imported(path, f"groupwise.evaluator.{layer}") == []


@PARAMETERS
def test_the_command_line_is_imported_by_nobody(path: Path) -> None:
    if not within(path, "evaluator/cli"):
        assert imported(path, "groupwise.evaluator.cli") == []


@PARAMETERS
def test_imports_are_branded_and_cross_no_folder_relatively(path: Path) -> None:
    assert imported(path, "evaluator", "schemas") == []
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level > 1:
            assert len(path.parts) - node.level >= 1, ast.unparse(node)


@PARAMETERS
def test_ids_meet_in_matching_only(path: Path) -> None:
    """Hits and metrics have no column of ids, and nobody but matching makes hits of them."""
    if within(path, "evaluator/hits", "evaluator/metrics"):
        names = {
            node.id if isinstance(node, ast.Name) else node.attr
            for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8")))
            if isinstance(node, ast.Name | ast.Attribute)
        }
        assert names.isdisjoint({"ids", "Id", "results_ids", "alternative_ids"})
    elif not within(path, "evaluator/matching"):
        assert imported(path, "groupwise.evaluator.hits.Hits") == [] or within(
            path, "evaluator/inspection", "evaluator/ties"
        )


def test_this_file_sees_the_imports_there_are() -> None:
    assert len(SOURCES) > 25
    assert imported(Path("evaluator/evaluate.py"), "groupwise.schemas")
    assert imported(Path("evaluator/metrics/autorag.py"), "groupwise.evaluator.hits")
