"""`python -m benchmarks`: measure groupwise beside its peers, and write the page about it."""

import argparse
import importlib
import sys
from pathlib import Path

from benchmarks.context import Context
from benchmarks.machine import Setting, describe_setting
from benchmarks.sections import SECTIONS
from benchmarks.store import RESULTS, Store

ROOT = Path(__file__).parent.parent
DATA = ROOT / "build" / "benchmarks"
LIMIT = 60.0


def main() -> int:
    """Measure the chosen sections, then write the page and the charts from all results."""
    options = _options()
    if not options.render:
        _measure(options)
    # Only now: what draws charts is large, and the memory of processes is measured from here.
    importlib.import_module("benchmarks.render").write_pages(options.results, options.docs)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    add = parser.add_argument
    names = ", ".join(SECTIONS)
    add("--full", action="store_true", help="large data, growth and the million queries, too")
    add("--only", nargs="+", choices=SECTIONS, metavar="SECTION", help=f"of {names}")
    add("--resume", action="store_true", help="keep what an interrupted run has measured")
    add("--render", action="store_true", help="measure nothing, only write the page")
    add("--quick", action="store_true", help="small data, to try the run itself")
    add("--rounds", type=int, default=7, metavar="N", help="default: 7")
    add("--limit", type=float, default=LIMIT, metavar="SECONDS", help="for one answer; default: 60")
    add("--data", type=Path, default=DATA, metavar="FOLDER", help="default: build/benchmarks")
    add("--results", type=Path, default=RESULTS, metavar="FOLDER", help="where results are kept")
    add("--docs", type=Path, default=ROOT / "docs", metavar="FOLDER", help="where the page goes")
    return parser.parse_args()


def _measure(options: argparse.Namespace) -> None:
    context = Context(
        options.data, options.rounds, options.limit, options.full, options.quick, _say
    )
    setting = describe_setting()
    for name in options.only or [name for name in SECTIONS if _is_wanted(name, options)]:
        SECTIONS[name].measure(_open(name, setting, options), context)


def _is_wanted(name: str, options: argparse.Namespace) -> bool:
    return options.full or options.quick or not SECTIONS[name].is_long


def _open(name: str, setting: Setting, options: argparse.Namespace) -> Store:
    path = options.results / f"{name}.json"
    return Store.open(path, setting, options.rounds, resume=options.resume)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
