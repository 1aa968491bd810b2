"""How large the project is, beside the figures of budgets.toml, which no change may exceed.

``python -m tests.budgets`` prints both; with ``--lower`` it writes down what has become smaller.
"""

import inspect
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import groupwise
from tests.paths import ROOT

PROSE = re.compile(r'"""(?s:.*?)"""|#.*')
TABLE = ROOT / "tests" / "budgets.toml"
RUN = ["evaluate", "fixtures/examples/running-example.json", "--no-per-query"]
# Class bodies are counted; lambdas, comprehensions and module bodies are not.
TRACER = """
import atexit, sys
codes = set()
def note(frame, event, _):
    if event == "call" and frame.f_code.co_name[0] != "<":
        codes.add(frame.f_code)
def write():
    sys.setprofile(None)
    print(*{f"{code.co_filename}:{code.co_qualname}" for code in codes}, sep="\\n", file=sys.stderr)
atexit.register(write)
sys.setprofile(note)
from groupwise.__main__ import start
start()
"""

Figures = dict[str, dict[str, int]]


def load() -> dict[str, dict[str, Any]]:
    """Return the table of budgets."""
    return tomllib.loads(TABLE.read_text("utf-8"))


def measure() -> Figures:
    """Return the figures of today: what is counted, then by name."""
    rooms = {path.stem: find(path) for path in sorted((ROOT / "evaluator").glob("[a-z]*"))}
    rooms = {name: paths for name, paths in rooms.items() if paths}
    rooms["evaluator"] = evaluator = find(ROOT / "evaluator")
    schemas, checked = find(ROOT / "schemas"), load()["schemas"]["input"]
    return {
        "files": {name: len(paths) for name, paths in rooms.items()},
        "lines": {name: count_lines(paths) for name, paths in rooms.items()}
        | {
            "c": count_lines(find(ROOT / "evaluator", "*.[ch]")),
            "schemas": count_lines(schemas),
            "schemas-input": count_lines(path for path in schemas if path.stem in checked),
            "tests": count_lines(find(ROOT / "tests")),
        },
        "functions": count_functions(evaluator),
        "public": count_public(),
        "run": count_run(),
    }


def find(path: Path, pattern: str = "*.py") -> list[Path]:
    """Return the sources in a folder, or the path itself if it is one."""
    return [path] if path.match(pattern) else list(path.rglob(pattern))


def count_lines(paths: Iterable[Path]) -> int:
    """Return the number of lines, docstrings and blanks included."""
    return sum(len(path.read_bytes().splitlines()) for path in paths)


def count_functions(paths: Iterable[Path]) -> dict[str, int]:
    """Return the number of functions, and of those whose name stands in one other place only."""
    sources = "\n".join(PROSE.sub("", path.read_text("utf-8")) for path in paths)
    names = re.findall(r"\bdef (\w+)", sources)
    places = Counter(re.findall(r"\w+", sources))
    return {"all": len(names), "one-caller": sum(places[name] == 2 for name in names)}


def count_public() -> dict[str, int]:
    """Return the number of public names, and the most parameters of a public function."""
    functions = filter(inspect.isfunction, (getattr(groupwise, name) for name in groupwise.__all__))
    most = max(len(inspect.signature(function).parameters) for function in functions)
    return {"names": len(groupwise.__all__), "parameters": most}


def count_run() -> dict[str, int]:
    """Return how many functions and modules of ours a small evaluation runs, start to exit."""
    done = subprocess.run(
        [sys.executable, "-c", TRACER, *RUN], cwd=ROOT, capture_output=True, text=True, check=True
    )
    ours = re.compile(rf"{re.escape(str(ROOT))}/(?:groupwise|evaluator|schemas)/")
    functions = {line for line in done.stderr.splitlines() if ours.match(line)}
    return {"functions": len(functions), "modules": len({ran.split(":")[0] for ran in functions})}


def compare() -> Iterator[tuple[str, str, int, int]]:
    """Yield each figure of today and what it may be at most: table, name, figure, budget."""
    allowed = load()
    for table, figures in measure().items():
        for name, figure in figures.items():
            yield table, name, figure, allowed[table].get(name, 0)


def main() -> None:
    """Print each figure beside its budget; with --lower, write down the smaller ones."""
    text = TABLE.read_text("utf-8").partition("\n[files]")[0]
    before = ""
    for table, name, figure, budget in compare():
        print(f"{table:10} {name:14} {figure:7,} of {budget:7,} {figure - budget:+8,}")
        text += f"\n[{table}]\n" * (table != before) + f"{name} = {min(figure, budget)}\n"
        before = table
    if "--lower" in sys.argv:
        TABLE.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
