"""Edits in place: nothing is lost that others wrote, nobody's file changes hands, nothing hangs."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groupwise import File, OutputError, check_fixture, validate
from groupwise.evaluator.reading import text_file
from groupwise.evaluator.reading.limits import EDITED
from groupwise.evaluator.reading.text_file import TextFile
from groupwise.evaluator.reading.writing import DAY, write_whole
from groupwise.evaluator.validation.corpus.annotation import annotate
from groupwise.evaluator.validation.fix import fix
from tests.cli.conftest import Groupwise, Write
from tests.cli.shell import names_in

FIXABLE = '{"id": "q1", "ground_truth": [["a", "a"]], "results": ["a"]}\n'
EXPECTING = '{"id": "q1", "ground_truth": [["a"]], "results": ["a"], "expected": {"recall": 0.5}}\n'
ADDED = '{"id": "q2", "ground_truth": [["b"]], "results": ["b"]}\n'
NAME = f".groupwise-{'0' * 16}.tmp"
CHANGED = "the file changed meanwhile; nothing was written"


def annotate_in_place(path: str) -> None:
    annotation = annotate(path, {"a": "one", "b": "two"})
    annotation.file.write(annotation.new)


EDITS: list[tuple[Callable[[str], Any], str]] = [
    (fix, FIXABLE),
    (lambda path: check_fixture(path, update=True), EXPECTING),
    (annotate_in_place, FIXABLE),
]


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Let something happen while the new content is written."""

    def happen(event: Callable[[], None]) -> None:
        sync = os.fsync

        def sync_after(file: int) -> None:
            event()
            sync(file)

        monkeypatch.setattr(os, "fsync", sync_after)

    return happen


@pytest.mark.parametrize(("edit", "text"), EDITS)
@pytest.mark.parametrize("pack", [str.encode, lambda text: gzip.compress(text.encode(), mtime=0)])
def test_a_record_that_is_added_meanwhile_is_kept(
    edit: Callable[[str], Any], text: str, pack: Callable[[str], bytes], meanwhile: Any
) -> None:
    path = Path("data.jsonl")
    path.write_bytes(pack(text))
    meanwhile(lambda: path.write_bytes(pack(text + ADDED)))
    with pytest.raises(OutputError, match=CHANGED):
        edit("data.jsonl")
    assert path.read_bytes() == pack(text + ADDED)
    assert names_in() == ["data.jsonl"]


@pytest.mark.parametrize(("edit", "text"), EDITS)
def test_a_file_that_is_removed_meanwhile_stays_away(
    edit: Callable[[str], Any], text: str, meanwhile: Any
) -> None:
    path = Path("data.jsonl")
    path.write_text(text)
    meanwhile(lambda: path.unlink(missing_ok=True))
    with pytest.raises(OutputError, match=CHANGED):
        edit("data.jsonl")
    assert names_in() == []


def test_a_change_of_equal_size_is_seen_too(meanwhile: Any) -> None:
    path = Path("data.jsonl")
    path.write_text(FIXABLE)
    status = path.stat()

    def change() -> None:
        path.write_text(FIXABLE.replace('"q1"', '"q2"'))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    meanwhile(change)
    with pytest.raises(OutputError, match=CHANGED):
        fix(path)
    assert '"q2"' in path.read_text()


def test_a_baseline_that_somebody_else_writes_meanwhile_is_kept(meanwhile: Any) -> None:
    Path("data.jsonl").write_text(FIXABLE)
    Path("known.json").write_text("old")
    meanwhile(lambda: Path("known.json").write_text("new"))
    with pytest.raises(OutputError, match=CHANGED):
        validate("data.jsonl", write_baseline="known.json")
    assert Path("known.json").read_text() == "new"


def test_the_exit_code_says_that_nothing_was_written(
    groupwise: Groupwise, write: Write, meanwhile: Any
) -> None:
    path = write("data.jsonl", FIXABLE)
    meanwhile(lambda: Path(path).write_text(FIXABLE + ADDED))
    done = groupwise("validate", "--fix", path)
    assert (done.code, done.err) == (4, f"error: {path}: {CHANGED}\n")


