"""`python -m benchmarks.bad_records [--rounds N] [--bad N] [--depth N] [--share N …] [KIND …]`.

What bad records cost. Files in which every record, or every tenth, has one kind of problem, beside
the same files without any, with N bad records and with four times as many. The figures are
processor time per bad record beyond that of a good one, in microseconds: averaged over 4N, and over
those that 4N has beyond N, when all problems that are described have been found.
"""

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.options import parser_of
from benchmarks.workloads import Workload
from groupwise import InputError, evaluate, validate

DEPTH = 10
SHARES = (1, 10)
Record = dict[str, Any]
Way = Callable[[Path], object]


def _change_truth(change: Callable[[list[Any]], Any]) -> Callable[[Record], str]:
    def write(record: Record) -> str:
        return json.dumps({**record, "ground_truth": change(record["ground_truth"])})

    return write


def _change_results(change: Callable[[list[Any]], Any]) -> Callable[[Record], str]:
    def write(record: Record) -> str:
        return json.dumps({**record, "results": change(record["results"])})

    return write


def _drop(field: str) -> Callable[[Record], str]:
    return lambda record: json.dumps({key: record[key] for key in record if key != field})


KINDS: dict[str, Callable[[Record], str]] = {
    "empty group": _change_truth(lambda groups: [*groups, []]),
    "no groups": _change_truth(lambda _groups: []),
    "blank id": _change_truth(lambda groups: [*groups, ["", "a"]]),
    "null id": _change_truth(lambda groups: [*groups, [None]]),
    "float id": _change_truth(lambda groups: [*groups, [1.5]]),
    "flat list": _change_truth(lambda groups: groups[0]),
    "string group": _change_truth(lambda groups: [*groups, "a"]),
    "mixed kinds": _change_truth(lambda groups: [*groups, [7, 8]]),
    "numbers": _change_truth(lambda groups: [[7, 8]]),
    "object": _change_truth(lambda _groups: {"a": "b"}),
    "object of lists": _change_truth(lambda groups: {"a": groups[0]}),
    "number": _change_truth(lambda _groups: 3),
    "bool id": _change_truth(lambda groups: [*groups, [True]]),
    "bool group": _change_truth(lambda groups: [*groups, True]),
    "group in a list": _change_truth(lambda groups: [groups]),
    "id in a list": _change_truth(lambda groups: [*groups, [["a"]]]),
    "unknown key of a group": _change_truth(lambda groups: [*groups, {"a": "high"}]),
    "alternative without id": _change_truth(lambda groups: [*groups, [{"doc": "a"}]]),
    "control character": _change_truth(lambda groups: [*groups, ["a\x1b"]]),
    "space": _change_truth(lambda groups: [*groups, ["a "]]),
    "repeated alternative": _change_truth(lambda groups: [*groups, ["a", "a"]]),
    "identical groups": _change_truth(lambda groups: [*groups, groups[0]]),
    "null result": _change_results(lambda ids: [*ids, None]),
    "blank result": _change_results(lambda ids: [*ids, " "]),
    "float result": _change_results(lambda ids: [*ids, 0.5]),
    "mixed results": _change_results(lambda ids: [*ids[:-1], 7]),
    "number of results": _change_results(lambda _ids: 5),
    "object of results": _change_results(lambda ids: {"ids": ids}),
    "results in a list": _change_results(lambda ids: [ids]),
    "result in a list": _change_results(lambda ids: [*ids, ["a"]]),
    "result without id": _change_results(lambda ids: [*ids, {"doc": "a"}]),
    "text as score": _change_results(lambda ids: [*ids, {"id": "a", "score": "0.5"}]),
    "texts as scores": lambda record: json.dumps({**record, "scores": ["0.5"] * DEPTH}),
    "too few scores": lambda record: json.dumps({**record, "scores": [0.5]}),
    "repeated result": _change_results(lambda ids: [*ids, ids[0]]),
    "results missing": _drop("results"),
    "ground truth missing": _drop("ground_truth"),
    "id missing": _drop("id"),
    "blank query id": lambda record: json.dumps({**record, "id": " "}),
    "query id in a list": lambda record: json.dumps({**record, "id": [record["id"]]}),
    "null query id": lambda record: json.dumps({**record, "id": None}),
    "repeated query id": lambda record: json.dumps({**record, "id": "same"}),
    "number as query": lambda record: json.dumps({**record, "query": 7}),
    "unknown key": lambda record: json.dumps({**record, "ground_thruth": []}),
    "unlike key": lambda record: json.dumps({**record, "xyz": 1}),
    "repeated key": lambda record: f'{json.dumps(record)[:-1]}, "id": "{record["id"]}"}}',
    "repeated key, id": lambda record: json.dumps(record)[:-1] + ', "id": "again"}',
    "malformed": lambda record: json.dumps(record)[:-1],
    "trailing comma": lambda record: json.dumps(record)[:-1] + ",}",
    "NaN": lambda record: json.dumps({**record, "scores": [float("nan")] * DEPTH}),
    "string": lambda _record: '"query"',
}  # fmt: skip


