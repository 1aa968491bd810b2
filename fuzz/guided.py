"""One target with inputs that follow its branches: `python -m fuzz guided TARGET [OPTION …]`.

Needs atheris, libFuzzer for Python, which `make fuzz-guided` installs. Options are libFuzzer's:
`-max_total_time=60`, `-runs=100000`, a folder for the inputs that reach new branches, or a file to
try again.
"""

import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fuzz.targets.target import Target

ROOMS = ("groupwise.evaluator", "groupwise.schemas")
MOST = ("-timeout=5", "-rss_limit_mb=2048", "-max_len=20000")


def main(arguments: list[str]) -> int:
    """Instrument groupwise, then let libFuzzer call the target; it ends the process."""
    try:
        import atheris  # type: ignore[import-untyped]  # noqa: PLC0415  (optional)
    except ImportError:
        print("this needs atheris: pip install atheris", file=sys.stderr)
        return 2
    with atheris.instrument_imports(include=list(ROOMS)):
        from fuzz.targets import list_targets  # noqa: PLC0415  (instrumented)
        from fuzz.targets.target import Room  # noqa: PLC0415
    name, *options = arguments or [""]
    with tempfile.TemporaryDirectory() as folder:
        targets = list_targets(Room(Path(folder, "room")))
        if name not in targets:
            print(f"expected one of: {', '.join(targets)}", file=sys.stderr)
            return 2
        is_placed = any(not option.startswith("-") for option in options)
        places = [] if is_placed else [_write_seeds(targets[name], Path(folder, "seeds"))]
        atheris.Setup([f"fuzz {name}", *MOST, *options, *places], _guard(targets[name]))
        atheris.Fuzz()
    return 0


def _write_seeds(target: "Target", folder: Path) -> str:
    folder.mkdir()
    for number, data in enumerate(sorted({*target.seeds()})):
        (folder / str(number)).write_bytes(data)
    return str(folder)


def _guard(target: "Target") -> Callable[[bytes], None]:
    """Return the target without its refusals: whatever else it raises, libFuzzer reports."""

    def call(data: bytes) -> None:
        with suppress(*target.refusals):
            target.call(data)

    return call
