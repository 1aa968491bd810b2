"""``evaluate --resume``: killed at any moment, it goes on to the report of one go."""

import json
import os
import random
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from groupwise.evaluator.evaluation.journal.lines import Chain
from tests.cli.conftest import Groupwise, Write
from tests.cli.shell import COMMAND, names_in, spawn
from tests.evaluate.journal.data import (
    Records,
    build_results,
    build_truths,
    join,
    read_ids,
    read_journal,
    write_lines,
)

JOURNAL = "journal.jsonl"
METRICS = ("-m", "precision,recall,ndcg,coverage:ndcg,first_hit", "-k", "1,3,5,10")
PARTS = ("--by", "kind", "--confidence", "0.9")
LAYOUTS = {
    "both": ("both.jsonl",),
    "a pair": ("truth.jsonl", "run.jsonl"),
    "another order": ("truth.jsonl", "shuffled.jsonl"),
    "compressed": ("both.jsonl.gz",),
}
KILLS = int(os.environ.get("KILLS", "8"))
"""How often each layout is killed in the slow tests; `make resume-kills` asks for 50."""
SLOW_DISK = """
import os, sys, time
calls = 0
def fsync(descriptor):
    global calls
    calls += 1
    if calls > 3:
        print("writing", file=sys.stderr, flush=True)
        for _ in range(600):
            time.sleep(0.1)
os.fsync = fsync
from groupwise.evaluator.evaluation.journal import pace
pace.SHARE = pace.SHORTEST = 0
from groupwise.evaluator.cli import run
sys.exit(run(sys.argv[1:]))
"""
"""It waits in small steps: Python 3.14 looks at a signal that comes after the print only when the
next step begins."""


@pytest.fixture
def data() -> None:
    """Files of a few hundred queries."""
    lay_out(400)


def lay_out(count: int) -> None:
    write_layouts(build_truths(count), build_results(count))


def lay_out_plainly(count: int) -> None:
    """Files of records that are evaluated fast, as long ones are."""
    source = random.Random(2)  # noqa: S311
    truths, results = [], []
    for number in range(count):
        ids = [f"document {number % 977}-{rank}" for rank in source.sample(range(99), 60)]
        groups = [source.sample(ids, 2), [source.choice(ids), "none"]]
        known = {"metadata": {"kind": source.choice("xyz")}}
        truths.append({"id": f"q{number}", "ground_truth": groups, **known})
        results.append({"id": f"q{number}", "results": ids[:50]})
    write_layouts(truths, results)


def write_layouts(truths: Records, results: Records) -> None:
    write_lines(Path("truth.jsonl"), truths)
    write_lines(Path("run.jsonl"), results)
    shuffled = random.Random(1).sample(results, len(results))  # noqa: S311
    write_lines(Path("shuffled.jsonl"), shuffled)
    for name in ("both.jsonl", "both.jsonl.gz"):
        write_lines(Path(name), join(truths, results))


