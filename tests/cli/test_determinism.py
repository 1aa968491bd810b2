"""The same data give the same bytes."""

import json
import os
import random
import subprocess
import sys

import pytest

from groupwise.evaluator.reporting.forms import REPORT_FORMS
from tests.cli.conftest import Groupwise, Write

TEXTS = tuple(form for form in REPORT_FORMS.built_in if form != "parquet")
"""What goes to standard output; parquet goes to files, and has such a test beside its own."""
QUERIES = [f"q{number}" for number in range(60)]


def shuffled(write: Write, seed: int) -> tuple[str, str]:
    """Ground truth and run in an order of their own; some queries are in one of them only."""
    chance = random.Random(seed)  # noqa: S311
    groups = {q: [["a", "b"], [f"c{n % 7}"]] for n, q in enumerate(QUERIES) if n % 11}
    results = {q: ["x", "a", f"c{n % 5}", "b"] for n, q in enumerate(QUERIES) if n % 13}
    names = []
    for name, content in (("g", groups), ("r", results)):
        items = list(content.items())
        chance.shuffle(items)
        names.append(write(f"{name}.json", dict(items)))
    return names[0], names[1]


@pytest.mark.parametrize("form", TEXTS)
def test_the_order_of_the_input_does_not_matter(
    groupwise: Groupwise, write: Write, form: str
) -> None:
    words = ("-m", "precision,ndcg,map,first_hit", "-k", "1,3", "--format", form)
    found = {groupwise("evaluate", *shuffled(write, seed), *words) for seed in range(5)}
    assert len(found) == 1


def test_the_seed_of_hashes_does_not_matter(write: Write) -> None:
    code = (
        "import sys; from groupwise.evaluator.cli import run; "
        f"[run(['evaluate', *sys.argv[1:], '--format', form]) for form in {TEXTS}]"
    )
    command = [sys.executable, "-c", code, *shuffled(write, 0)]
    found = {
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, check=True,
                       capture_output=True).stdout
        for seed in ("0", "4242")
    }  # fmt: skip
    assert len(found) == 1


def test_a_shuffled_folder_is_checked_in_the_same_order(groupwise: Groupwise, write: Write) -> None:
    record = {"id": "q", "ground_truth": [["a"]], "results": ["a"], "expected": {"recall": 1}}
    for name in ("tests/c.json", "tests/a.json", "tests/b/d.json"):
        write(name, json.dumps([record]))
    lines = groupwise("check", "tests").out.splitlines()
    assert [line.split()[1] for line in lines[:3]] == [
        "tests/a.json:", "tests/b/d.json:", "tests/c.json:",
    ]  # fmt: skip


def test_the_example_in_a_warning_is_the_same_in_any_order(
    groupwise: Groupwise, write: Write
) -> None:
    found = set()
    for order in (QUERIES, QUERIES[::-1]):
        truth = write("g.json", {query: [[f"gold {query}"]] for query in order})
        run = write("r.json", {query: [f"found {query}"] for query in order})
        found.add(groupwise("evaluate", truth, run, "--format", "json"))
    assert len(found) == 1
    assert "two id spaces" in found.pop().out
