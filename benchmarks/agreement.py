"""Before any timing: do the engines agree where they should?

It runs as a process of its own, `python -m benchmarks.agreement FILE`, and prints what was
compared; the first difference ends it.
"""

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from benchmarks.context import Context
from benchmarks.engines import MissingPeerError, load
from benchmarks.measures import NAMES
from benchmarks.store import Store
from benchmarks.worker import objects
from benchmarks.workloads import Results, Truths

TOLERANCE = 1e-9
_SAMPLE = 300


class Checked(NamedTuple):
    """How many numbers were compared with a peer's, over how many queries."""

    peer: str
    numbers: int
    queries: int


def measure_agreement(store: Store, context: Context) -> None:
    """Compare on the first queries of the second workload."""
    store.keep("checked", lambda: check_agreement(context.lines(context.workloads[1])))


def check_agreement(path: Path) -> list[Checked]:
    """Run the comparison; differences are printed to stderr and raise an error."""
    command = [sys.executable, "-m", "benchmarks.agreement", str(path)]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return [Checked(*row) for row in json.loads(output)]


def check(truths: Truths, results: Results) -> list[Checked]:
    """Compare groupwise, query by query, with AutoRAG and with the tutorial functions.

    AutoRAG's definitions are ours, so every number is compared. The tutorial functions know no
    groups: where a query has one relevant document there is nothing to dissolve and all numbers
    are compared; elsewhere precision only. Both only down to the length of the rankings.
    """
    single = {query: groups[:1] for query, groups in truths.items() if len(groups[0]) == 1}
    depth = min(map(len, results.values()))
    shallow = [name for name in NAMES if int(name.partition("@")[2]) <= depth]
    precisions = [name for name in shallow if name.startswith("precision")]
    return [
        _compare("autorag", truths, results, NAMES),
        _compare("tutorial", single, results, shallow),
        _compare("tutorial", truths, results, precisions),
    ]


def main() -> None:
    """Compare on the first queries of a file."""
    try:
        rows = check(*objects(Path(sys.argv[1]), _SAMPLE))
    except MissingPeerError as missing:
        print(f"not compared: {missing}", file=sys.stderr)
        rows = []
    print(json.dumps(rows))


def _compare(peer: str, truths: Truths, results: Results, names: list[str]) -> Checked:
    ours, theirs = load("groupwise"), load(peer)
    for query, groups in truths.items():
        alone = {query: groups}, {query: results[query]}
        here, there = (each.evaluate(each.build(*alone)) for each in (ours, theirs))
        _agree(query, {name: (here[name], there[name]) for name in names}, peer)
    return Checked(peer, len(names), len(truths))


def _agree(query: str, pairs: dict[str, tuple[float, float]], peer: str) -> None:
    for name, (here, there) in pairs.items():
        if not math.isclose(here, there, rel_tol=0, abs_tol=TOLERANCE):
            sys.exit(f"{query}: {name} is {here} here and {there} in {peer}")


if __name__ == "__main__":
    main()
