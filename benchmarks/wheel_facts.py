"""`python -m benchmarks.wheel_facts [--rounds N] [--write PAGE]`: sizes of wheels, and starts.

The wheels are built from this folder and installed into an empty environment, which takes the
dependencies from the one that runs this.
"""

import os
import subprocess
import sys
import sysconfig
import tempfile
import venv
import zipfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.clock import Spread, spread
from benchmarks.machine import describe_machine, versions
from benchmarks.options import parser_of
from benchmarks.processes import command
from benchmarks.tables import table

ROOT = Path(__file__).parent.parent
BARE = "bare Python"
STARTS = {
    BARE: ("-c", "pass"),
    "`import numpy, pydantic, orjson`": ("-c", "import numpy, pydantic, orjson"),
    "`import groupwise`": ("-c", "import groupwise"),
    "`from groupwise import evaluate`": ("-c", "from groupwise import evaluate"),
    "`groupwise --version`": ("-m", "groupwise", "--version"),
    "`groupwise demo`": ("-m", "groupwise", "demo"),
}
PAGE = """\
<!-- Written by benchmarks/wheel_facts.py; run `make wheel-facts` to update it. -->

# What a wheel weighs, and how it starts

{machine}. {versions}

## Size

{sizes}

Nothing is downloaded at run time. The compiled part of a wheel has no information for debuggers,
so that the sources build the same bytes in every folder; `tests/packaging/test_wheel.py` compares
them.

## Start

Processor time of a whole process, the median of {rounds} rounds in turn, with the lowest and the
highest, from the compiled wheel in an empty environment. Byte code is there from a first run.

{starts}
"""


def build(folder: Path, *options: str, **variables: str) -> Path:
    """Build into an empty folder; return the file."""
    words = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), *options]
    environment = os.environ | variables
    subprocess.run([*words, ROOT], check=True, stdout=subprocess.DEVNULL, env=environment)
    (built,) = folder.iterdir()
    return built


def install(wheel: Path, folder: Path) -> str:
    """Install the wheel into a new environment; return its Python."""
    venv.create(folder, with_pip=True, symlinks=os.name != "nt")
    paths = sysconfig.get_paths(vars={"base": str(folder), "platbase": str(folder)})
    python = str(Path(paths["scripts"]) / "python")
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    subprocess.run([*pip, "--no-deps", "--no-index", wheel], check=True)
    dependencies = f"{sysconfig.get_path('purelib')}\n"
    (Path(paths["purelib"]) / "dependencies.pth").write_text(dependencies, encoding="utf-8")
    return python


def measure_starts(python: str, rounds: int) -> dict[str, Spread]:
    """Start everything in turn, and sum up the milliseconds of each."""
    runs = [
        {name: command("-I", *words, python=python).span.cpu for name, words in STARTS.items()}
        for _ in range(rounds + 1)
    ][1:]
    return {name: spread([run[name] * 1e3 for run in runs]) for name in STARTS}


def size_row(name: str, path: Path) -> list[str]:
    """Return the size of a file, and of a wheel what it unpacks to."""
    size = f"{path.stat().st_size / 1e6:.2f} MB"
    if path.suffix != ".whl":
        return [name, size, "", ""]
    files = zipfile.ZipFile(path).infolist()
    unpacked = sum(file.file_size for file in files)
    return [name, size, f"{len(files)}", f"{unpacked / 1e6:.1f} MB"]


def start_rows(starts: Mapping[str, Spread]) -> list[list[str]]:
    """Return the table of starts, and what each adds to bare Python."""
    bare = starts[BARE].median
    return [
        [
            name, f"{start.median:.0f} ms", f"{start.low:.0f} to {start.high:.0f}",
            "" if name == BARE else f"{start.median - bare:.0f} ms",
        ]
        for name, start in starts.items()
    ]  # fmt: skip


def write_page(sizes: list[list[str]], starts: Mapping[str, Spread], rounds: int) -> str:
    """Return the page."""
    return PAGE.format(
        machine=describe_machine(), versions=versions(), rounds=rounds,
        sizes=table(["file", "size", "files", "unpacked"], sizes),
        starts=table(["process", "processor time", "range", "above bare"], start_rows(starts)),
    )  # fmt: skip


def main() -> None:
    """Build, install, measure; print the page, or write it."""
    parser = parser_of("wheel_facts", __doc__)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="where to write the page")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compiled = build(folder / "compiled", "--wheel")
        pure = build(folder / "pure", "--wheel", GROUPWISE_PURE="1")
        sources = build(folder / "sources", "--sdist")
        kinds = {"wheel, compiled": compiled, "wheel, pure": pure, "sources": sources}
        sizes = [size_row(kind, path) for kind, path in kinds.items()]
        starts = measure_starts(install(compiled, folder / "venv"), options.rounds)
    page = write_page(sizes, starts, options.rounds)
    if options.write:
        options.write.write_text(page, encoding="utf-8")
    else:
        print(page)


if __name__ == "__main__":
    main()
