"""``--plugin``, and plugins of installed packages, on the command line."""

import os
from pathlib import Path

import pytest

from groupwise.evaluator.cli.commands import COMMANDS
from tests.cli.conftest import Groupwise, Write
from tests.cli.shell import spawn
from tests.plugins.test_loading import PLUGIN, install

TAKING = sorted(set(COMMANDS) - {"completion", "demo"})


@pytest.mark.parametrize("command", TAKING)
def test_a_command_that_can_use_plugins_takes_them(groupwise: Groupwise, command: str) -> None:
    assert "--plugin MODULE" in groupwise(command, "--help").out
    done = groupwise(command, "--plugin", "no_such_plugin", "file")
    assert done.code == 2
    assert done.err == (
        "error: plugin 'no_such_plugin' cannot be loaded: "
        "ModuleNotFoundError: No module named 'no_such_plugin'\n"
    )


def test_a_metric_is_used_wherever_the_option_stands(write: Write, fixture: str) -> None:
    write("mine.py", PLUGIN)
    for words in (
        ["-m", "groups_missed", "--plugin", "mine.py"],
        ["--plugin=mine", "-m", "groups_missed"],
        ["--gate", "groups_missed <= 1", "--plugin", "./mine.py"],
    ):
        done = spawn("evaluate", fixture, "--format", "json", *words)
        assert (done.code, '"groups_missed":1.0' in done.out) == (0, True), done.err


def test_a_plugin_without_a_name_is_a_usage_error(groupwise: Groupwise, fixture: str) -> None:
    done = groupwise("evaluate", fixture, "--plugin")
    assert (done.code, done.out) == (2, "")
    assert "argument --plugin: expected one argument" in done.err


def install_beside(folder: Path, text: str = PLUGIN) -> dict[str, str]:
    """Install a plugin; return an environment that has it."""
    folder.mkdir()
    install(folder, text=text)
    return {"PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}


def test_a_listing_shows_what_is_installed(tmp_path: Path, fixture: str) -> None:
    assert "groups_missed" not in spawn("metrics").out
    environment = install_beside(tmp_path / "packages")
    listed = spawn("metrics", env=environment)
    assert "  groups_missed" in listed.out
    assert "Number of groups that no result meets." in listed.out
    page = spawn("metrics", "groups_missed", env=environment)
    assert page.out.startswith("groups_missed  in every profile\n")
    scored = spawn("evaluate", fixture, "-m", "groups_missed", env=environment)
    assert (scored.code, "groups_missed" in scored.out) == (0, True)


def test_a_broken_installed_plugin_is_one_error(tmp_path: Path, fixture: str) -> None:
    environment = install_beside(tmp_path / "packages", "import nowhere")
    done = spawn("metrics", env=environment)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("error: the plugin 'missing' of missing-groups 1.2 cannot be loaded")
    assert spawn("evaluate", fixture, env=environment).code == 0


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return 1 / 0", "failing.py:4: the metric 'fails': ZeroDivisionError: division by zero\n"),
        ("return 1", "error: the metric 'fails' must return one number per query: "),
    ],
)
def test_a_plugin_that_fails_at_work_is_told_from_a_bug(
    write: Write, fixture: str, body: str, said: str
) -> None:
    write("failing.py", f"from groupwise import metric\n@metric\ndef fails(hits):\n    {body}\n")
    done = spawn("evaluate", fixture, "-m", "fails", "--plugin", "failing.py")
    assert (done.code, done.out) == (3, "")
    assert said in done.err
    assert "bug in groupwise" not in done.err
    assert "Traceback" not in done.err
    debug = spawn("evaluate", fixture, "-m", "fails", "--plugin", "failing.py",
                  env={"GROUPWISE_DEBUG": "1"})  # fmt: skip
    assert ("Traceback" in debug.err) == ("ZeroDivision" in said)
