"""Updating fixtures: numbers are rewritten, bounds are promises, and the difference is bounded."""

import json
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from groupwise import check_fixture
from groupwise.evaluator.evaluation.fixture import FixtureUpdate
from groupwise.evaluator.reporting.diff import LONGEST, shorten_diff
from tests.cli.conftest import Groupwise, Write

TEXT = """\
{"queries": [
  {"id": "q", "ground_truth": [["a"]], "results": ["x", "a"],
   "expected": {"first_hit" : "<= 1", "mrr": 0.25, "recall": {"value": 0.1,  "tolerance": 0.02},
                "precision": {"tolerance": 0, "value": 0.5}}}],
 "expected": {"recall": ">= 0.9", "mrr": "no_worse", "precision": 0.75, "map": "> 0.5"}}
"""
UPDATED = (
    TEXT.replace('"mrr": 0.25', '"mrr": 0.5')
    .replace('"value": 0.1,', '"value": 1.0,')
    .replace('"precision": 0.75', '"precision": 0.5')
)


def test_numbers_are_rewritten_and_bounds_stay(groupwise: Groupwise, write: Write) -> None:
    name = write("f.json", TEXT)
    done = groupwise("check", "--update", name)
    assert done.code == 1, "a bound that is not met stays, and still fails"
    assert Path(name).read_text("utf-8") == UPDATED
    assert done.out.endswith(
        "failed  f.json: 2 bounds not met, which an update does not change\n"
        "  mean, map: expected > 0.5, found 0.5\n"
        "  query 'q', first_hit: expected <= 1, found 2.0\n"
    )
    done = groupwise("check", "--update", name)
    assert (done.code, Path(name).read_text("utf-8")) == (1, UPDATED)
    assert [each.metric for each in check_fixture(name).differences] == ["map", "first_hit"]


def test_a_dry_run_writes_nothing(groupwise: Groupwise, write: Write) -> None:
    name = write("f.json", TEXT)
    done = groupwise("check", "--update", "--dry-run", name)
    assert (done.code, Path(name).read_text("utf-8")) == (1, TEXT)
    assert '+ "expected": {"recall": ">= 0.9", "mrr": "no_worse", "precision": 0.5' in done.out
    sound = write("g.json", UPDATED.replace("<= 1", "<= 2").replace("> 0.5", ">= 0.5"))
    done = groupwise("check", "--update", "--dry-run", sound)
    assert (done.code, done.out) == (0, "ok      g.json: nothing to update\n")


def test_a_tolerated_value_that_no_longer_exists_becomes_null(write: Write) -> None:
    query = {"id": "q", "ground_truth": [], "answerable": False, "results": ["a"],
             "expected": {"recall": {"value": 1.0, "tolerance": 0.1}}}  # fmt: skip
    other = {"id": "r", "ground_truth": [["a"]], "results": ["a"]}
    name = write("f.json", [query, other])
    check_fixture(name, update=True)
    assert json.loads(Path(name).read_text("utf-8"))[0]["expected"] == {"recall": None}


def test_a_bound_without_a_value_is_exit_3_also_for_an_update(
    groupwise: Groupwise, write: Write
) -> None:
    query = {"id": "q", "ground_truth": [], "answerable": False, "results": ["a"]}
    other = {"id": "r", "ground_truth": [["a"]], "results": ["a"], "expected": {"mrr": 0.5}}
    name = write("f.json", [query | {"expected": {"recall": ">= 0"}}, other])
    done = groupwise("check", "--update", name)
    assert done.code == 3
    assert "query 'q', recall: expected >= 0, but there is no value" in done.out
    assert json.loads(Path(name).read_text("utf-8"))[1]["expected"] == {"mrr": 1.0}


def test_a_file_that_changed_meanwhile_is_not_overwritten(
    groupwise: Groupwise, write: Write
) -> None:
    name = write("f.json", TEXT)
    write_update = FixtureUpdate.write

    def change_first(update: FixtureUpdate) -> None:
        Path(name).write_text("somebody else's work", "utf-8")
        write_update(update)

    with mock.patch.object(FixtureUpdate, "write", change_first):
        done = groupwise("check", "--update", name)
    assert (done.code, Path(name).read_text("utf-8")) == (4, "somebody else's work")
    assert "the file changed meanwhile; nothing was written" in done.err


def many(count: int) -> list[dict[str, Any]]:
    return [
        {"id": f"q{n:05}", "ground_truth": [["a"]], "results": ["x", "a"],
         "expected": {"mrr": 0.25, "recall": ">= 0.5", "first_hit": "no_worse"}}
        for n in range(count)
    ]  # fmt: skip


def test_the_difference_is_bounded_and_says_how_much_more_there_is(
    groupwise: Groupwise, write: Write
) -> None:
    lines = "".join(f"{json.dumps(record)}\n" for record in many(500))
    done = groupwise("check", "--update", write("f.jsonl", lines))
    shown = done.out.splitlines()
    assert (done.code, len(shown)) == (0, 62)
    assert shown[60:] == ["… and 943 more lines of the difference", "updated f.jsonl"]
    old, new = shown[3:5]
    assert (old[0], new[0]) == ("-", "+"), "each new line follows the old one"
    assert new[1:] == old[1:].replace("0.25", "0.5")


def test_a_long_line_is_cut_around_what_changes(groupwise: Groupwise, write: Write) -> None:
    records = many(300)
    for record in records[:-1]:
        record["expected"]["mrr"] = 0.5
    done = groupwise("check", "--update", write("f.json", records))
    assert max(map(len, done.out.splitlines())) <= LONGEST + 3
    assert "0.25" in done.out
    assert "q00299" in done.out


def test_differences_of_other_sizes_keep_their_order() -> None:
    lines = ["@@ -1,2 +1 @@", "-a", "-b", "+c", " d"]
    assert shorten_diff(lines, 9) == lines
    assert shorten_diff(lines, 2) == lines[:2]


@pytest.mark.nightly
def test_many_expectations_are_checked_in_linear_time(write: Write) -> None:
    from time import process_time  # noqa: PLC0415

    def measure(count: int) -> float:
        name = write("f.json", many(count))
        started = process_time()
        check = check_fixture(name, run={record["id"]: ["a"] for record in many(count)})
        assert check.checked == 3 * count
        assert len(str(check).splitlines()) <= 22
        return process_time() - started

    measure(100)
    small, large = measure(5_000), measure(20_000)
    assert large < 8 * small + 1, (small, large)
