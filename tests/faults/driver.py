"""Runs a writer again and again, each time with another fault, and prints what came of it.

`python -m tests.faults.driver CASE FOLDER` prints JSON: the undisturbed run, then one with an error
at each step of writing, then one that is killed at each step. Every run is a child of this process,
in a new folder. Steps are counted where the operating system is called: creating the new file,
giving it mode and owner, each write, flushing, closing, renaming.
"""

import errno
import io
import json
import os
import shutil
import signal
import sys
from base64 import b64encode
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from groupwise.evaluator.reading.temporary import PATTERN
from tests.faults.writers import WRITERS, Writer

ERRORS = {
    "open": (errno.EACCES, errno.EROFS, errno.ENOSPC),
    "chown": (errno.EROFS,),
    "chmod": (errno.EPERM,),
    "write": (errno.ENOSPC, errno.EIO),
    "fsync": (errno.EIO, errno.ENOSPC),
    "close": (errno.EDQUOT,),
    "replace": (errno.EROFS, errno.ENOSPC),
}
"""How each step may fail."""


class Steps:
    """Counts the steps of writing; at the one that is chosen, something happens."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.chosen: int | None = None
        self.happen: Callable[[], None] = lambda: None

    def take(self, name: str) -> None:
        """Take the next step."""
        self.names.append(name)
        if len(self.names) - 1 == self.chosen:
            self.happen()


class WatchedFile(io.FileIO):
    """A file whose writes and end are steps."""

    steps: Steps

    def write(self, data: Any) -> int:
        self.steps.take("write")
        return super().write(data)

    def close(self) -> None:
        """Close the file; an error comes after it, as it does in the system."""
        was_closed = self.closed
        super().close()
        if not was_closed:
            self.steps.take("close")


def watch(steps: Steps) -> None:
    """Make every step of writing pass by the counter."""
    open_, fdopen = os.open, os.fdopen
    mine: set[int] = set()

    def open_watched(path: Any, flags: int, *rest: Any, **more: Any) -> int:
        if not PATTERN.fullmatch(Path(path).name):
            return open_(path, flags, *rest, **more)
        steps.take("open")
        descriptor = open_(path, flags, *rest, **more)
        mine.add(descriptor)
        return descriptor

    def fdopen_watched(descriptor: int, *rest: Any, **more: Any) -> Any:
        if descriptor not in mine:
            return fdopen(descriptor, *rest, **more)
        mine.discard(descriptor)
        WatchedFile.steps = steps
        return io.BufferedWriter(WatchedFile(descriptor, "wb"))

    vars(os).update(open=open_watched, fdopen=fdopen_watched)
    for name in ("fsync", "replace", "chmod", "chown"):
        setattr(os, name, _watched(steps, name))


def _watched(steps: Steps, name: str) -> Callable[..., Any]:
    original = getattr(os, name)

    def step(*rest: Any, **more: Any) -> Any:
        steps.take(name)
        return original(*rest, **more)

    return step


def fail_with(number: int) -> Callable[[], None]:
    """Return what raises an error of the system."""

    def fail() -> None:
        raise OSError(number, os.strerror(number))

    return fail


def kill() -> None:
    """End this process as kill -9 does."""
    os.kill(os.getpid(), signal.SIGKILL)


class Bench:
    """The folder that a case runs in."""

    def __init__(self, writer: Writer, folder: Path) -> None:
        self.writer = writer
        self.folder = folder

    def prepare(self, *, old: bool) -> None:
        """Make the folder anew."""
        shutil.rmtree(self.folder / "room", ignore_errors=True)
        (self.folder / "room").mkdir()
        self.writer.prepare(self.folder / "room", old=old)

    def run(self, step: int | None = None, happen: Callable[[], None] = kill) -> dict[str, Any]:
        """Run the case in a child; something happens at the step."""
        process = os.fork()
        if not process:
            self._work(step, happen)
        _, status = os.waitpid(process, 0)
        notes = self.folder / "notes"
        return {
            "code": os.waitstatus_to_exitcode(status),
            "err": (self.folder / "err").read_text(errors="replace"),
            "notes": json.loads(notes.read_text()) if notes.exists() else {},
            "files": self.list_files(),
        }

    def _work(self, step: int | None, happen: Callable[[], None]) -> None:
        """Run the case; this does not return."""
        (self.folder / "notes").unlink(missing_ok=True)
        os.chdir(self.folder / "room")
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(self.folder / name, os.O_CREAT | os.O_WRONLY | os.O_TRUNC), number)
        steps = Steps()
        steps.chosen, steps.happen = step, happen
        watch(steps)
        code = 99
        try:
            code = self.writer.run()
        finally:
            notes = {"steps": steps.names, "modules": sorted(sys.modules), "called": _called()}
            (self.folder / "notes").write_text(json.dumps(notes))
            sys.stderr.flush()
            os._exit(code)

    def list_files(self) -> dict[str, str]:
        """Return the files of the room with their content, as text."""
        room = self.folder / "room"
        paths = (path for path in sorted(room.rglob("*")) if path.is_file())
        return {
            path.relative_to(room).as_posix(): b64encode(path.read_bytes()).decode()
            for path in paths
            if "__pycache__" not in path.parts
        }


def _called() -> list[str]:
    from tests.faults.seam import CALLED  # noqa: PLC0415

    return sorted(CALLED)


def main() -> None:
    """Print what came of each run."""
    from tests.faults import seam  # noqa: PLC0415

    bench = Bench(WRITERS[sys.argv[1]], Path(sys.argv[2]))
    seam.watch_calls()
    bench.prepare(old=False)
    first = bench.run()
    # Children import less if this process has what they need; it computes nothing itself.
    for module in first["notes"].get("modules", ()):
        if module.startswith(("groupwise", "numpy", "pydantic", "pyarrow", "orjson", "rich")):
            _import(module)
    runs = [_try_all(bench, old=old) for old in bench.writer.old_files()]
    print(json.dumps({"called": first["notes"].get("called"), "runs": runs}))


def _import(name: str) -> None:
    try:
        import_module(name)
    except ImportError:
        return


def _try_all(bench: Bench, *, old: bool) -> dict[str, Any]:
    bench.prepare(old=old)
    before = bench.list_files()
    whole = bench.run()
    steps = whole["notes"].pop("steps", [])
    faults = [_fail(bench, place, old=old) for place in _list_faults(steps, bench.writer)]
    killed = [_kill(bench, place, old=old) for place in enumerate(steps)]
    if killed:  # the last of them that left a file behind
        number = max((n for n, each in enumerate(killed) if each["left"]), default=0)
        killed[number] |= {"again": _kill(bench, (number, steps[number]), old=old, again=True)}
    return {"before": before, "whole": whole, "steps": steps, "faults": faults, "killed": killed}


def _list_faults(steps: list[str], writer: Writer) -> list[tuple[int, str, int]]:
    """Return the steps to fail at, and how; one way each, unless the case is thorough."""
    return [
        (number, name, error)
        for number, name in enumerate(steps)
        for error in ERRORS[name][: None if writer.is_thorough else 1]
    ]


def _fail(bench: Bench, place: tuple[int, str, int], *, old: bool) -> dict[str, Any]:
    number, name, error = place
    bench.prepare(old=old)
    return {"step": f"{number} {name} {errno.errorcode[error]}"} | bench.run(
        number, fail_with(error)
    )


def _kill(
    bench: Bench, place: tuple[int, str], *, old: bool, again: bool = False
) -> dict[str, Any]:
    """Kill the process at a step; ``again``: return what the next one does."""
    number, name = place
    bench.prepare(old=old)
    ended = {"step": f"{number} {name}"} | bench.run(number, kill)
    left = [path for path in ended["files"] if PATTERN.fullmatch(Path(path).name)]
    return bench.run() if again else {**ended, "left": left}


if __name__ == "__main__":
    main()
