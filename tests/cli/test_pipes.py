"""Inputs from named pipes, as of ``<(zcat run.jsonl.gz)``: each is read once, and as a file is."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from groupwise import evaluate
from tests.cli.conftest import Groupwise
from tests.cli.shell import Outcome
from tests.pipes import feeding

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
TRUTHS = [
    {"id": f"q{n}", "query": f"what is {n}?", "ground_truth": [[f"a{n}", f"b{n}"], [f"c{n}"]]}
    for n in range(8)
]
RESULTS = [[f"a{n}", "x", f"c{n}" if n % 3 else "y"] for n in range(8)]


def lines(records: list[dict[str, Any]]) -> bytes:
    return b"".join(b"%s\n" % json.dumps(record).encode() for record in records)


def run(results: list[list[str]]) -> list[dict[str, Any]]:
    return [{"id": f"q{n}", "results": each} for n, each in enumerate(results)]


FILES = {
    "truth.jsonl": lines(TRUTHS),
    "run.jsonl": lines(run(RESULTS)),
    "other.jsonl": lines(run([["x", *each] for each in RESULTS])),
    "both.jsonl": lines(
        [{**truth, "results": each} for truth, each in zip(TRUTHS, RESULTS, strict=True)]
    ),
    "corpus.jsonl": lines(
        [{"id": f"{side}{n}", "text": f"a text {side} of {n}"} for n in range(8) for side in "abc"]
    ),
    "new.jsonl": lines([{"id": f"n{n}", "text": f"a text a of {n}"} for n in range(8)]),
    "truth.json": json.dumps({each["id"]: each["ground_truth"] for each in TRUTHS}).encode(),
    "truth.qrels": b"".join(b"q%d 0 a%d 1\nq%d 0 c%d 2\n" % (n, n, n, n) for n in range(8)),
    "run.trec": b"".join(b"q%d Q0 a%d 1 3.5 t\nq%d Q0 x 2 2.5 t\n" % (n, n, n) for n in range(8)),
    "repeated.jsonl": lines([*TRUTHS, TRUTHS[3]]),
    "broken.jsonl": lines(TRUTHS) + b'{"id": "z", "ground_truth": [["a"\n',
    "faulty.jsonl": lines([{**each, "ground_truth": [["a", "a"], []]} for each in TRUTHS]),
    "odd.jsonl": lines(
        [{"qid": f"q{n}", "question": f"what is {n}?", "gold_doc_ids": [f"a{n}"]} for n in range(8)]
    ),
    "odd-run.jsonl": lines(
        [{"qid": f"q{n}", "question": f"what is {n}?", "retrieved": [f"a{n}"]} for n in range(8)]
    ),
    "nonsense.jsonl": lines([{"foo": n} for n in range(8)]),
    "gates.json": b'{"gates": ["recall >= 0.1"]}',
    "gates.json.gz": gzip.compress(b'{"gates": ["recall >= 0.1"]}'),
    "sheet.csv": b"query,candidate,group,text,judge,verdict\nq1,x,1,,me,yes\n",
}  # fmt: skip
CASES = (
    "evaluate <truth.jsonl <run.jsonl --format json",
    "evaluate <truth.qrels <run.trec --flat any --format json",
    "evaluate <truth.json <run.jsonl --by groups --explain 2",
    "evaluate <both.jsonl --gates <gates.json",
    "evaluate <both.jsonl --gates <gates.json.gz",
    "evaluate <both.jsonl --format html",
    "evaluate <truth.jsonl <run.jsonl --corpus <corpus.jsonl --match text --format json",
    "evaluate <both.jsonl --plot curve=out.svg -m recall@2",
    "evaluate <odd.jsonl <odd-run.jsonl --map auto --flat any --format json",
    "explain <truth.jsonl <run.jsonl --format json",
    "explain <odd.jsonl <odd-run.jsonl --map auto --flat any --format json",
    "compare <truth.jsonl <run.jsonl <other.jsonl --format json",
    "compare <truth.qrels <run.trec <other.jsonl --flat any --explain 2",
    "power <truth.jsonl <run.jsonl <other.jsonl --format json",
    "validate <truth.jsonl --run <run.jsonl --corpus <corpus.jsonl",
    "validate <faulty.jsonl <repeated.jsonl <broken.jsonl --format json",
    "validate <odd.jsonl --map auto --flat any",
    "convert <truth.jsonl out.qrels --lossy",
    "convert <odd.jsonl out.jsonl --map auto --flat any",
    "remap <truth.jsonl --old <corpus.jsonl --new <new.jsonl -o out.jsonl",
    "suggest <truth.jsonl --run <run.jsonl --run <other.jsonl --corpus <corpus.jsonl",
    "inspect <truth.jsonl <run.jsonl",
    "inspect <odd.jsonl <odd-run.jsonl",
)
REFUSED = (
    "evaluate <repeated.jsonl <run.jsonl",
    "evaluate <broken.jsonl <run.jsonl",
    "evaluate <odd.jsonl <odd-run.jsonl",
    "evaluate <truth.jsonl <nonsense.jsonl",
    "evaluate <run.jsonl <truth.jsonl",
    "evaluate <odd.jsonl <odd-run.jsonl --map auto",
    "evaluate <nonsense.jsonl --map auto",
    "explain <odd.jsonl <odd-run.jsonl",
    "compare <truth.jsonl <nonsense.jsonl <other.jsonl",
    "validate <odd.jsonl",
    "convert <nonsense.jsonl out.jsonl",
    "convert <nonsense.jsonl out.jsonl --map auto",
    "suggest <truth.jsonl --run <nonsense.jsonl",
    "suggest <truth.jsonl --apply <sheet.csv -o out.jsonl",
    "remap <odd.jsonl --old <corpus.jsonl --new <new.jsonl -o out.jsonl",
    "check <both.jsonl",
    "fingerprint <truth.jsonl --corpus <corpus.jsonl",
    "validate <faulty.jsonl --unsafe-fixes",
    "validate <faulty.jsonl --diff",
)
"""What a file gives, or one line that says what is accepted, with fewer hints at most."""


def list_inputs(cases: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the words of each case, with each of its inputs in turn."""
    return [
        (case, word[1:])
        for case in cases
        for word in dict.fromkeys(case.split())
        if word.startswith("<")
    ]


