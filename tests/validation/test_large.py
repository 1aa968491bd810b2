"""Large files: places are right, memory is bounded, output is capped. Run with --slow."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

MEASURED = """
import re, sys
from pathlib import Path
from groupwise.evaluator.cli import run
code = run(sys.argv[1:])
# Of its own memory: what getrusage tells includes that of the process that started this one.
print(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1], file=sys.stderr)
sys.exit(code)
"""
MIB = 1024

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="not allowed: needs /proc"),
]


def measured(folder: Path, *words: str) -> tuple[int, str, float]:
    """Exit code, output, and the most memory the process had, in MiB."""
    words = (sys.executable, "-c", MEASURED, "validate", *words)
    env = {**os.environ, "NO_COLOR": "1"}
    done = subprocess.run(words, cwd=folder, capture_output=True, check=False, env=env, text=True)
    return done.returncode, done.stdout, int(done.stderr.splitlines()[-1]) / MIB


def written(path: Path, records: Iterator[dict[str, Any]]) -> Path:
    with path.open("w") as file:
        file.writelines(f"{json.dumps(record)}\n" for record in records)
    return path


def queries(count: int) -> Iterator[dict[str, Any]]:
    """About 450 bytes each."""
    for n in range(count):
        groups = [[f"document-{n:07}-{g}-{a}-of-the-corpus" for a in range(3)] for g in range(3)]
        text = f"question {n}: what is said of the matter in the documents of number {n}?"
        yield {"id": f"query-{n:07}", "query": text, "ground_truth": groups}


def test_the_place_of_a_finding_in_the_last_of_200_000_records(tmp_path: Path) -> None:
    path = written(tmp_path / "qa.jsonl", queries(200_000))
    assert path.stat().st_size > 80_000_000
    code, out, memory = measured(tmp_path, "qa.jsonl", "--format", "json")
    assert (code, json.loads(out)["by_code"]) == (0, {})
    assert memory < 250
    last = '{"id": "last", "ground_truth": [["a"], []]}'
    with path.open("a") as file:
        file.write(f"{last}\n")
    code, out, memory = measured(tmp_path, "qa.jsonl", "--format", "json")
    report = json.loads(out)
    (finding,) = report["findings"]
    assert code == 1
    assert (finding["code"], finding["query"]) == ("GT004", "last")
    assert (finding["line"], finding["column"]) == (200_001, last.index("[]") + 1)
    assert report["statistics"]["queries"] == 200_001
    assert report["statistics"]["groups_per_query"] == {"1": 1, "3": 200_000}
    assert memory < 250


@pytest.mark.parametrize(("form", "count"), [("text", 300_000), ("json", 30_000)])
def test_very_many_bad_records(form: str, count: int, tmp_path: Path) -> None:
    bad = ({"id": f"q{n}", "ground_truth": [[f"a{n}", f"a{n}"], []]} for n in range(count))
    written(tmp_path / "qa.jsonl", bad)
    code, out, memory = measured(tmp_path, "qa.jsonl", "--format", form)
    assert code == 1
    assert memory < 400
    assert len(out) < 3_000_000
    if form == "text":
        assert out.count(": GT004 ") == out.count(": GT007 ") == 20
        assert "… and 299,980 more of GT004" in out
    if form == "json":
        assert json.loads(out)["by_code"] == {"GT004": count, "GT007": count}
