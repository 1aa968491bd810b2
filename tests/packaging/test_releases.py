"""What a release is built by: the workflow, the settings of cibuildwheel, and the walk it uses."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.paths import ROOT

WORKFLOW = ROOT / ".github" / "workflows" / "wheels.yml"
SMOKE = ROOT / "tests" / "packaging" / "smoke.py"
LOADER = (
    "from groupwise.evaluator.native.loader import COMPILED, UNLOCKED; print(COMPILED, UNLOCKED)"
)


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


def test_actions_are_pinned_to_commits_and_may_write_nothing() -> None:
    text = WORKFLOW.read_text("utf-8")
    used = re.findall(r"uses: (\S+)@(\S+) # v[0-9.]+\n", text)
    assert len(used) == text.count("uses:") > 5
    assert all(re.fullmatch(r"[0-9a-f]{40}", commit) for _, commit in used)
    assert "\npermissions: {}\n" in text
    assert not re.search(r":\s*write\b", text)


def test_every_supported_python_has_a_compiled_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    named = [line.rpartition(" ")[2] for line in project["project"]["classifiers"]]
    supported = [version for version in named if re.fullmatch(r"3\.\d+", version)]
    built = project["tool"]["cibuildwheel"]["build"].split()
    assert built == [f"cp{version.replace('.', '')}-*" for version in supported]


def test_zizmor_finds_nothing_in_the_workflow() -> None:
    zizmor = shutil.which("zizmor", path=Path(sys.executable).parent) or shutil.which("zizmor")
    if zizmor is None:
        pytest.skip("zizmor is in the extra 'peers'")
    subprocess.run([zizmor, "--offline", "--quiet", WORKFLOW], check=True)


def test_the_smoke_test_tells_the_walks_apart() -> None:
    assert "pure, GIL" in run(SMOKE, "pure", GROUPWISE_PURE="1")
    with pytest.raises(subprocess.CalledProcessError):
        run(SMOKE, "compiled", GROUPWISE_PURE="1")


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
