import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from groupwise.evaluator.cli import demo as demo_command
from groupwise.evaluator.cli import run
from tests.cli.conftest import RUNNING, Groupwise, Write


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["evalute"],
        ["--nonsense"],
        ["evaluate"],
        ["evaluate", "a", "b", "c"],
        ["evaluate", "-", "-"],
        ["evaluate", "first.json", "-k", "0"],
        ["evaluate", "first.json", "-k", "1,x"],
        ["evaluate", "first.json", "-k", "-1"],
        ["evaluate", "first.json", "-m", "nonsense"],
        ["evaluate", "first.json", "-m", "recall@0"],
        ["evaluate", "first.json", "-m", "recall,,map"],
        ["evaluate", "first.json", "-m", ""],
        ["evaluate", "first.json", "--profile", "nonsense"],
        ["evaluate", "first.json", "--format", "yaml"],
        ["evaluate", "first.json", "--missing", "maybe"],
        ["evaluate", "first.json", "--ids", "number"],
        ["evaluate", "first.json", "--unknown"],
        ["evaluate", "first.json", "-o", "nowhere/report.json"],
        ["evaluate", "first.json", "-o", "."],
        ["check"],
        ["check", "-"],
        ["metrics", "nonsense"],
        ["metrics", "--profile", "nonsense"],
        ["demo", "superfluous"],
        ["help", "nonsense"],
    ],
)
def test_2_for_an_invalid_command_line(
    groupwise: Groupwise, fixture: str, words: list[str]
) -> None:
    done = groupwise(*words)
    assert (done.code, done.out) == (2, "")
    assert done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("command", ["evaluate", "check"])
@pytest.mark.parametrize(
    "content",
    ["", " \n", "{", "[]", "null", "\x00\x01\x02", '{"q": 1}', '{"id": "q", "id": "q"}',
     '[{"id": "q", "ground_truth": [["a"]], "results": ["a"], "expected": {"recall": NaN}}]',
     '{"queries": [], "expected": {"recall": 1}}'],
)  # fmt: skip
def test_3_for_invalid_input(
    groupwise: Groupwise, write: Write, command: str, content: str
) -> None:
    done = groupwise(command, write("bad.json", content))
    assert done.code == 3
    assert done.err.startswith("error: ")
    assert "Traceback" not in done.err


@pytest.mark.parametrize("command", ["evaluate", "check"])
def test_3_for_files_that_are_not_there(groupwise: Groupwise, command: str) -> None:
    done = groupwise(command, "missing.json")
    assert (done.code, done.err) == (3, "error: missing.json: no such file\n")


def test_3_for_a_folder_where_a_file_belongs(groupwise: Groupwise) -> None:
    done = groupwise("evaluate", ".")
    assert done.code == 3
    assert "folder" in done.err


@pytest.mark.parametrize("command", ["evaluate", "check"])
def test_3_for_an_unknown_metric_in_a_file(
    groupwise: Groupwise, write: Write, command: str
) -> None:
    done = groupwise(command, write("f.json", {**RUNNING, "metrics": ["recal"]}))
    assert done.code == 3
    assert "f.json: no metric 'recal' in the profile autorag; did you mean 'recall'?" in done.err


def test_2_suggests_the_nearest(groupwise: Groupwise, fixture: str) -> None:
    assert "did you mean 'evaluate'?" in groupwise("evalaute").err
    assert "did you mean 'skip'?" in groupwise("evaluate", fixture, "--missing", "skipp").err
    assert "did you mean 'recall'?" in groupwise("metrics", "recal").err


def test_4_for_a_bug_is_one_line_and_what_to_do(
    groupwise: Groupwise, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo_command, "_build_screen", lambda: os.environ["GONE"])
    done = groupwise("demo")
    assert (done.code, done.out) == (4, "")
    assert "a bug in groupwise: KeyError: 'GONE'" in done.err
    assert "Traceback" not in done.err
    assert "GROUPWISE_DEBUG=1" in done.err
    monkeypatch.setenv("GROUPWISE_DEBUG", "1")
    assert "Traceback" in groupwise("demo").err


def test_130_where_the_clean_up_of_a_library_fails_after_an_interruption(
    groupwise: Groupwise, monkeypatch: pytest.MonkeyPatch
) -> None:
    """argparse, for one, restores an attribute that it had not set yet."""

    def fail() -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            os.environ["GONE"]

    monkeypatch.setattr(demo_command, "_build_screen", fail)
    assert groupwise("demo") == (130, "", "interrupted\n")


def test_130_where_a_library_panics_after_an_interruption(
    groupwise: Groupwise, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pydantic 2.9 does so, with an exception that is no Exception and knows of no other."""

    class PanicException(BaseException):
        """As libraries in Rust raise it."""

    def fail() -> None:
        with suppress(BaseException):
            signal.raise_signal(signal.SIGINT)
        raise PanicException("the schema cannot be built") from None

    monkeypatch.setattr(demo_command, "_build_screen", fail)
    assert groupwise("demo") == (130, "", "interrupted\n")


def test_4_for_a_panic_of_a_library(groupwise: Groupwise, monkeypatch: pytest.MonkeyPatch) -> None:
    class PanicException(BaseException):
        """As libraries in Rust raise it."""

    def fail() -> None:
        raise PanicException("the schema cannot be built")

    monkeypatch.setattr(demo_command, "_build_screen", fail)
    done = groupwise("demo")
    assert (done.code, done.out) == (4, "")
    assert "a bug in groupwise: PanicException: the schema cannot be built" in done.err


def test_run_leaves_the_handlers_of_signals_as_they_were(groupwise: Groupwise) -> None:
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    groupwise("demo")
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before


def test_run_works_in_a_thread(capsys: pytest.CaptureFixture[str]) -> None:
    with ThreadPoolExecutor() as threads:
        assert threads.submit(run, ["--version"]).result() == 0
    assert capsys.readouterr().out.startswith("groupwise ")
