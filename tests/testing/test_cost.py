"""What the plugin costs: a large fixture beside ``check`` and pytest's own cost per item."""

import json
import os
import random
import resource
import subprocess
import sys
from pathlib import Path

import pytest

QUERIES = 5000
ITEMS = f"""\
import pytest

class Item(pytest.Item):
    def runtest(self):
        pass

class File(pytest.File):
    def collect(self):
        for number in range({QUERIES + 1}):
            yield Item.from_parent(self, name=f"query[q{{number}}]")

def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".nothing":
        return File.from_parent(parent, path=file_path)
"""
"""As many items, which do nothing."""


def build_query(number: int, draw: random.Random) -> dict[str, object]:
    truth = [[f"d{draw.randrange(5000)}", f"e{draw.randrange(5000)}"] for _ in range(3)]
    results = list(dict.fromkeys(f"d{draw.randrange(5000)}" for _ in range(20)))
    results[0] = truth[0][1]
    expected = {"recall@10": ">= 0.1", "ndcg@10": ">= 0"}
    return {"id": f"q{number}", "ground_truth": truth, "results": results, "expected": expected}


def measure(words: list[str], folder: Path, code: int = 0) -> float:
    """The CPU seconds of a command: other work on the machine does not count."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=folder, capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": os.fspath(folder)},
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == code, done.stdout[-2000:] + done.stderr
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.nightly
@pytest.mark.parametrize("mean", [">= 0.1", ">= 0.9"])
def test_a_large_fixture_costs_little_more_than_check_and_the_items(
    mean: str, tmp_path: Path
) -> None:
    draw = random.Random(1)  # noqa: S311
    queries = [build_query(number, draw) for number in range(QUERIES)]
    fixture = {"metrics": ["recall@10"], "queries": queries, "expected": {"recall@10": mean}}
    (tmp_path / "big.groupwise.json").write_text(json.dumps(fixture), "utf-8")
    (tmp_path / "plain_items.py").write_text(ITEMS, "utf-8")
    (tmp_path / "x.nothing").touch()
    pytest_ = ["pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
    code = int(mean == ">= 0.9")
    check = measure(["groupwise", "check", "big.groupwise.json"], tmp_path, code)
    items = measure([*pytest_, "-p", "plain_items", "x.nothing"], tmp_path)
    plugin = measure([*pytest_, "big.groupwise.json"], tmp_path, code)
    assert plugin < 3 * check + items, (plugin, check, items)
