"""Limits hold for every reader: small and hostile files are refused within 1 GiB of memory.

Each case runs in a process of its own whose address space is limited, so a reader that decodes
first and checks later is out of memory.
"""

import inspect
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from groupwise import File, InputError, read, validate
from groupwise.evaluator.cli import run as command_line
from groupwise.evaluator.errors import OptionError
from groupwise.evaluator.reading.limits import LIMITS, RECORD, Limit, parse_size

pytest.importorskip("resource")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the limit works on Linux")

MEMORY = 3 << 30
"""Address space: what numpy and pyarrow map, most of which is never used, and about 1 GiB."""
PROGRAM = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
from groupwise.__main__ import main
try:
    sys.exit(main())
finally:
    with open("/proc/self/status") as status, open({peak!r}, "w") as file:
        file.writelines(line for line in status if line.startswith("VmHWM:"))
"""
"""What `wait4` reports counts the parent's memory, too: the child begins as a copy of it."""


def run(*words: str | Path) -> tuple[int, str, int]:
    """The exit code, what was said, and the most memory in use, in bytes."""
    with tempfile.NamedTemporaryFile("r") as peak:
        program = PROGRAM.format(memory=MEMORY, peak=peak.name)
        done = subprocess.run(
            [sys.executable, "-c", program, *map(str, words)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout.decode(), int(peak.read().split()[1]) * 1024


def expect(message: str, *words: str | Path) -> None:
    """An error, or for validate a finding, that says this, in little memory."""
    code, said, memory = run(*words)
    assert (code, message in said) == (1 if words[0] == "validate" else 3, True), said
    assert memory < 1 << 30


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("limits")
    (folder / "truth.jsonl").write_text('{"id": "q1", "ground_truth": [["d1"]]}\n')
    (folder / "run.jsonl").write_text('{"id": "q1", "results": ["d1"]}\n')
    return folder


# --- lines ----------------------------------------------------------------------------------------

HEADS = {
    "run.trec": "q1 Q0 d1 1 0.5 t\n",
    "run.csv": "query_id,id,score\nq1,d1,0.5\n",
    "run.jsonl": '{"id": "q1", "results": ["d1"]}\n',
    "truth.qrels": "q1 0 d1 1\n",
    "truth.csv": "query_id,id,grade\nq1,d1,1\n",
    "truth.tsv": "query-id\tcorpus-id\tscore\nq1\td1\t1\n",
    "truth.jsonl": '{"id": "q1", "ground_truth": [["d1"]]}\n',
    "corpus.csv": "id,text\nd1,t\n",
    "corpus.tsv": "id\ttext\nd1\tt\n",
    "corpus.txt": "d1\n",
    "corpus.jsonl": '{"id": "d1", "text": "t"}\n',
}


def words_for(path: Path, folder: Path) -> list[str | Path]:
    if path.stem == "corpus":
        return ["validate", folder / "truth.jsonl", "--corpus", path]
    files = [path, folder / "run.jsonl"] if path.stem == "truth" else [folder / "truth.jsonl", path]
    return ["evaluate", *files, "--flat", "any", "-m", "recall"]


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["run.trec", "run.csv", "truth.tsv", "corpus.txt"])
def test_a_line_without_an_end_is_refused(name: str, folder: Path, tmp_path: Path) -> None:
    """A sparse file: 40 GB that take no room on disk."""
    path = tmp_path / name
    path.write_text(HEADS[name])
    os.truncate(path, 40 << 30)
    expect("a line of more than 256 MiB", *words_for(path, folder))


@pytest.mark.nightly
def test_a_json_string_without_an_end_is_refused(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text('[{"id": "q1", "results": ["d1"]},\n{"id": "q2", "results": ["')
    os.truncate(path, 40 << 30)
    expect("run.json:2:27: invalid JSON: unexpected control character", *words_for(path, folder))


@pytest.mark.parametrize("name", HEADS)
def test_every_reader_of_lines_has_the_limit(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUPWISE_MAX_RECORD_BYTES", "1M")
    path = tmp_path / name
    path.write_text(HEADS[name] + "x" * (3 << 20))
    role: Any = {"run": "run", "truth": "ground_truth"}.get(path.stem, "corpus")
    with pytest.raises(InputError, match="a line of more than 1 MiB"):
        read(path, role=role, flat=None if role == "corpus" else "any")


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("piece", "message"),
    [
        ('"a\n",', "a row of more than 256 MiB or 4,000,000 cells"),
        ("a,", "a row of more than 256 MiB or 4,000,000 cells"),
        ("a\r", "more than 1,000 problems; reading stopped there"),
    ],
    ids=["quoted line breaks", "cells", "short lines"],
)
def test_a_row_without_an_end_is_refused(
    piece: str, message: str, folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "run.csv"
    with path.open("w") as file:
        file.write(HEADS["run.csv"])
        for _ in range(64):
            file.write(piece * (1 << 19))
    expect(message, *words_for(path, folder))


# --- parquet --------------------------------------------------------------------------------------

ROWS = 2000
Table = Callable[[Any, Any], dict[str, Any]]


def lists(pa: Any, texts: Any, ends: list[int]) -> Any:
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), texts)


BOMBS: dict[str, Table] = {
    "truth-texts": lambda pa, texts: {
        "id": list(map(str, range(ROWS))), "ground_truth": [[["d1"]]] * ROWS, "query": texts,
    },
    "truth-ids": lambda pa, texts: {"id": texts, "ground_truth": [[["d1"]]] * ROWS},
    "truth-groups": lambda pa, texts: {
        "id": list(map(str, range(ROWS))),
        "ground_truth": lists(pa, lists(pa, texts, [*range(ROWS + 1)]), [*range(ROWS + 1)]),
    },
    "run-results": lambda pa, texts: {
        "id": list(map(str, range(ROWS))), "results": lists(pa, texts, [*range(ROWS + 1)]),
    },
    "run-structs": lambda pa, texts: {
        "id": list(map(str, range(ROWS))),
        "results": lists(pa, pa.StructArray.from_arrays([texts], ["id"]), [*range(ROWS + 1)]),
    },
    "run-one": lambda pa, texts: {"id": ["q1"], "results": lists(pa, texts, [0, ROWS])},
    "truth-hub": lambda pa, texts: {
        "id": list(map(str, range(ROWS))), "question": ["?"] * ROWS,
        "supporting_facts": pa.StructArray.from_arrays(
            [lists(pa, texts, [*range(ROWS + 1)])], ["title"]
        ),
        "context": texts,
    },
    "truth-facts": lambda pa, texts: {
        "query": ["?"] * ROWS, "question_type": ["x"] * ROWS,
        "evidence_list": lists(
            pa, pa.StructArray.from_arrays([texts], ["fact"]), [*range(ROWS + 1)]
        ),
    },
    "truth-long": lambda pa, texts: {
        "q_id": list(map(str, range(ROWS))), "doc_id": texts, "score": [1] * ROWS,
    },
    "run-long": lambda pa, texts: {
        "q_id": list(map(str, range(ROWS))), "doc_id": texts, "score": [0.5] * ROWS,
    },
    "corpus-texts": lambda pa, texts: {"id": list(map(str, range(ROWS))), "text": texts},
}  # fmt: skip


TRIED = ("truth-groups", "run-one", "corpus-texts")
CASES = [
    pytest.param(name, name == "corpus-texts", marks=() if name in TRIED else pytest.mark.nightly)
    for name in BOMBS
]


@pytest.mark.parametrize(("name", "stored"), CASES)
def test_a_text_that_all_rows_repeat_is_refused(
    name: str, stored: bool, folder: Path, tmp_path: Path
) -> None:
    """One text of 20 MiB in 2,000 rows: 5 KB on disk, 40 GB when decoded."""
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    indices = pa.array([0] * ROWS, pa.int32())
    texts = pa.DictionaryArray.from_arrays(indices, pa.array(["x" * (20 << 20)]))
    path = tmp_path / f"{name.partition('-')[0]}.parquet"
    table = pa.table(BOMBS[name](pa, texts))
    parquet.write_table(table, path, compression="zstd", store_schema=stored)
    assert path.stat().st_size < 10_000
    message = "a row of more than 256 MiB" if name == "run-one" else "suspected parquet bomb"
    expect(message, *words_for(path, folder))


@pytest.mark.parametrize(
    "encoding", [pytest.param("PLAIN", marks=pytest.mark.nightly), "DELTA_BYTE_ARRAY"]
)
def test_texts_that_compress_too_well_are_refused(
    encoding: str, folder: Path, tmp_path: Path
) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "corpus.parquet"
    table = pa.table({"id": list(map(str, range(10))), "text": ["x" * (10 << 20)] * 10})
    parquet.write_table(
        table, path, compression="zstd", use_dictionary=False,
        column_encoding={"id": "PLAIN", "text": encoding},
    )  # fmt: skip
    expect("suspected parquet bomb", *words_for(path, folder))


def test_texts_that_rows_repeat_are_read_if_they_are_not_too_many(tmp_path: Path) -> None:
    """Long texts in a dictionary are an ordinary thing: 40 rows of 1 MiB are read as they are."""
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    texts = [letter * (1 << 20) for letter in "ab"]
    table = pa.table({"id": list(map(str, range(40))), "text": texts * 20})
    parquet.write_table(table, tmp_path / "corpus.parquet")
    corpus = read(tmp_path / "corpus.parquet", role="corpus")
    assert [document.text for document in corpus] == texts * 20


def test_a_limit_that_is_given_is_the_limit(folder: Path, tmp_path: Path) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "corpus.parquet"
    parquet.write_table(pa.table({"id": ["a", "b"], "text": ["x" * (1 << 20)] * 2}), path)
    words: list[str | Path] = ["validate", folder / "truth.jsonl", "--corpus", path, "--max-bytes"]
    code, said, _ = run(*words, "100K")
    assert (code, "more than 102,400 bytes when decompressed" in said) == (1, True), said
    assert run(*words, "10M")[0] in (0, 1)


# --- how limits are raised ------------------------------------------------------------------------


@pytest.mark.parametrize("given", ["", "0", "much", "1.5G", "-1"])
def test_a_variable_that_is_no_size_is_a_usage_error(
    given: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "run.csv").write_text(HEADS["run.csv"])
    monkeypatch.setenv("GROUPWISE_MAX_RECORD_BYTES", given)
    if not given:
        assert RECORD.read() == RECORD.default
        return
    said = f"GROUPWISE_MAX_RECORD_BYTES: expected a number of bytes, such as 4G.*{given}"
    for name in (None, "csv-run"):
        with pytest.raises(OptionError, match=said):
            read(File(tmp_path / "run.csv", format=name), role="run")
    for command in ("evaluate", "validate", "inspect"):
        assert command_line([command, str(tmp_path / "run.csv")]) == 2
        assert re.search(said, capfd.readouterr().err)


@pytest.mark.parametrize(("shown", "size"), [("4G", 4 << 30), ("512", 512), ("1 KiB", 1024)])
def test_sizes(shown: str, size: int) -> None:
    assert parse_size(shown.replace(" ", "")) == size


@pytest.mark.parametrize("limit", LIMITS, ids=[limit.name for limit in LIMITS])
def test_what_raises_a_limit_exists(limit: Limit, capfd: pytest.CaptureFixture[str]) -> None:
    if limit.flag:
        command_line(["validate", "--help"])
        assert limit.flag in capfd.readouterr().out
    if limit.argument:
        assert (
            limit.argument
            in inspect.signature(
                File if hasattr(File("x"), limit.argument) else validate
            ).parameters
        )


def test_messages_name_what_raises_the_limit(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text(f"{HEADS['run.csv']}q1,{'x' * 3_000_000},0.1\n")
    with mock.patch.dict(os.environ, GROUPWISE_MAX_RECORD_BYTES="1M"):
        with pytest.raises(InputError, match=r"raise the limit with File\(…, max_record_bytes=…\)"):
            read(path, role="run")
        code, said, _ = run("evaluate", folder / "truth.jsonl", path)
    assert code == 3
    assert "a line of more than 1 MiB; raise the limit with --max-record-bytes" in said
    words = ("evaluate", folder / "truth.jsonl", path, "--max-record-bytes", "4M")
    assert run(*words)[0] == 0


def test_the_option_of_a_command_takes_precedence_over_the_variable(
    folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "run.csv"
    path.write_text(f"{HEADS['run.csv']}q1,{'x' * 3_000_000},0.1\n")
    with mock.patch.dict(os.environ, GROUPWISE_MAX_RECORD_BYTES="64M"):
        words = ("evaluate", folder / "truth.jsonl", path, "--max-record-bytes", "1M")
        code, said, _ = run(*words)
    assert (code, "a line of more than 1 MiB" in said) == (3, True)


def test_a_pipe_without_an_end_is_refused(folder: Path) -> None:
    command = f"yes '' | {sys.executable} -m groupwise evaluate {folder / 'truth.jsonl'} - "
    done = subprocess.run(
        ["/bin/sh", "-c", f"{command} --max-bytes 1M"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert "more than 1,048,576 bytes from a pipe, which is the limit" in done.stderr
    assert "raise it with --max-bytes" in done.stderr
