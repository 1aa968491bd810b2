"""Where a shell finds the script that completes commands: installing it, and removing it again.

Every shell gets the script as a file of its own. fish loads it by itself; the files that bash and
zsh read when they start get a few lines that load it, between two marks.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from groupwise.evaluator.errors import OutputError
from groupwise.evaluator.reading.writing import describe_write_error, replace_content, write_whole

BEGIN, END = b"# >>> groupwise completion >>>\n", b"# <<< groupwise completion <<<\n"
SCRIPT = "${XDG_DATA_HOME:-$HOME/.local/share}/groupwise/completion."
LOADERS = {
    "bash": f'if [ -r "{SCRIPT}bash" ]; then\n    . "{SCRIPT}bash"\nfi\n',
    "zsh": f'if [ -r "{SCRIPT}zsh" ]; then\n'
    "    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n"
    f'    . "{SCRIPT}zsh"\nfi\n',
}
"""What bash and zsh are told; they find the file by the same rules as this module."""


@dataclass(frozen=True, slots=True)
class ShellFiles:
    """The files of one shell.

    Attributes:
        script: The file that completes commands.
        profile: The file that the shell reads when it starts, if it must be told of the script.
        loader: What it is told.
    """

    script: Path
    profile: Path | None = None
    loader: bytes = b""

    def install(self, text: str) -> Iterator[str]:
        """Write the script and the lines that load it; yield a line about each file."""
        yield _describe(self.script, changed=_write(self.script, text.encode()))
        if self.profile is not None:
            old = _read(self.profile)
            before, after = _cut_block(old or b"", self.profile)
            gap = b"" if not before or before.endswith(b"\n") else b"\n"
            new = b"".join([before, gap, BEGIN, self.loader, END, after])
            yield _describe(self.profile, changed=_write(self.profile, new))

    def uninstall(self) -> Iterator[str]:
        """Remove the lines and the script; yield a line about each file."""
        if self.profile is not None and (old := _read(self.profile)) is not None:
            new = b"".join(_cut_block(old, self.profile))
            yield _describe(self.profile, changed=_write(self.profile, new))
        yield f"removed: {self.script}" if _remove(self.script) else f"not there: {self.script}"


def find_files(shell: str) -> ShellFiles:
    """Return where a shell looks for completions: by the rules of XDG, and ``ZDOTDIR`` for zsh.

    Raises:
        OutputError: There is no home folder.
    """
    home = _find_home()
    if shell == "fish":
        folder = _find_folder("XDG_CONFIG_HOME", home / ".config") / "fish" / "completions"
        return ShellFiles(folder / "groupwise.fish")
    data = _find_folder("XDG_DATA_HOME", home / ".local" / "share")
    profiles = {"bash": home / ".bashrc", "zsh": _find_folder("ZDOTDIR", home) / ".zshrc"}
    script = data / "groupwise" / f"completion.{shell}"
    return ShellFiles(script, profiles[shell], LOADERS[shell].encode())


def _find_home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        message = "there is no home folder to install into; set HOME"
        raise OutputError(message) from None


def _find_folder(variable: str, default: Path) -> Path:
    """Return the folder that a variable names; a relative one is ignored, as XDG says."""
    folder = Path(os.environ.get(variable, ""))
    return folder if folder.is_absolute() else default


def _cut_block(content: bytes, path: Path) -> tuple[bytes, bytes]:
    """Return what stands before our lines and behind them; all of it and nothing without them."""
    before, begin, rest = content.partition(BEGIN)
    _, end, after = rest.partition(END)
    if begin and not end:
        marks = f"{BEGIN.decode().strip()!r} without {END.decode().strip()!r} after it"
        raise OutputError(f"{path}: found {marks}; remove these lines by hand; nothing was written")
    return before, after


def _read(path: Path) -> bytes | None:
    """Return the content of a file, or None if there is none; pipes and devices have none."""
    try:
        return path.read_bytes() if path.is_file() else None
    except FileNotFoundError:
        return None
    except OSError as error:
        raise OutputError(f"{path}: cannot be read: {error.strerror}") from error


def _write(path: Path, content: bytes) -> bool:
    """Write a file and the folders it lies in, unless it is the same; return whether it was."""
    old = _read(path)
    if old == content:
        return False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{path}: {describe_write_error(error, path)}") from error
    if old is None:
        write_whole(path, content)
    else:
        replace_content(path, content, old)
    return True


def _remove(path: Path) -> bool:
    """Remove a file; return whether there was one."""
    try:
        path.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise OutputError(f"{path}: cannot be removed: {error.strerror}") from error
    return True


def _describe(path: Path, *, changed: bool) -> str:
    return f"{'written' if changed else 'already so'}: {path}"
