"""``--jobs``: the same output; signals and killed processes end all of it, and leave nothing."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Groupwise, Write
from tests.cli.shell import names_in
from tests.jobs import pretend_processes

SLOW_WORK = """
import os, sys, time
from groupwise.evaluator.evaluation import parallel
parallel.LEAST_BYTES = parallel.MOST_BYTES = 2000
def work(self, part):
    os.write(2, b"%d\\n" % os.getpid())
    time.sleep(60)
parallel.Work.__call__ = work
from groupwise.evaluator.cli import run
sys.exit(run(sys.argv[1:]))
"""
RECORDS = [
    {"id": f"q{number}", "ground_truth": [["a"], [f"d{number}"]], "results": ["x", "a"]}
    for number in range(100)
]


@pytest.fixture
def lines(write: Write) -> str:
    return write("both.jsonl", "".join(f"{json.dumps(record)}\n" for record in RECORDS))


def start(lines: str) -> "subprocess.Popen[str]":
    words = ["evaluate", lines, "--jobs", "2", "-o", "report.json"]
    return subprocess.Popen(
        [sys.executable, "-c", SLOW_WORK, *words], stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip


def await_workers(process: Any) -> list[int]:
    """Return the numbers of the processes that work."""
    return [int(process.stderr.readline()) for _ in range(2)]


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def assert_ended(workers: list[int]) -> None:
    deadline = time.monotonic() + 30
    while any(map(is_running, workers)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(map(is_running, workers))


@pytest.mark.parametrize(
    ("number", "code", "said"),
    [(signal.SIGINT, 130, "interrupted\n"), (signal.SIGTERM, 143, "terminated\n")],
)
@pytest.mark.parametrize("whole_group", [True, False], ids=["terminal", "process"])
def test_a_signal_ends_all_processes(
    lines: str, number: int, code: int, said: str, whole_group: bool
) -> None:
    with start(lines) as process:
        workers = await_workers(process)
        if whole_group and number == signal.SIGINT:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        assert process.stderr is not None
        assert process.stderr.read() == said
        assert process.wait() == code
    assert_ended(workers)
    assert names_in() == ["both.jsonl"]


def test_a_killed_worker_is_an_error(lines: str) -> None:
    with start(lines) as process:
        workers = await_workers(process)
        os.kill(workers[0], signal.SIGKILL)
        assert process.stderr is not None
        said = process.stderr.read()
        assert process.wait() == 4
    assert said == (
        "error: a worker process was killed; if memory ran out, fewer jobs need less of it\n"
    )
    assert_ended(workers)
    assert names_in() == ["both.jsonl"]


def test_workers_end_with_a_killed_caller(lines: str) -> None:
    with start(lines) as process:
        workers = await_workers(process)
        process.kill()
    assert_ended(workers)


@pytest.mark.parametrize("form", ["json", "markdown", "csv"])
def test_the_output_is_the_same(groupwise: Groupwise, lines: str, form: str) -> None:
    expected = groupwise("evaluate", lines, "--format", form)
    with pretend_processes(2000) as used:
        assert groupwise("evaluate", lines, "--format", form, "--jobs", "3") == expected
    assert used.parts > 2


@pytest.mark.parametrize("number", ["0", "-1", "two", "1.5", "257", "99999999999999999999", "٣"])
def test_jobs_are_a_number_from_1_on(groupwise: Groupwise, lines: str, number: str) -> None:
    done = groupwise("evaluate", lines, "--jobs", number)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: argument --jobs: expected a whole number from 1 to 256, got")


def test_problems_in_a_later_part_are_those_of_one_job(groupwise: Groupwise, lines: str) -> None:
    text = Path(lines).read_text().splitlines()
    text[70] = '{"id": "q70", "ground_truth": [["a"]], "results": ["", 3]}'
    text[90] = text[10]
    Path(lines).write_text("\n".join(text))
    expected = groupwise("evaluate", lines)
    assert expected.code == 3
    assert "both.jsonl:71:" in expected.err
    assert "both.jsonl:91:" in expected.err
    with pretend_processes(2000):
        assert groupwise("evaluate", lines, "--jobs", "2") == expected


OWN = """
from groupwise import metric

@metric
def own_share(hits):
    "A share that fails for some queries."
    if {fails}:
        raise ZeroDivisionError("not today")
    return hits.per_query(hits.met_query)
"""


@pytest.mark.usefixtures("nothing_added")
@pytest.mark.parametrize("fails", [True, False])
def test_metrics_of_plugins_work_and_fail_as_in_one_job(
    groupwise: Groupwise, write: Write, lines: str, fails: bool
) -> None:
    """A metric that fails is told of by the one process that reads all of it in the end."""
    words = ("evaluate", lines, "--plugin", write("own.py", OWN.format(fails=fails)), "-m")
    expected = groupwise(*words, "own_share")
    assert expected.code == (3 if fails else 0)
    with pretend_processes(6000) as used:
        assert groupwise(*words, "own_share", "--jobs", "2") == expected
    assert (used.parts > 1) is not fails