def call(groupwise: Groupwise, case: str) -> tuple[Outcome, dict[str, bytes]]:
    """Return the outcome of a case, and what it has written, which is removed."""
    for name, data in FILES.items():
        if not Path(name).is_fifo():
            Path(name).write_bytes(data)
    done = groupwise(*(word.removeprefix("<") for word in case.split()))
    new = [path for path in Path().iterdir() if path.name not in FILES and path.is_file()]
    written = {path.name: path.read_bytes() for path in new}
    for path in new:
        path.unlink()
    return done, written


@pytest.mark.parametrize(("case", "name"), list_inputs(CASES))
def test_a_pipe_gives_what_a_file_gives(groupwise: Groupwise, case: str, name: str) -> None:
    expected = call(groupwise, case)
    assert expected[0].code in (0, 1), expected
    with feeding(Path(name), FILES[name]) as pipe:
        assert call(groupwise, case) == expected
    assert pipe.readers == 1


@pytest.mark.parametrize(("case", "name"), list_inputs(REFUSED))
def test_a_pipe_is_refused_in_one_line(groupwise: Groupwise, case: str, name: str) -> None:
    (expected, files) = call(groupwise, case)
    with feeding(Path(name), FILES[name]) as pipe:
        done, written = call(groupwise, case)
    assert pipe.readers <= 1
    assert (done.code, done.out, written) == (expected.code, expected.out, files) or (
        done.code in (2, 3) and done.err.startswith("error: ") and not done.out
    )


def test_a_baseline_from_a_pipe_stands_for_a_run(groupwise: Groupwise) -> None:
    """As of ``compare truth.jsonl before=<(git show main:scores.json) now=run.jsonl``."""
    for name in ("truth.jsonl", "run.jsonl", "other.jsonl"):
        Path(name).write_bytes(FILES[name])
    groupwise("evaluate", "truth.jsonl", "other.jsonl", "--save-baseline", "scores.json")
    words = ("compare", "truth.jsonl", "before=scores.json", "now=run.jsonl", "--format", "json")
    expected, data = groupwise(*words), Path("scores.json").read_bytes()
    assert expected.code == 0
    with feeding(Path("scores.json"), data) as pipe:
        assert groupwise(*words) == expected
    with feeding(Path("scores.json"), data.replace(b'"recall": ', b'"recall": 9')):
        done = groupwise(*words)
    assert pipe.readers == 1
    assert done.code == 3
    assert "but the mean over its queries is" in done.err


def test_a_baseline_from_a_pipe_is_compared_with(groupwise: Groupwise) -> None:
    Path("both.jsonl").write_bytes(FILES["both.jsonl"])
    groupwise("evaluate", "both.jsonl", "--save-baseline", "scores.json")
    words = ("evaluate", "both.jsonl", "--baseline", "scores.json", "--gate", "recall >= baseline")
    expected, data = groupwise(*words), Path("scores.json").read_bytes()
    assert "recall is 0.8125, in the baseline 0.8125 (+0.0000)" in expected.err
    with feeding(Path("scores.json"), data) as pipe:
        assert groupwise(*words) == expected
    assert pipe.readers == 1


def test_a_report_on_a_pipe_is_not_evaluated_again(tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").write_bytes(FILES["run.jsonl"])
    with feeding(tmp_path / "truth.jsonl", FILES["truth.jsonl"]) as pipe:
        report = evaluate(tmp_path / "truth.jsonl", tmp_path / "run.jsonl")
        page = report.to_html()
    assert pipe.readers == 1
    assert "<html" in page
    assert report.again is None


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "pipe", "pipe"],
        ["evaluate", "truth.jsonl", "pipe", "--corpus", "pipe"],
        ["validate", "pipe", "./pipe"],
        ["validate", "truth.jsonl", "--run", "pipe", "--corpus", "pipe"],
        ["compare", "truth.jsonl", "first=pipe", "second=pipe"],
        ["check", "truth.jsonl", "--run", "pipe", "--corpus", "pipe"],
        ["inspect", "pipe", "pipe"],
        ["remap", "truth.jsonl", "--old", "pipe", "--new", "pipe"],
    ],
    ids=" ".join,
)
def test_a_pipe_that_is_two_inputs_is_refused_before_it_is_read(
    words: list[str], tmp_path: Path
) -> None:
    (tmp_path / "truth.jsonl").write_text('{"id": "q", "ground_truth": [["a"]]}\n')
    os.mkfifo(tmp_path / "pipe")
    command = [sys.executable, "-m", "groupwise", *words]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "the pipe pipe" in done.stderr.splitlines()[0]
    assert "read once" in done.stderr.splitlines()[0]


def test_standard_input_under_two_names_is_refused() -> None:
    command = [sys.executable, "-m", "groupwise", "evaluate", "-", "/dev/stdin"]
    done = subprocess.run(command, input=b"{}", capture_output=True, timeout=60, check=False)
    assert done.returncode == 2
    assert b"the pipe - and /dev/stdin: it is read once" in done.stderr
