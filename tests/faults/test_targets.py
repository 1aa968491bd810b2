"""Targets that are no regular file: a folder, a pipe, a full device; and a full standard output."""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from groupwise.evaluator.reading.temporary import PATTERN
from tests.cli.shell import COMMAND, names_in
from tests.faults.writers import WRITERS, Writer

FULL = Path("/dev/full")
TO_A_FILE = {
    name: writer for name, writer in WRITERS.items() if not writer.is_edit and not writer.is_folder
}
TO_STDOUT = (
    "evaluate truth.jsonl run.jsonl",
    "evaluate truth.jsonl run.jsonl --format json",
    "compare truth.jsonl run.jsonl other.jsonl",
    "explain truth.jsonl run.jsonl",
    "validate truth.jsonl",
    "check x.groupwise.json",
    "convert -q truth.jsonl /dev/stdout --to jsonl",
    "remap truth.jsonl --old corpus.jsonl --new corpus.jsonl",
    "suggest truth.jsonl --run run.jsonl",
    "fingerprint truth.jsonl --corpus corpus.jsonl",
    "inspect truth.jsonl",
    "metrics",
    "rule GT004",
    "demo",
    "completion bash",
    "--help",
)


@pytest.fixture(params=TO_A_FILE)
def writer(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Writer:
    monkeypatch.chdir(tmp_path)
    found = TO_A_FILE[request.param]
    found.prepare(tmp_path, old=False)
    return found


def test_a_folder_is_refused_and_left_alone(
    writer: Writer, capfd: pytest.CaptureFixture[str]
) -> None:
    Path(writer.name).mkdir()
    before = names_in()
    assert writer.run() in (2, 4)
    errors = [line for line in capfd.readouterr().err.splitlines() if line.startswith("error:")]
    assert len(errors) == 1
    assert "folder" in errors[0]
    assert (names_in(), names_in(writer.name)) == (before, [])


def test_a_pipe_gets_all_of_it(writer: Writer) -> None:
    """A file whose name ends in .gz is compressed; a pipe of that name gets the same bytes."""
    assert writer.run() in (0, 1)
    expected = Path(writer.name).read_bytes()
    Path(writer.name).unlink()
    os.mkfifo(writer.name)
    with ThreadPoolExecutor(1) as pool:
        received = pool.submit(Path(writer.name).read_bytes)
        assert writer.run() in (0, 1)
        assert received.result(timeout=60) == expected
    assert not any(map(PATTERN.fullmatch, names_in()))


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
def test_a_full_device_is_an_error(writer: Writer, capfd: pytest.CaptureFixture[str]) -> None:
    Path(writer.name).symlink_to(FULL)
    assert writer.run() == 4
    errors = [line for line in capfd.readouterr().err.splitlines() if line.startswith("error:")]
    assert errors == [f"error: {writer.name}: cannot be written: No space left on device"]
    assert not any(map(PATTERN.fullmatch, names_in()))


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", TO_STDOUT)
def test_a_full_standard_output_is_an_error(words: str, tmp_path: Path) -> None:
    WRITERS["evaluate -o"].prepare(tmp_path, old=False)
    with FULL.open("wb") as full:
        done = subprocess.run(
            [*COMMAND, *words.split()], stdout=full, stderr=subprocess.PIPE, cwd=tmp_path,
            text=True, check=False,
        )  # fmt: skip
    errors = [line for line in done.stderr.splitlines() if line.startswith("error:")]
    assert (done.returncode, len(errors)) == (4, 1), done.stderr
    assert errors[0].endswith("cannot be written: No space left on device")
