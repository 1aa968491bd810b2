"""`python -m benchmarks.comparison [--quick] [--rounds N] [--write PAGE] [--check]`."""

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.clock import Span
from benchmarks.comparison.data import Size
from benchmarks.comparison.page import DUELS, QUICK, Duel, judge, page
from benchmarks.options import parser_of
from benchmarks.processes import Usage


def main() -> int:
    """Measure, print the page, write it if asked, judge it if asked."""
    parser = parser_of("comparison", __doc__)
    parser.set_defaults(rounds=3)
    parser.add_argument("--quick", action="store_true", help="small data, to try the run itself")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="where to write the page")
    parser.add_argument("--check", action="store_true", help="exit 1 if it is too slow")
    options = parser.parse_args()
    measured: dict[tuple[str, Size], list[Usage]] = {}
    for number in range(options.rounds):
        for way, size in _list_ways(DUELS):
            used = _measure(way, QUICK if options.quick else size)
            measured.setdefault((way, size), []).append(used)
            print(f"round {number + 1}, {way}, {size}: {used}", file=sys.stderr, flush=True)
    text = page(measured, options.rounds)
    print(text)
    if options.write:
        options.write.write_text(text, encoding="utf-8")
    short = [*judge(measured)] if options.check else []
    print(*short, sep="\n", file=sys.stderr)
    return 1 if short else 0


def _list_ways(duels: tuple[Duel, ...]) -> list[tuple[str, Size]]:
    ways = [(way, duel.size) for duel in duels for way in (duel.ours, duel.theirs) if way]
    return [*dict.fromkeys(ways)]


def _measure(way: str, size: Size) -> Usage:
    command = [sys.executable, "-m", "benchmarks.comparison.once", way, *map(str, size[:])]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    cpu, wall, peak = json.loads(output)
    return Usage(Span(cpu, wall), peak)


if __name__ == "__main__":
    sys.exit(main())
