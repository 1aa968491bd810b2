"""One query at a time, against an old commit in the same run."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.acceptance.promise import Promise, at_most
from benchmarks.clock import ratio, spread
from benchmarks.context import Context

OLD = "2512152"
BOUNDS = {"hit_vector": 1 / 6, "recall": 1 / 3, "evaluate": 2 / 5}
CALLS = Path(__file__).with_name("calls.py")
ROOT = CALLS.parent.parent.parent


def promise_single(context: Context, old: Path | None) -> Iterator[Promise]:
    """Yield the time of calls for one query, over that of the old commit."""
    before = find_python(old) if old else build_old(context)
    rounds: list[tuple[dict[str, float], dict[str, float]]] = []
    for number in range(1, context.rounds + 1):
        context.say(f"one query, here and in {OLD}, round {number} of {context.rounds}")
        rounds.append((_time_calls(Path(sys.executable)), _time_calls(before)))
    for name in rounds[0][0]:
        bound = BOUNDS[name.partition(",")[0]]
        here, there = ([pair[number][name] for pair in rounds] for number in range(2))
        medians = " and ".join(f"{spread(times).median:.0f}" for times in (here, there))
        what = f"one query, {name} over {OLD} ({medians} µs)"
        yield at_most(what, ratio(here, there), bound)


def find_python(checkout: Path) -> Path:
    """Return the interpreter of a checkout.

    Raises:
        FileNotFoundError: It has no environment.
    """
    python = checkout.absolute() / ".venv" / "bin" / "python"
    if not python.exists():
        raise FileNotFoundError(f"{checkout} has no .venv/bin/python; run `make .venv/.installed`")
    return python


def build_old(context: Context) -> Path:
    """Install the old commit into a folder of its own, once; return its interpreter."""
    checkout = context.data.absolute() / OLD
    if not (checkout / "complete").exists():
        context.say(f"installing {OLD}")
        checkout.mkdir(parents=True, exist_ok=True)
        archive = ["git", "-C", str(ROOT), "archive", "--format=tar", OLD]
        content = subprocess.run(archive, check=True, stdout=subprocess.PIPE).stdout
        subprocess.run(["tar", "-x", "-C", str(checkout)], input=content, check=True)
        subprocess.run([sys.executable, "-m", "venv", str(checkout / ".venv")], check=True)
        pip = [str(find_python(checkout)), "-m", "pip", "install", "--quiet", "--editable", "."]
        subprocess.run([*pip, *_list_pins()], check=True, cwd=checkout)
        (checkout / "complete").touch()
    return find_python(checkout)


def _list_pins() -> list[str]:
    """Return the versions of the libraries here: both sides shall have the same."""
    words = [sys.executable, "-m", "pip", "freeze", "--exclude-editable"]
    lines = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    wanted = ("numpy==", "pydantic==", "orjson==", "rich==")
    return [line for line in lines if line.startswith(wanted)]


def _time_calls(python: Path) -> dict[str, float]:
    words = [str(python), "-P", str(CALLS)]
    output = subprocess.run(words, check=True, stdout=subprocess.PIPE, cwd=CALLS.parent).stdout
    found: dict[str, float] = json.loads(output)
    return found
