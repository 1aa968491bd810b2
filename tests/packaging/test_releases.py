"""What a release is built by: workflows, the settings of cibuildwheel, and the walk it uses."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from groupwise import __version__
from tests.paths import ROOT

yaml = pytest.importorskip("yaml")

WORKFLOW = ROOT / ".github" / "workflows" / "wheels.yml"
WORKFLOWS = sorted(WORKFLOW.parent.glob("*.yml"))
ACTION = ROOT / "action.yml"
WRITES = {
    "release.yml": {("publish", "id-token"), ("publish", "attestations"), ("page", "contents")},
    "pages.yml": {("publish", "pages"), ("publish", "id-token")},
}
"""What each workflow may write, by job."""
SMOKE = ROOT / "tests" / "packaging" / "smoke.py"
LOADER = "from groupwise.evaluator.native import COMPILED, UNLOCKED; print(COMPILED, UNLOCKED)"


def run(*words: str | Path, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, **variables},
    )
    return done.stdout


def test_there_are_workflows_for_tests_wheels_and_releases() -> None:
    assert {"tests.yml", "wheels.yml", "release.yml"} <= {path.name for path in WORKFLOWS}


@pytest.mark.parametrize("path", [*WORKFLOWS, ACTION], ids=lambda path: path.name)
def test_actions_are_pinned_to_commits(path: Path) -> None:
    for action, commit in re.findall(r"uses: (?!\./)(\S+?)(?:@(.+))?\n", path.read_text("utf-8")):
        assert re.fullmatch(r"[0-9a-f]{40} # v[0-9.]+", commit), action


def test_an_action_has_one_version_in_all_workflows() -> None:
    text = "".join(path.read_text("utf-8") for path in WORKFLOWS)
    used = set(re.findall(r"uses: (\S+)@(.+)\n", text))
    assert len({action for action, _ in used}) == len(used) > 5


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_write_only_what_it_publishes(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text("utf-8"))
    assert workflow["permissions"] == {}
    granted = {
        (name, scope)
        for name, job in workflow["jobs"].items()
        for scope, level in job["permissions"].items()
        if level == "write"
    }
    assert granted == WRITES.get(path.name, set())


def test_every_system_and_python_is_tested() -> None:
    workflow = yaml.safe_load((WORKFLOW.parent / "tests.yml").read_text("utf-8"))
    matrix = workflow["jobs"]["tests"]["strategy"]["matrix"]
    assert {system.partition("-")[0] for system in matrix["os"]} == {"ubuntu", "macos", "windows"}
    assert matrix["python"] == supported_pythons()
    for line in matrix["include"]:
        assert [name for name in line["folders"].split() if not (ROOT / name).is_dir()] == []


def test_nothing_is_published_before_the_tests_and_the_wheels() -> None:
    jobs = yaml.safe_load((WORKFLOW.parent / "release.yml").read_text("utf-8"))["jobs"]
    assert sorted(jobs["publish"]["needs"]) == ["tests", "wheels"]
    assert jobs["tests"]["needs"] == jobs["wheels"]["needs"] == "notes"
    (*_, upload) = jobs["publish"]["steps"]
    assert upload["with"]["attestations"] is True
    assert "password" not in upload["with"]


def supported_pythons() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    named = [line.rpartition(" ")[2] for line in project["project"]["classifiers"]]
    return [version for version in named if re.fullmatch(r"3\.\d+", version)]


def test_every_supported_python_has_a_compiled_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    built = project["tool"]["cibuildwheel"]["build"].split()
    assert built == [f"cp{version.replace('.', '')}-*" for version in supported_pythons()]


def test_a_release_needs_its_tag_and_a_day_in_the_changelog(tmp_path: Path) -> None:
    for name in ("groupwise/__init__.py", "CITATION.cff", "CHANGELOG.md", ".ci/release-notes"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    log = tmp_path / "CHANGELOG.md"
    heading = re.compile(re.escape(f"[{__version__}] - ") + r"\S+")
    text = log.read_text("utf-8")
    log.write_text(heading.sub(f"[{__version__}] - unreleased", text), "utf-8")
    assert "with a date" in note(tmp_path, f"v{__version__}").stderr
    log.write_text(heading.sub(f"[{__version__}] - 2026-11-30", text), "utf-8")
    notes = note(tmp_path, f"v{__version__}").stdout
    assert "### Added" in notes
    assert "\n## " not in notes
    assert f"expected v{__version__}" in note(tmp_path, "v9.9.9").stderr
    cited = (tmp_path / "CITATION.cff").read_text("utf-8").replace(__version__, "0.0.1")
    (tmp_path / "CITATION.cff").write_text(cited, "utf-8")
    assert "CITATION.cff has 0.0.1" in note(tmp_path, f"v{__version__}").stderr


def note(root: Path, tag: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, root / ".ci" / "release-notes", tag],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_without_a_global_lock_the_fallback_is_used() -> None:
    unlocked = "import sys; sys._is_gil_enabled = lambda: False; "
    assert run("-c", unlocked + LOADER).split() == ["False", "True"]
    locked = "import sys; sys._is_gil_enabled = lambda: True; "
    assert run("-c", locked + LOADER).split()[1] == "False"


@pytest.mark.parametrize("is_free", [None, 0, 1])
def test_free_threaded_python_builds_the_pure_wheel(
    is_free: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    hook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook)
    monkeypatch.setattr(hook.sysconfig, "get_config_var", {"Py_GIL_DISABLED": is_free}.get)
    monkeypatch.delenv("GROUPWISE_PURE", raising=False)
    assert hook.is_wanted() is (not is_free)
