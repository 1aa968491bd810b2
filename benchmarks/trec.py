"""`python -m benchmarks.trec [--rounds N]`: qrels and a run of TREC, from the files to the numbers.

Each round runs groupwise, and pytrec_eval and ir_measures with their own parsers, in processes that
have everything imported. All give the same numbers.
"""

import sys
import tempfile
from pathlib import Path

from benchmarks.clock import ratio, spread
from benchmarks.options import parser_of
from benchmarks.processes import Usage, measure_process
from benchmarks.workloads import Record, Workload

WORKLOAD = Workload(10_000, 100)
ENGINES = ("trec", "trec-pytrec_eval", "trec-ir_measures")


def main() -> int:
    """Measure and print."""
    options = parser_of("trec", __doc__).parse_args()
    found: dict[str, list[Usage]] = {name: [] for name in ENGINES}
    with tempfile.TemporaryDirectory() as folder:
        run = _write_data(Path(folder))
        for number in range(1, options.rounds + 1):
            print(f"round {number} of {options.rounds}", file=sys.stderr, flush=True)
            for name in ENGINES:
                found[name].append(measure_process(name, run))
    for name in ENGINES:
        print(_format_usage(name, found))
    return 0


def _write_data(folder: Path) -> Path:
    """The run; the qrels lie beside it."""
    run = folder / "all.run"
    with run.open("w") as results, run.with_suffix(".qrels").open("w") as judgements:
        for record in WORKLOAD.records():
            results.writelines(_run_lines(record))
            judgements.writelines(_judgement_lines(record))
    return run


def _run_lines(record: Record) -> list[str]:
    count = len(record["results"])
    return [
        f"{record['id']} Q0 {document} {rank} {count - rank + 0.5} benchmark\n"
        for rank, document in enumerate(record["results"], 1)
    ]


def _judgement_lines(record: Record) -> list[str]:
    relevant = dict.fromkeys(document for group in record["ground_truth"] for document in group)
    return [
        f"{record['id']} 0 {document} {1 + place % 2}\n" for place, document in enumerate(relevant)
    ]


def _format_usage(name: str, found: dict[str, list[Usage]]) -> str:
    own, ours = ([used.span.wall for used in found[each]] for each in (name, ENGINES[0]))
    times = ratio(own, ours)
    beside = f"{times.median:.2f}x ({times.low:.2f} to {times.high:.2f})"
    peak = max(used.megabytes for used in found[name])
    return f"{name}: {spread(own).median:.2f} s wall, {beside}; {peak:.0f} MB"


if __name__ == "__main__":
    sys.exit(main())