class Killing:
    """Evaluations that are killed at random moments, and begun again until one ends."""

    def __init__(self, files: tuple[str, ...], queries: int, seed: int) -> None:
        self._words = [*COMMAND, "evaluate", *files, *METRICS, *PARTS, "--format", "json", "-o"]
        self._source = random.Random(seed)  # noqa: S311
        self._queries = queries
        self.kills = self.grown = self.resumed = self._attempts = 0
        self._start().wait()
        Path("found.json").rename("plain.json")
        process = self._start("--resume", JOURNAL)
        wait_for_journal(process)
        begun = monotonic()
        assert process.wait() == 0
        self._seconds = monotonic() - begun

    def _start(self, *words: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen([*self._words, "found.json", *words], stderr=subprocess.DEVNULL)

    def run(self, most: int) -> None:
        """Kill at most so many times; then let it end, and compare."""
        Path(JOURNAL).unlink(missing_ok=True)
        for _ in range(most):
            if not self._run_and_kill():
                break
        assert self._start("--resume", JOURNAL).wait() == 0
        assert Path("found.json").read_bytes() == Path("plain.json").read_bytes()
        ids = read_ids(Path(JOURNAL))
        assert len({*ids}) == len(ids) == self._queries

    def _run_and_kill(self) -> bool:
        """Kill an evaluation at a random moment; return whether it was still running."""
        before = count_lines()
        process = self._start("--resume", JOURNAL)
        if self._source.random() < 0.9:  # else while it starts, perhaps
            wait_for_journal(process)
        self._attempts += 1
        if self._attempts % 2:
            wait_for_entry(process, before)
            sleep(self._source.random() * 0.03)
        else:
            rest = 0.1 + self._count_rest() / self._queries
            sleep(self._source.random() * self._seconds * rest)
        process.kill()
        is_killed = process.wait() == -signal.SIGKILL
        after = count_lines()
        assert after >= before  # nothing that was whole is lost
        self.kills += is_killed
        self.grown += after > before
        self.resumed += before > 1
        return is_killed

    def _count_rest(self) -> int:
        """Count the queries that the journal has not."""
        if not Path(JOURNAL).exists():
            return self._queries
        lines = Path(JOURNAL).read_bytes().splitlines(keepends=True)[1:]
        return self._queries - sum(len(json.loads(line)["ids"]) for line in lines if b"\n" in line)


def wait_for_journal(process: "subprocess.Popen[bytes]") -> None:
    """Wait until the process has locked the journal."""
    while process.poll() is None:
        opened = Path(f"/proc/{process.pid}/fd")
        if os.path.realpath(JOURNAL) in list_targets(opened):
            return
        sleep(0.005)


def wait_for_entry(process: "subprocess.Popen[bytes]", before: int) -> None:
    """Wait until the journal has an entry more."""
    while process.poll() is None and count_lines() <= max(before, 1):
        sleep(0.005)


def list_targets(folder: Path) -> list[str]:
    """The files that a process has open, unless it changes them while this looks."""
    try:
        return [str(link.readlink()) for link in folder.iterdir()]
    except OSError:
        return []


def count_lines() -> int:
    """How many whole lines the journal has."""
    return Path(JOURNAL).read_bytes().count(b"\n") if Path(JOURNAL).exists() else 0


def kill_often(layout: str, kills: int, queries: int, seed: int) -> None:
    lay_out_plainly(queries)
    killing = Killing(LAYOUTS[layout], queries, seed)
    while killing.kills < kills:
        killing.run(min(10, kills - killing.kills))
        print(f"{layout}: {killing.kills} kills so far", flush=True)
    counts = f"{killing.resumed} after a resume, {killing.grown} after new entries"
    print(f"{layout}: {killing.kills} kills, {counts}")
    assert killing.grown >= kills / 3
    assert killing.resumed >= kills / 3


NEEDS_PROC = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")


@NEEDS_PROC
@pytest.mark.parametrize("layout", ["both", "a pair"])
def test_killed_at_random_moments(layout: str) -> None:
    kill_often(layout, 4, 12_000, 0)


@NEEDS_PROC
@pytest.mark.nightly
@pytest.mark.parametrize("layout", LAYOUTS)
def test_killed_at_many_random_moments(layout: str) -> None:
    kill_often(layout, KILLS, 12_000, 1)


def test_standard_input(data: None) -> None:
    stdin = Path("both.jsonl").read_bytes()
    words = ("evaluate", "-", *METRICS, "--format", "json")
    plain = spawn(*words, stdin=stdin)
    first = spawn(*words, "--resume", JOURNAL, stdin=stdin)
    assert first == plain
    assert spawn(*words, "--resume", JOURNAL, stdin=stdin) == plain
    changed = spawn(*words, "--resume", JOURNAL, stdin=stdin.replace(b"q000", b"q0x0", 1))
    assert (changed.code, changed.out) == (3, "")
    assert changed.err.startswith("error: <stdin>: the first ")


def test_a_finished_journal_is_kept_and_gives_the_report_again(
    data: None, groupwise: Groupwise
) -> None:
    words = ("evaluate", *LAYOUTS["a pair"], "--format", "json", "--resume", JOURNAL)
    first = groupwise(*words)
    journal = Path(JOURNAL).read_bytes()
    assert groupwise(*words) == first
    assert Path(JOURNAL).read_bytes() == journal


SETTINGS = {
    "metrics": ("-m", "recall", "begun with metrics=['precision', 'recall', "),
    "cutoffs": ("-k", "7", "now it is metrics=['precision@7', "),
    "missing": ("--missing", "skip", "begun with --missing zero, now it is --missing skip; "),
    "profile": ("--profile", "trec", "begun with --profile autorag, now it is --profile trec; "),
    "by": ("--by", "kind", "begun with no by, now it is by=['kind']; "),
    "confidence": ("--confidence", "0.9", "begun with no confidence, now it is confidence=0.9; "),
    "match": ("--match", "normalised", "matching={'type': 'exact'}, "),
}


@pytest.mark.parametrize(("flag", "value", "said"), SETTINGS.values(), ids=SETTINGS)
def test_another_setting_is_refused(
    data: None, groupwise: Groupwise, flag: str, value: str, said: str
) -> None:
    words = ("evaluate", "both.jsonl", "--resume", JOURNAL)
    assert groupwise(*words).code == 0
    journal = Path(JOURNAL).read_bytes()
    found = groupwise(*words, flag, value)
    assert (found.code, found.out) == (3, "")
    assert found.err.startswith(f"error: {JOURNAL}: begun with ")
    assert said in found.err
    assert "or name another file" in found.err
    assert found.err.count("\n") == 1
    assert Path(JOURNAL).read_bytes() == journal


def test_what_does_not_change_scores_may_change(data: None, groupwise: Groupwise) -> None:
    words = ("evaluate", "both.jsonl", "--format", "json")
    assert groupwise(*words, "--resume", JOURNAL).code == 0
    journal = Path(JOURNAL).read_bytes()
    for more in (("--bands",), ("--explain", "2"), ("--provenance",)):
        assert groupwise(*words, *more, "--resume", JOURNAL) == groupwise(*words, *more)
    assert Path(JOURNAL).read_bytes() == journal


def test_other_data_is_refused(data: None, groupwise: Groupwise) -> None:
    words = ("evaluate", *LAYOUTS["a pair"], "--resume", JOURNAL)
    assert groupwise(*words).code == 0
    run = Path("run.jsonl").read_text()
    for changed in (run.replace('"id": "a"', '"id": "b"', 1), run[:5000], ""):
        Path("run.jsonl").write_text(changed)
        found = groupwise(*words)
        assert (found.code, found.out) == (3, "")
        assert "run.jsonl: " in found.err
    Path("run.jsonl").write_text(run.replace('"id": "a"', '"id": "b"', 1))
    said = groupwise(*words).err
    assert said.startswith("error: run.jsonl: the first ")
    assert f"bytes are not those that {JOURNAL} was begun with; " in said


def test_another_document_is_refused(data: None, groupwise: Groupwise, write: Write) -> None:
    records = join(build_truths(9), build_results(9))
    write("both.json", {"queries": records})
    assert groupwise("evaluate", "both.json", "--resume", JOURNAL).code == 0
    write("both.json", {"queries": records[:8]})
    found = groupwise("evaluate", "both.json", "--resume", JOURNAL)
    assert found.code == 3
    assert f"ground_truth: the content is not that which {JOURNAL} was begun with" in found.err


def test_another_version_is_refused(data: None, groupwise: Groupwise) -> None:
    words = ("evaluate", "both.jsonl", "--resume", JOURNAL)
    assert groupwise(*words).code == 0
    header = read_journal(Path(JOURNAL))[0]
    del header["checksum"]
    Path(JOURNAL).write_bytes(Chain().seal({**header, "groupwise": "0.0.9"}))
    found = groupwise(*words)
    assert found.code == 3
    assert f"error: {JOURNAL}: begun by groupwise 0.0.9, this is " in found.err


REFUSED = {
    "an input": (("both.jsonl", "--resume", "both.jsonl"), "would overwrite the input"),
    "the output": (("both.jsonl", "--resume", "x.json", "-o", "x.json"), "name the same file"),
    "jobs": (("both.jsonl", "--resume", "x", "--jobs", "2"), "it goes without --jobs"),
    "a folder": (("both.jsonl", "--resume", "."), "this is a folder"),
    "no folder": (("both.jsonl", "--resume", "none/x"), "there is no folder 'none'"),
}


@pytest.mark.parametrize(("words", "said"), REFUSED.values(), ids=REFUSED)
def test_usage_errors(data: None, groupwise: Groupwise, words: tuple[str, ...], said: str) -> None:
    before = names_in()
    found = groupwise("evaluate", *words)
    assert (found.code, found.out) == (2, "")
    assert said in found.err
    assert names_in() == before


def test_a_file_that_is_no_journal_is_left_alone(data: None, groupwise: Groupwise) -> None:
    Path("notes.txt").write_text("mine\n")
    found = groupwise("evaluate", "both.jsonl", "--resume", "notes.txt")
    assert (found.code, found.out) == (3, "")
    assert found.err.startswith("error: notes.txt: this is not a journal of groupwise; ")
    assert Path("notes.txt").read_text() == "mine\n"


@pytest.fixture
def waiting(data: None) -> "Iterator[subprocess.Popen[str]]":
    """An evaluation that has written two entries, and waits for the disk with the third."""
    words = ("evaluate", "both.jsonl", "--format", "json", "--resume", JOURNAL)
    with subprocess.Popen(
        [sys.executable, "-c", SLOW_DISK, *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        assert process.stderr.readline() == "writing\n"
        yield process
        process.kill()


@pytest.mark.parametrize(
    ("number", "code", "said"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")],
)
def test_an_interruption_says_how_to_go_on(
    waiting: "subprocess.Popen[str]", groupwise: Groupwise, number: int, code: int, said: str
) -> None:
    waiting.send_signal(number)
    out, err = waiting.communicate(timeout=30)
    assert (waiting.returncode, out) == (code, "")
    how = "run the same command again to go on where it stopped; what was done is in journal.jsonl"
    assert err == f"{how}\n{said}\n"
    assert len(read_ids(Path(JOURNAL))) > 0
    words = ("evaluate", "both.jsonl", "--format", "json")
    assert groupwise(*words, "--resume", JOURNAL) == groupwise(*words)


def test_two_at_once(waiting: "subprocess.Popen[str]", groupwise: Groupwise) -> None:
    before = Path(JOURNAL).read_bytes()
    found = groupwise("evaluate", "both.jsonl", "--resume", JOURNAL)
    assert (found.code, found.out) == (4, "")
    assert found.err.startswith(f"error: {JOURNAL}: another evaluation is writing this journal; ")
    assert Path(JOURNAL).read_bytes() == before
    assert waiting.poll() is None


def test_a_full_disk(data: None, groupwise: Groupwise) -> None:
    words = ("evaluate", "both.jsonl", "--format", "json", "--resume", JOURNAL)
    fast = (
        "from groupwise.evaluator.evaluation.journal import pace; pace.SHARE = pace.SHORTEST = 0; "
    )
    code = f"{fast}import sys; from groupwise.evaluator.cli import run; sys.exit(run(sys.argv[1:]))"

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    done = subprocess.run(
        [sys.executable, "-c", code, *words], preexec_fn=limit, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.startswith(f"error: {JOURNAL}: cannot be written: File too large; ")
    entries = len(read_journal(Path(JOURNAL)))
    assert entries >= 2
    assert groupwise(*words) == groupwise("evaluate", "both.jsonl", "--format", "json")
    assert len(read_journal(Path(JOURNAL))) > entries


def test_no_absolute_paths_in_a_journal(data: None, groupwise: Groupwise) -> None:
    assert groupwise("evaluate", str(Path("both.jsonl").resolve()), "--resume", JOURNAL).code == 0
    assert str(Path.cwd()) not in Path(JOURNAL).read_text()
    assert json.dumps(read_journal(Path(JOURNAL))[0])