@pytest.mark.parametrize(("edit", "text"), EDITS)
def test_hard_links_are_not_separated(edit: Callable[[str], Any], text: str) -> None:
    Path("data.jsonl").write_text(text)
    os.link("data.jsonl", "other.jsonl")
    with pytest.raises(OutputError, match=r"2 names \(hard links\)"):
        edit("data.jsonl")
    assert Path("data.jsonl").samefile("other.jsonl")
    assert Path("data.jsonl").read_text() == text
    assert names_in() == ["data.jsonl", "other.jsonl"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
@pytest.mark.parametrize(("edit", "text"), EDITS)
def test_a_file_does_not_change_hands(
    edit: Callable[[str], Any], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    Path("data.jsonl").write_text(text)
    os.chown("data.jsonl", 12345, 12345)
    monkeypatch.setattr(os, "chown", refuse)
    with pytest.raises(OutputError, match="belongs to another user or group"):
        edit("data.jsonl")
    assert Path("data.jsonl").read_text() == text
    assert names_in() == ["data.jsonl"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize(
    "words",
    [
        ("validate", "--fix"),
        ("check", "--update"),
        ("fingerprint", "--in-place", "--corpus", "corpus.jsonl"),
    ],
)
def test_a_pipe_is_refused_at_once(words: tuple[str, ...], write: Write) -> None:
    write("corpus.jsonl", '{"id": "a", "text": "one"}\n')
    os.mkfifo("pipe.jsonl")
    command = [sys.executable, "-m", "groupwise", *words, "pipe.jsonl"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 3
    message = "pipe.jsonl: a pipe or a device cannot be edited; expected a regular file"
    assert done.stderr == f"error: {message}\n"


@pytest.mark.parametrize("words", [("validate", "--fix"), ("validate", "--diff")])
def test_the_limit_on_decompressed_bytes_holds(
    words: tuple[str, ...], groupwise: Groupwise
) -> None:
    Path("bomb.jsonl.gz").write_bytes(gzip.compress(FIXABLE.encode() * 10_000))
    done = groupwise(*words, "--max-bytes", "100K", "bomb.jsonl.gz")
    assert done.code == 1
    assert "not fixed, because more than 102,400 bytes" in done.err


def test_a_text_is_edited_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_file, "EDITED", EDITED._replace(default=1000))
    for name, data in (("a.jsonl", FIXABLE * 20), ("b.jsonl.gz", FIXABLE * 20)):
        packed = gzip.compress(data.encode()) if name.endswith("gz") else data.encode()
        Path(name).write_bytes(packed)
        (note,) = fix(name).notes
        assert note.startswith(f"{name}: not fixed, because more than 1,000 bytes")
        assert fix(File(name, max_bytes=10_000)).has_changed


@pytest.mark.parametrize("name", ["data.json", "data.json.gz"])
def test_memory_is_taken_for_what_is_there_not_for_the_limit(name: str, tmp_path: Path) -> None:
    content = b'[{"id": "q", "ground_truth": [["a"]]}]'
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    tracemalloc.start()
    assert TextFile(path).text == content.decode()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16 << 20


def test_a_fixture_of_another_format_is_not_updated(groupwise: Groupwise, write: Write) -> None:
    record = {"user_input": "Who?", "retrieved_context_ids": ["a"], "reference_context_ids": ["a"]}
    path = write("ragas.jsonl", json.dumps(record))
    done = groupwise("check", "--update", path)
    assert done.code == 3
    assert "only groupwise JSON and JSON Lines can be updated" in done.err


def leave_behind(name: str, age: float = 0) -> str:
    Path(name).write_text("half")
    os.utime(name, (time.time() - age,) * 2)
    return name


def test_a_temporary_file_that_is_a_day_old_is_removed_and_nothing_else() -> None:
    old = leave_behind(NAME.replace("0", "1"), age=2 * DAY)
    kept = [leave_behind(NAME), leave_behind(".groupwise-notes.tmp", age=2 * DAY)]
    write_whole("new.json", b"1")
    left = names_in()
    assert old not in left
    assert {*kept, "new.json"} == {*left}


def test_a_killed_writer_leaves_a_file_that_is_removed_a_day_later() -> None:
    code = (
        "import os, signal; from groupwise.evaluator.reading.writing import new_file\n"
        "with new_file('out.json') as file: os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == -signal.SIGKILL
    (left,) = Path().glob(".groupwise-*")
    os.utime(left, (time.time() - 2 * DAY,) * 2)
    write_whole("out.json", b"1")
    assert names_in() == ["out.json"]


@pytest.mark.parametrize(("suffix", "fixed"), [(".json", 1), (".jsonl", 3)])
def test_one_byte_that_is_not_utf_8_disables_no_fix_before_it(
    groupwise: Groupwise, suffix: str, fixed: int
) -> None:
    """What follows such a byte is read in JSON Lines only."""
    records = [b'{"id": "q%d", "ground_truth": [["\xc3\xa9", "\xc3\xa9"]]}' % n for n in range(4)]
    records[1] = b'{"id": "q1", "query": "caf\xe9 \xff", "ground_truth": [["a", "a"]]}'
    before = b"\n".join(records) if suffix == ".jsonl" else b"[" + b", ".join(records) + b"]"
    path = Path(f"data{suffix}")
    path.write_bytes(before)
    found = groupwise("validate", os.fspath(path), "--format", "json")
    findings = json.loads(found.out)["findings"]
    assert [finding["code"] for finding in findings] == ["GT007", "IO002", *["GT007"] * (fixed - 1)]
    shown = groupwise("validate", "--diff", os.fspath(path))
    assert shown.code == 1
    done = groupwise("validate", "--fix", os.fspath(path))
    assert (done.code, f"fixed {fixed} finding" in done.err) == (1, True)
    repeated = b'\xc3\xa9", "\xc3\xa9'
    assert path.read_bytes() == before.replace(repeated, b"\xc3\xa9", fixed)


def test_a_file_that_cannot_be_fixed_says_why(groupwise: Groupwise) -> None:
    Path("wide.json").write_bytes(FIXABLE.encode("utf-16"))
    Path("flat.csv").write_text("query_id,doc_id\nq1,a\nq1,a\n")
    for words, code in (("--fix", 1), ("--diff", 1)):
        done = groupwise("validate", words, "wide.json")
        assert done.code == code
        reason = "not fixed, because the file is UTF-16; save it as UTF-8"
        assert done.err == f"warning: wide.json: {reason}\n"
        done = groupwise("validate", words, "flat.csv")
        assert "flat.csv: not fixed, because only JSON and JSON Lines can be fixed" in done.err
    Path("twice.jsonl").write_text('{"id": "q1", "id": "q1", "ground_truth": [["a", "a"]]}\n')
    done = groupwise("validate", "--fix", "twice.jsonl")
    reason = "not fixed, because a key is repeated"
    assert done.err == f"warning: twice.jsonl:1: {reason}\n"


def test_a_file_is_the_one_that_was_read() -> None:
    Path("data.jsonl").write_text(FIXABLE)
    file = TextFile("data.jsonl")
    Path("data.jsonl").write_text("other")
    assert file.text == FIXABLE