def main() -> int:
    """Measure and print."""
    parser = parser_of("bad_records", __doc__)
    parser.add_argument("--bad", type=int, default=2000, metavar="N", help="default: 2000")
    parser.add_argument("--depth", type=int, default=DEPTH, metavar="N", help="default: 10")
    parser.add_argument(
        "--share", type=int, nargs="+", default=SHARES, metavar="N", help="default: 1 10"
    )
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="default: all")
    options = parser.parse_args()
    kinds = options.kinds or list(KINDS)
    heads = [f"{way.__name__} 1/{share}" for way in WAYS for share in options.share]
    print(f"{'us: of 4N, beyond N   ':22}", *(f"{head:>17}" for head in heads))
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            files = Files(Path(folder), kind, options.bad, options.depth)
            found = _measure(files, options.share, options.rounds)
            print(f"{kind:22}", *(f"{whole:8.1f} {more:8.1f}" for whole, more in found), flush=True)
    return 0


class Files(NamedTuple):
    """Files in a folder with so many bad records of a kind, and with four times as many."""

    folder: Path
    kind: str
    bad: int
    depth: int = DEPTH

    def write(self, share: int) -> list[Path]:
        """Write files of which one of ``share`` records is bad: few, good and bad, then many."""
        numbers = self.bad * share, 4 * self.bad * share
        return [self._write(number, each, share) for number in numbers for each in (0, 1)]

    def _write(self, queries: int, bad: int, share: int) -> Path:
        path = self.folder / f"{queries}x{self.depth}-{'bad' if bad else 'good'}.jsonl"
        if not bad and path.exists():
            return path
        with path.open("w") as file:
            for number, record in enumerate(Workload(queries, self.depth).records()):
                is_bad = bad and number % share == share - 1
                line = KINDS[self.kind](dict(record)) if is_bad else json.dumps(record)
                file.write(f"{line}\n")
        return path


def _measure(files: Files, shares: Sequence[int], rounds: int) -> list[tuple[float, float]]:
    """Return, per way and share, the cost of a bad record in 4N, and of those beyond N."""
    found = []
    for way in WAYS:
        for share in shares:
            spans = _time_all(way, files.write(share), rounds)
            few_good, few_bad, many_good, many_bad = (
                statistics.median(times) for times in zip(*spans, strict=True)
            )
            whole = (many_bad - many_good) / (4 * files.bad)
            beyond = (many_bad - few_bad - many_good + few_good) / (3 * files.bad)
            found.append((whole * 1e6, beyond * 1e6))
    return found


def measure_further(way: Way, files: Files, share: int, rounds: int) -> list[float]:
    """Return, per round, the microseconds of each bad record of 4N beyond N.

    Only one of ``share`` records is bad; what the others take is deducted.
    """
    return [
        (many_bad - few_bad - many_good + few_good) / (3 * files.bad) * 1e6
        for few_good, few_bad, many_good, many_bad in _time_all(way, files.write(share), rounds)
    ]


def _time_all(way: Way, files: list[Path], rounds: int) -> list[list[float]]:
    """Return the seconds of each round: few records, good and bad, then four times as many."""
    return [[_time(way, file) for file in files] for _ in range(rounds)]


def _time(way: Way, path: Path) -> float:
    start = time.process_time()
    way(path)
    return time.process_time() - start


def check(path: Path) -> None:
    """Validate a file."""
    validate(path)


def score(path: Path) -> None:
    """Evaluate a file, as far as it can be."""
    with suppress(InputError):
        evaluate(path, k=10)


WAYS = (check, score)

if __name__ == "__main__":
    sys.exit(main())
