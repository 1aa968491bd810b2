"""`python -m benchmarks.validation [--rounds N]`: validating a large data set beside parsing it.

200,000 queries, the last of which has an empty group. Each round runs `orjson.loads` over
the lines, `validate()` from Python, and the whole command. Times are processor times.
"""

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.clock import Spread, ratio, spread
from benchmarks.options import parser_of
from benchmarks.processes import Usage, command, measure_process
from benchmarks.workloads import ids, truth

QUERIES = 200_000
WORDS = (
    "which", "document", "of", "the", "system", "answers", "a", "question", "about", "overlapping",
    "evidence", "and", "when",
)  # fmt: skip


def main() -> int:
    """Measure and print."""
    options = parser_of("validation", __doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = _write_data(Path(folder))
        print(f"{QUERIES:,} queries, {path.stat().st_size / 1e6:.0f} MB")
        print(f"found: {_find_problem(path)}")
        _compare(path, options.rounds)
    return 0


def _write_data(folder: Path) -> Path:
    path = folder / "queries.jsonl"
    with path.open("w") as file:
        file.writelines(f"{line}\n" for line in _lines())
    return path


def _lines() -> Iterator[str]:
    draw = random.Random("validation")
    for number in range(QUERIES):
        text = f"{' '.join(draw.choices(WORDS, k=24)).capitalize()} {number}?"
        groups = [*truth(draw), []] if number == QUERIES - 1 else truth(draw)
        record = {"id": f"query-{number}", "query": text, "ground_truth": groups}
        yield json.dumps({**record, "metadata": {"source": ids(draw, 1)[0]}}, separators=(",", ":"))


def _find_problem(path: Path) -> str:
    """The one finding, as the command prints it."""
    words = [sys.executable, "-m", "groupwise", "validate", path.name, "--format", "jsonl"]
    output = subprocess.run(words, cwd=path.parent, stdout=subprocess.PIPE, check=False).stdout
    finding = json.loads(output.splitlines()[0])
    return f"{finding['code']} in line {finding['line']}, column {finding['column']}"


def _compare(path: Path, rounds: int) -> None:
    usage: dict[str, list[Usage]] = {"lines": [], "validate": [], "command": []}
    for _ in range(rounds):
        usage["lines"].append(measure_process("lines", path))
        usage["validate"].append(measure_process("validate", path))
        usage["command"].append(command("-m", "groupwise", "validate", str(path), good=(1,)))
    times = {way: [used.span.cpu for used in found] for way, found in usage.items()}
    print(f"orjson.loads over the lines takes {spread(times['lines']).median:.2f} s")
    for way, name in (("validate", "validate() from Python"), ("command", "the whole command")):
        peak = max(used.megabytes for used in usage[way])
        print(f"  {name}: {_text(ratio(times[way], times['lines']))} of that, {peak:.0f} MB")


def _text(found: Spread) -> str:
    return f"{found.median:.2f}x ({found.low:.2f} to {found.high:.2f})"


if __name__ == "__main__":
    sys.exit(main())
