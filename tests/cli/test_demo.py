import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from groupwise.evaluator.cli.retrievers import FILES
from tests.cli.conftest import GROUND_TRUTH, RESULTS, SIX, Groupwise, Write
from tests.cli.shell import COMMAND
from tests.paths import RETRIEVERS

OPTIONS: dict[str, Any] = {"capture_output": True, "text": True}


def test_the_demo_fits_on_one_screen(groupwise: Groupwise) -> None:
    done = groupwise("demo")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80


def test_the_demo_tells_the_running_example(groupwise: Groupwise) -> None:
    text = groupwise("demo").out
    words = [line.split() for line in text.splitlines()]
    assert "(test-1 or test-2) and (test-3)" in text
    assert ["hit", "vector", "1", "0", "1", "0"] in words
    for name, value in SIX.items():
        assert [name, f"{value:.4f}"] in [line[:2] for line in words]


def test_the_fixture_is_a_test_that_passes(groupwise: Groupwise, write: Write) -> None:
    text = groupwise("demo", "--fixture").out
    fixture = json.loads(text)
    assert fixture["queries"][0]["ground_truth"] == GROUND_TRUTH
    assert fixture["queries"][0]["results"] == RESULTS
    assert fixture["expected"] == SIX
    assert groupwise("check", write("first.json", text)).code == 0


def test_the_data_of_retrievers_is_that_of_the_repository(
    groupwise: Groupwise, tmp_path: Path
) -> None:
    folder = tmp_path / "my demo"
    done = groupwise("demo", "--retrievers", str(folder))
    assert (done.code, done.err) == (0, "")
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    assert sorted(path.name for path in RETRIEVERS.iterdir()) == sorted(FILES)
    for name in FILES:
        assert (folder / name).read_bytes() == (RETRIEVERS / name).read_bytes()
    assert groupwise("demo", "--retrievers", str(folder)) == done


def test_the_commands_that_it_shows_run_in_the_folder(groupwise: Groupwise, tmp_path: Path) -> None:
    folder = tmp_path / "my demo"
    shown = groupwise("demo", "--retrievers", str(folder)).out.partition("Now type:\n")[2]
    script = shown.replace("$ groupwise", " ".join(COMMAND)).replace("$ cd", "cd")
    *others, gates = script.rstrip().splitlines(keepends=True)
    done = subprocess.run(["sh", "-ec", "".join(others)], check=False, **OPTIONS)
    assert (done.returncode, done.stderr) == (0, "")
    assert "fusion minus bm25" in done.stdout
    failed = subprocess.run(["sh", "-c", gates], cwd=folder, check=False, **OPTIONS)
    assert failed.returncode == 1
    assert "gate recall@10 >= 0.9 failed" in failed.stderr


@pytest.mark.parametrize(
    ("folder", "message"),
    [
        ("nowhere/demo", "there is no folder"),
        ("taken", "File exists"),
        ("mine", "the folder has another README.md; choose a new folder"),
    ],
)
def test_nothing_is_overwritten(
    groupwise: Groupwise, write: Write, tmp_path: Path, folder: str, message: str
) -> None:
    write("taken", "text")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "README.md").write_text("my notes")
    done = groupwise("demo", "--retrievers", str(tmp_path / folder))
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert not (tmp_path / "mine" / "bm25.jsonl").exists()
    assert (tmp_path / "mine" / "README.md").read_text() == "my notes"
