"""Completion that is installed by one command, in a home of its own, and removed again."""

import os
import stat
from pathlib import Path

import pytest

from groupwise.evaluator.cli.completion import SCRIPTS
from groupwise.evaluator.cli.shell_files import BEGIN, END
from tests.cli.conftest import Groupwise
from tests.cli.terminal import Terminal, check_typing, need, prepare_environment

OWN = "export EDITOR=vi\nalias ll='ls -l'\n"
FILES = {
    "bash": (".local/share/groupwise/completion.bash", ".bashrc"),
    "zsh": (".local/share/groupwise/completion.zsh", ".zshrc"),
    "fish": (".config/fish/completions/groupwise.fish", None),
}
PROFILES = {shell: profile for shell, (_, profile) in FILES.items() if profile}


def list_files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


@pytest.mark.parametrize("shell", FILES)
def test_one_command_installs_and_another_removes(
    shell: str, groupwise: Groupwise, tmp_path: Path
) -> None:
    script, profile = FILES[shell]
    done = groupwise("completion", shell, "--install")
    assert (done.code, done.err) == (0, "")
    assert set(list_files(tmp_path)) == {script, *filter(None, [profile])}
    assert (tmp_path / script).read_text("utf-8") == SCRIPTS[shell]
    assert f"written: {tmp_path / script}\n" in done.out
    done = groupwise("completion", shell, "--uninstall")
    assert (done.code, done.err) == (0, "")
    assert list_files(tmp_path) == ({profile: b""} if profile else {})


@pytest.mark.parametrize("shell", FILES)
def test_twice_is_once(shell: str, groupwise: Groupwise, tmp_path: Path) -> None:
    for name in PROFILES.values():
        (tmp_path / name).write_text(OWN, "utf-8")
    groupwise("completion", shell, "--install")
    first = list_files(tmp_path)
    done = groupwise("completion", shell, "--install")
    assert list_files(tmp_path) == first
    assert "written" not in done.out
    groupwise("completion", shell, "--uninstall")
    assert list_files(tmp_path) == {name: OWN.encode() for name in PROFILES.values()}
    done = groupwise("completion", shell, "--uninstall")
    assert done.code == 0
    assert "not there" in done.out


@pytest.mark.parametrize(("shell", "name"), PROFILES.items())
def test_everything_else_in_the_profile_stays(
    shell: str, name: str, groupwise: Groupwise, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(b"before\xff\n" + BEGIN + b"an old loader\n" + END + b"after, without an end")
    groupwise("completion", shell, "--install")
    content = path.read_bytes()
    assert content.startswith(b"before\xff\n" + BEGIN)
    assert content.endswith(END + b"after, without an end")
    assert b"an old loader" not in content
    groupwise("completion", shell, "--uninstall")
    assert path.read_bytes() == b"before\xff\nafter, without an end"


def test_a_profile_without_a_last_newline_keeps_its_last_line(
    groupwise: Groupwise, tmp_path: Path
) -> None:
    (tmp_path / ".bashrc").write_text("alias a=b", "utf-8")
    groupwise("completion", "bash", "--install")
    assert (tmp_path / ".bashrc").read_bytes().startswith(b"alias a=b\n" + BEGIN)


def test_a_linked_profile_stays_a_link_and_keeps_its_mode(
    groupwise: Groupwise, tmp_path: Path
) -> None:
    real = tmp_path / "dotfiles" / "bashrc"
    real.parent.mkdir()
    real.write_text(OWN, "utf-8")
    real.chmod(0o600)
    (tmp_path / ".bashrc").symlink_to(real)
    assert groupwise("completion", "bash", "--install").code == 0
    assert (tmp_path / ".bashrc").readlink() == real
    assert BEGIN in real.read_bytes()
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert [path.name for path in real.parent.iterdir()] == ["bashrc"]


def test_variables_say_where_files_lie(
    groupwise: Groupwise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "ZDOTDIR"):
        monkeypatch.setenv(name, os.fspath(tmp_path / name))
    for shell in FILES:
        assert groupwise("completion", shell, "--install").code == 0
    assert set(list_files(tmp_path)) == {
        ".bashrc",
        "XDG_CONFIG_HOME/fish/completions/groupwise.fish",
        "XDG_DATA_HOME/groupwise/completion.bash",
        "XDG_DATA_HOME/groupwise/completion.zsh",
        "ZDOTDIR/.zshrc",
    }


def test_a_relative_folder_is_ignored_as_xdg_says(
    groupwise: Groupwise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "elsewhere")
    groupwise("completion", "fish", "--install")
    assert set(list_files(tmp_path)) == {FILES["fish"][0]}


def test_half_of_our_lines_are_refused_and_left_alone(groupwise: Groupwise, tmp_path: Path) -> None:
    (tmp_path / ".bashrc").write_bytes(OWN.encode() + BEGIN + b"alias x=y\n")
    for flag in ("--install", "--uninstall"):
        done = groupwise("completion", "bash", flag)
        assert done.code == 4
        assert "by hand" in done.err
    assert (tmp_path / ".bashrc").read_bytes() == OWN.encode() + BEGIN + b"alias x=y\n"


def test_what_cannot_be_written_is_said(groupwise: Groupwise, tmp_path: Path) -> None:
    (tmp_path / ".bashrc").mkdir()
    done = groupwise("completion", "bash", "--install")
    assert done.code == 4
    assert ".bashrc: this is a folder, not a file" in done.err
    (tmp_path / ".config").write_text("a file", "utf-8")
    done = groupwise("completion", "fish", "--install")
    assert done.code == 4
    assert "groupwise.fish" in done.err


def test_both_at_once_is_a_usage_error(groupwise: Groupwise, tmp_path: Path) -> None:
    done = groupwise("completion", "bash", "--install", "--uninstall")
    assert (done.code, list_files(tmp_path)) == (2, {})
    assert "exclude each other" in done.err


def test_a_new_bash_completes(groupwise: Groupwise, tmp_path: Path) -> None:
    environment = prepare_environment(tmp_path)
    groupwise("completion", "bash", "--install")
    terminal = Terminal([need("bash"), "--noprofile", "-i"], environment, tmp_path)
    terminal.type('PS1="> "; echo rea""dy\n', "ready")
    check_typing(terminal)
