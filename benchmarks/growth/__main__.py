"""`python -m benchmarks.growth [--only ROW] [--rounds N] [--write PAGE] [--check]`."""

import sys
from pathlib import Path

from benchmarks.growth.growth import measure
from benchmarks.growth.page import growth_table, page, verdict
from benchmarks.growth.rows import ROWS
from benchmarks.options import parser_of


def main() -> int:
    """Measure, print the table, write the page if asked, judge it if asked."""
    parser = parser_of("growth", __doc__)
    parser.set_defaults(rounds=3)
    parser.add_argument("--only", nargs="+", choices=ROWS, metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("--write", type=Path, metavar="PAGE", help="where to write the page")
    parser.add_argument("--check", action="store_true", help="exit 1 if a row grows too fast")
    options = parser.parse_args()
    found = []
    for name in options.only or ROWS:
        found.append(measure(ROWS[name], options.rounds))
        small, large = (f"{run.seconds:.2f} s" for run in found[-1][1:])
        print(f"{name}: {small}, {large} {verdict(found[-1])}", file=sys.stderr, flush=True)
    print(growth_table(found))
    if options.write:
        options.write.write_text(page(found, options.rounds), encoding="utf-8")
    return 1 if options.check and not all(growth.is_bounded for growth in found) else 0


if __name__ == "__main__":
    sys.exit(main())
