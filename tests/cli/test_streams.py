"""Colour, terminals and encodings."""

import os
import pty
import subprocess
import time
from pathlib import Path

import pytest

from groupwise.evaluator.cli import progress, streams
from tests.cli.conftest import Groupwise, Write
from tests.cli.shell import COMMAND, spawn

PLAIN = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}


def on_a_terminal(*words: str, **env: str) -> str:
    """What a person sees on a terminal of 80 columns."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, *words], stdout=theirs, stderr=theirs, env={**PLAIN, "TERM": "xterm", **env}
    ) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 1 << 16)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        process.wait()
    os.close(ours)
    return shown.decode()


@pytest.fixture
def two_id_spaces(write: Write) -> tuple[str, str]:
    return write("g.json", {"q1": [["a"]]}), write("r.json", {"q1": ["b"]})


@pytest.mark.parametrize("words", [("demo",), ("metrics",), ("metrics", "map"), ("--help",)])
def test_no_colour_into_a_pipe(words: tuple[str, ...]) -> None:
    done = spawn(*words)
    assert "\x1b" not in done.out + done.err


def test_colour_on_a_terminal(two_id_spaces: tuple[str, str]) -> None:
    shown = on_a_terminal("evaluate", *two_id_spaces)
    assert "\x1b[1;31mwarning: no result of any query" in shown
    assert "\x1b[" in on_a_terminal("demo")


def test_no_color_is_respected(two_id_spaces: tuple[str, str]) -> None:
    assert "\x1b" not in on_a_terminal("evaluate", *two_id_spaces, NO_COLOR="1")
    assert "\x1b" not in on_a_terminal("demo", TERM="dumb")


def test_an_empty_no_color_counts_as_unset() -> None:
    assert "\x1b[" in on_a_terminal("demo", NO_COLOR="")


def test_force_color_works_in_a_pipe_and_no_color_wins(
    groupwise: Groupwise, fixture: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "0")
    assert "\x1b" not in groupwise("evaluate", fixture).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in groupwise("evaluate", fixture).out
    assert "\x1b[" in groupwise("evaluate", "missing.json").err
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in groupwise("evaluate", fixture).out


def test_data_are_never_coloured(
    groupwise: Groupwise, fixture: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    for form in ("json", "jsonl", "csv", "markdown"):
        assert "\x1b" not in groupwise("evaluate", fixture, "--format", form).out


def test_tables_fit_a_narrow_terminal(fixture: str) -> None:
    words = ("evaluate", fixture, "-k", "1,2,3,4,5,6,7,8,9,10,20,50,100")
    for columns in ("40", "60"):
        shown = on_a_terminal(*words, COLUMNS=columns, NO_COLOR="1")
        assert max(len(line.rstrip("\r")) for line in shown.split("\n")) <= int(columns)
        assert "0.4167" in shown


def test_other_encodings_get_ascii_forms(fixture: str) -> None:
    env = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    for words in (("evaluate", fixture), ("metrics",), ("metrics", "ndcg"), ("demo",)):
        done = spawn(*words, env=env)
        assert (done.code, done.err) == (0, "")
        assert done.out.isascii()
        assert "\\u" not in done.out


def test_json_is_utf_8_whatever_the_encoding_of_the_terminal(write: Write) -> None:
    name = write("f.json", '[{"id": "ä", "ground_truth": [["a"]], "results": ["a"]}]')
    done = spawn("evaluate", name, "--format", "json", env={"PYTHONIOENCODING": "latin-1"})
    assert '"ä"' in done.out


def test_output_to_a_file_is_plain(groupwise: Groupwise, fixture: str,
                                   monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setenv("FORCE_COLOR", "1")
    groupwise("evaluate", fixture, "-o", "out.txt")
    assert "\x1b" not in Path("out.txt").read_text(encoding="utf-8")


def test_progress_is_silent_where_nobody_watches() -> None:
    with progress.progress() as tell:
        assert tell is None


def test_progress_appears_after_a_while_and_goes_away(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(streams, "is_terminal", lambda _: True)
    with progress.progress() as tell:
        assert tell is not None
        tell(4096)
        assert capsys.readouterr().err == ""
        monkeypatch.setattr(progress, "PATIENCE", 0)
        monkeypatch.setattr(progress, "PAUSE", 0)
        tell(8192)
        time.sleep(0.2)
    assert "8,192 queries" in capsys.readouterr().err
