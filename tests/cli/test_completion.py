"""Completion: what could come next, and the tab key in bash."""

import re
from pathlib import Path

import pytest

from groupwise.evaluator.cli.candidates import list_candidates, split_line
from groupwise.evaluator.cli.commands import COMMANDS
from tests.cli.conftest import Groupwise
from tests.cli.terminal import Terminal, check_typing, need, prepare_environment

FILES = [":files"]


def complete(line: str) -> list[str]:
    return [word for word, _ in list_candidates(split_line(f"groupwise {line}"))]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ev", ["evaluate"]),
        ("help exp", ["explain"]),
        ("--v", ["--version"]),
        ("nothing ", []),
        ("evaluate --form", ["--format"]),
        ("evaluate --flat ", ["any", "all"]),
        ("evaluate --ids ", ["text"]),
        ("evaluate --format=js", ["--format=json", "--format=jsonl"]),
        ("evaluate --nothing=js", []),
        ("evaluate --worst ", []),
        ("evaluate --flat any --fla", []),
        ("evaluate --by type --b", ["--baseline", "--by", "--bands"]),
        ("evaluate -- --fla", FILES),
        ("evaluate --match s", ["span"]),
        ("evaluate -m recall,ndc", ["recall,ndcg"]),
        ("evaluate -m trec:ndc", ["trec:ndcg"]),
        ("explain --worst-by complet", ["complete", "completion_rank"]),
        ("evaluate --baseline ", FILES),
        ("evaluate tru", FILES),
        ("evaluate truth.jsonl ", FILES),
        ("evaluate --curve --prof", ["--profile"]),
        ("convert in out more", []),
        ("rule GT00", [f"GT00{n}" for n in range(1, 10)]),
        ("metrics hit_", ["hit_rate"]),
        ("validate --select GT004,GT005,GT00", [f"GT004,GT005,GT00{n}" for n in range(1, 10)]),
        ("completion z", ["zsh"]),
        ("check 'my fi", FILES),
        ('check "', FILES),
    ],
)  # fmt: skip
def test_what_could_come_next(line: str, expected: list[str]) -> None:
    assert sorted(complete(line)) == sorted(expected)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_every_command_is_offered(name: str, groupwise: Groupwise) -> None:
    page = groupwise(name, "--help").out
    flags = {*re.findall(r"(?<![\w-])--[a-z][a-z-]+", page.partition("example:")[0])}
    own = {flag for flag in flags if re.search(rf"^ +(-\w.*)?{flag}\b", page, re.MULTILINE)}
    assert own
    assert own <= {*complete(f"{name} --")}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_is_printed(shell: str, groupwise: Groupwise) -> None:
    done = groupwise("completion", shell)
    assert (done.code, done.err) == (0, "")
    assert "--complete" in done.out


def test_other_shells_are_refused(groupwise: Groupwise) -> None:
    done = groupwise("completion", "bahs")
    assert done.code == 2
    assert "did you mean 'bash'?" in done.err
    assert groupwise("completion").code == 2


def test_nonsense_is_answered_with_nothing(groupwise: Groupwise) -> None:
    for words in (
        ["zsh"],
        ["zsh", "nothing", ""],
        ["bash", ":", "groupwise 'a\"b"],
        ["bash", "", ""],
    ):
        done = groupwise("completion", "--complete", *words)
        assert (done.code, done.err) == (0, ""), words
    assert groupwise("completion", "--complete").code == 2


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return prepare_environment(tmp_path)


def test_the_tab_key_in_bash(environment: dict[str, str], tmp_path: Path) -> None:
    terminal = Terminal([need("bash"), "--norc", "--noprofile", "-i"], environment, tmp_path)
    terminal.type('PS1="> "; eval "$(groupwise completion bash)"; echo rea""dy\n', "ready")
    check_typing(terminal)
