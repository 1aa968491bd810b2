"""What is installed: one package, typed, that no schemas.py or evaluator.py of others can break."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from groupwise.evaluator.native import COMPILED
from tests.docs.test_first_five_minutes import check_commands, type_along
from tests.paths import RETRIEVERS, ROOT

HOSTILE = "raise ImportError('this is somebody else, with their own ' + __name__)\n"


def run(*words: str | Path, cwd: Path, more: Mapping[str, str] | None = None) -> str:
    """What a command prints; it must end well."""
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    environment |= more or {}
    done = subprocess.run(
        words, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def built(folder: Path) -> tuple[Path, Path]:
    """The sdist, and the wheel that is built from it."""
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, cwd=folder)
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return sdist, wheel


def installed(wheel: Path, folder: Path) -> Path:
    """The Python of a fresh environment that has the wheel, and its dependencies from this one."""
    venv.create(folder / "venv", with_pip=True, symlinks=True)
    python = folder / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--no-deps", "--no-index", wheel, cwd=folder)
    site = Path(
        run(python, "-c", "import site; print(*site.getsitepackages())", cwd=folder).strip()
    )
    (site / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return python


def test_a_wheel_built_from_the_sdist_works_among_hostile_modules(tmp_path: Path) -> None:
    sdist, wheel = built(tmp_path)
    check_contents(sdist, wheel)
    python = installed(wheel, tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("schemas.py", "evaluator.py"):
        (elsewhere / name).write_text(HOSTILE)
    check_evaluation(python, elsewhere)
    empty = tmp_path / "empty"
    empty.mkdir()
    check_commands(type_along(empty, python.parent))


@pytest.mark.nightly
def test_the_wheel_alone_is_enough_in_an_empty_folder(tmp_path: Path) -> None:
    """Demo, evaluate, validate, compare, explain and a page, where nothing else is."""
    for name in ("built", "environment", "empty"):
        (tmp_path / name).mkdir()
    _, wheel = built(tmp_path / "built")
    python = installed(wheel, tmp_path / "environment")
    smoke = shutil.copy(ROOT / "tests" / "packaging" / "smoke.py", tmp_path / "environment")
    kind = "compiled" if COMPILED else "pure"
    said = run(python, "-I", smoke, kind, cwd=tmp_path / "empty")
    assert "a page, all as expected" in said
    assert list((tmp_path / "empty").iterdir()) == []


@pytest.mark.nightly
@pytest.mark.parametrize("variables", [{"CC": "no-such-compiler"}, {"GROUPWISE_PURE": "1"}])
def test_without_a_compiler_the_wheel_is_for_all_platforms_and_works(
    variables: dict[str, str], tmp_path: Path
) -> None:
    build = (sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", tmp_path)
    run(*build, ROOT, cwd=tmp_path, more=variables)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".so")]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    check_evaluation(installed(wheel, tmp_path), elsewhere)


def check_contents(sdist: Path, wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    top = {name.partition("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"groupwise"}
    sources = {
        f"groupwise/{path.relative_to(ROOT).as_posix()}"
        for folder in ("evaluator", "schemas")
        for path in (ROOT / folder).rglob("*.py")
    }
    templates = {
        f"groupwise/{path.relative_to(ROOT).as_posix()}"
        for path in (ROOT / "evaluator").rglob("templates/*")
    }
    assert len(templates) > 4
    assert templates <= set(names)
    faces = {path.relative_to(ROOT).as_posix() for path in (ROOT / "groupwise").glob("*.py")}
    assert sources | faces | {"groupwise/py.typed", "groupwise/metrics.pyi"} <= set(names)
    assert any(name.endswith("/LICENSE") for name in names)
    data = {f"groupwise/examples/{path.name}" for path in RETRIEVERS.iterdir()}
    assert {name for name in names if "/examples/" in name} == data
    assert wheel.stat().st_size < 1_500_000
    tag = wheel.stem.split("-", 2)[2]
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert tag.startswith(f"{python}-{python}-" if COMPILED else "py3-none-any")
    assert tag.endswith(sysconfig.get_platform().replace("-", "_").replace(".", "_")) is COMPILED
    assert COMPILED is any(Path(name).stem.startswith("_compiled.c") for name in names)
    with tarfile.open(sdist) as archive:
        assert {name.split("/")[1] for name in archive.getnames() if "/" in name} >= {
            "evaluator",
            "schemas",
            "groupwise",
            "tests",
            "fixtures",
            "pyproject.toml",
        }


def check_evaluation(python: Path, elsewhere: Path) -> None:
    script = (
        "from groupwise import evaluate; import groupwise; "
        "report = evaluate([[['test-1', 'test-2'], ['test-3']]], "
        "[['test-1', 'pred-1', 'test-2', 'pred-3']]); "
        "print(report.scores['map'], groupwise.__file__)"
    )
    score, path = run(python, "-c", script, cwd=elsewhere).split()
    assert score == "0.41666666666666663"
    assert Path(path).is_relative_to(elsewhere.parent / "venv")
    demo = run(python.with_name("groupwise"), "demo", cwd=elsewhere)
    assert "0.7039" in demo
    assert run(python, "-m", "groupwise", "--version", cwd=elsewhere).strip()
    check_retrievers(python, elsewhere)


def check_retrievers(python: Path, elsewhere: Path) -> None:
    """What demo shows on the data of four retrievers runs without the repository."""
    groupwise = python.with_name("groupwise")
    shown = run(groupwise, "demo", "--retrievers", "demo", cwd=elsewhere)
    script = shown.partition("Now type:\n")[2].replace("$ groupwise", str(groupwise))
    said = run("sh", "-ec", f"{script.replace('$ cd', 'cd').rstrip()} || true", cwd=elsewhere)
    assert "bm25 is better than trigrams" in said
    assert "fusion minus bm25" in said
    assert "unreachable" in said


def test_the_links_of_the_face_lead_to_the_folders() -> None:
    for name in ("evaluator", "schemas"):
        assert (ROOT / "groupwise" / name).resolve() == ROOT / name
    assert (ROOT / "groupwise" / "examples").resolve() == RETRIEVERS


def copy_without_links(folder: Path) -> Path:
    """A copy of the tracked files in which links are files that hold their target.

    This is what ``git -c core.symlinks=false clone`` makes, as on many Windows machines; the copy
    also has what is not committed yet.
    """
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    for name in filter(None, listed.split("\0")):
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_symlink():
            target.write_text(source.readlink().as_posix())
        elif source.exists():
            target.write_bytes(source.read_bytes())
    return folder


def test_a_checkout_without_symbolic_links_can_be_imported(tmp_path: Path) -> None:
    checkout = copy_without_links(tmp_path / "checkout")
    assert (checkout / "groupwise" / "evaluator").is_file()
    demo = run(sys.executable, "-m", "groupwise", "demo", cwd=checkout)
    assert "0.7039" in demo
    run(sys.executable, "-m", "groupwise", "demo", "--retrievers", "demo", cwd=checkout)
    assert (checkout / "demo" / "bm25.jsonl").read_bytes() == (
        RETRIEVERS / "bm25.jsonl"
    ).read_bytes()


@pytest.mark.nightly
def test_a_checkout_without_symbolic_links_can_be_installed(tmp_path: Path) -> None:
    checkout = copy_without_links(tmp_path / "checkout")
    build = (sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", tmp_path)
    run(*build, checkout, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    check_evaluation(installed(wheel, tmp_path), elsewhere)
