"""Plugins are loaded by name, by path and from installed packages, or say why they are not."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from groupwise import PluginError, UnknownMetric, evaluate, metrics, validate
from groupwise.evaluator.plugins import loading
from groupwise.evaluator.plugins.loading import load_installed, load_plugin, plugin_in
from groupwise.evaluator.validation.settings.selection import find_rules
from tests.paths import FIXTURES

PLUGIN = """
from groupwise import metric

@metric
def groups_missed(hits):
    "Number of groups that no result meets."
    return hits.per_query(hits.groups.query) - hits.per_query(hits.met_query)
"""


@pytest.fixture(autouse=True)
def _clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nothing_added: None) -> Iterator[None]:
    """An empty folder, and nothing loaded before or after."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(loading, "_loaded", {})
    monkeypatch.setattr(loading, "_searched", False)
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in (loading.FILES, "missing_groups"):
            del sys.modules[name]


def install(folder: Path, value: str = "missing_groups", text: str = PLUGIN) -> None:
    """Install a package with a plugin into a folder."""
    (folder / "missing_groups.py").write_text(text, "utf-8")
    info = folder / "missing_groups-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: missing-groups\nVersion: 1.2\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[groupwise]\nmissing = {value}\n", "utf-8")


def missed() -> float | None:
    return evaluate({"q": [["a"], ["b"]]}, {"q": ["a"]}, metrics="groups_missed").scores[
        "groups_missed"
    ]


@pytest.mark.parametrize("name", ["missing_groups", "missing_groups.py", "./missing_groups.py"])
def test_a_module_or_a_file_of_the_current_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "missing_groups.py").write_text(PLUGIN, "utf-8")
    path = list(sys.path)
    load_plugin(name)
    load_plugin(name)
    assert missed() == 1.0
    assert sys.path == path


def test_a_file_shadows_no_module(tmp_path: Path) -> None:
    import json  # noqa: PLC0415

    (tmp_path / "json.py").write_text(PLUGIN, "utf-8")
    load_plugin("json.py")
    assert sys.modules["json"] is json
    assert missed() == 1.0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import nowhere", "ModuleNotFoundError: No module named 'nowhere'"),
        ("def", "SyntaxError: invalid syntax"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("raise SystemExit(5)", "SystemExit: 5"),
        ("from groupwise import metric\n@metric\ndef recall(hits): ...",
         "ExtensionError: there is a built-in metric 'recall'; choose another name"),
    ],
)  # fmt: skip
def test_a_broken_plugin_is_named_with_the_reason(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "broken_plugin.py").write_text(text, "utf-8")
    with pytest.raises(
        PluginError, match=r"^plugin 'broken_plugin.py' cannot be loaded: "
    ) as error:
        load_plugin("broken_plugin.py")
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere", "No module named 'nowhere'"),
        ("no.py", "No such file"),
        ("", "Empty module name"),
    ],
)
def test_a_plugin_that_is_not_there(name: str, said: str) -> None:
    with pytest.raises(PluginError, match=f"plugin '{name}' cannot be loaded: .*{said}"):
        load_plugin(name)


def test_what_is_installed_is_loaded_when_a_name_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    evaluate({"q": [["a"]]}, {"q": ["a"]}, metrics=["recall", "ndcg@3"])
    assert "missing_groups" not in sys.modules
    assert missed() == 1.0
    assert getattr(metrics, "groups_missed")([["a"]], []) == 1.0  # noqa: B009  (not in the stub)
    assert not load_installed()


def test_a_metric_function_of_an_installed_plugin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(AttributeError):
        getattr(metrics, "__wrapped__")  # noqa: B009
    assert "missing_groups" not in sys.modules
    assert getattr(metrics, "groups_missed")([["a"]], []) == 1.0  # noqa: B009  (not in the stub)


def test_installed_rules_are_applied_and_installed_formats_recognised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    extensions = (FIXTURES / "examples" / "extensions.py").read_text("utf-8")
    install(tmp_path, text=extensions)
    monkeypatch.syspath_prepend(tmp_path)
    assert [finding.code for finding in validate({"q1": [["a"]]}).findings] == ["MY001"]
    (tmp_path / "truth.lines").write_text("q1: a b | c\n", "utf-8")
    report = evaluate("truth.lines", {"q1": ["b#1"]}, metrics="recall", matching="chunks")
    assert report.scores == {"recall": 0.5}
    assert [rule.name for rule in find_rules("MY")] == ["single-hop"]


def test_a_broken_installed_plugin_is_named_with_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, text="import nowhere")
    monkeypatch.syspath_prepend(tmp_path)
    for _ in range(2):
        with pytest.raises(
            PluginError, match=r"the plugin 'missing' of missing-groups 1\.2 cannot be loaded: "
        ):
            missed()


def test_without_plugins_an_unknown_name_is_unknown() -> None:
    with pytest.raises(UnknownMetric, match="no metric 'groups_missed'"):
        missed()
    assert load_installed() is False


def test_archives_on_the_path_are_searched_too(tmp_path: Path) -> None:
    (tmp_path / "packages.zip").write_bytes(b"PK")
    assert loading._may_hold_plugins(str(tmp_path / "packages.zip"))
    assert not loading._may_hold_plugins(str(tmp_path))
    assert not loading._may_hold_plugins(str(tmp_path / "nowhere"))


def test_the_place_of_an_error_in_a_plugin(tmp_path: Path) -> None:
    (tmp_path / "failing.py").write_text("def fail():\n    return int('x')\n", "utf-8")
    load_plugin("failing.py")
    with pytest.raises(ValueError, match="invalid literal") as failure:
        sys.modules[f"{loading.FILES}.failing"].fail()
    assert plugin_in(failure.tb) == f"{(tmp_path / 'failing.py').resolve()}:2"
    with pytest.raises(ValueError, match="invalid literal") as failure:
        int("x")
    assert plugin_in(failure.tb) is None
