"""The same data gives the same report, wherever it comes from."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from groupwise import Dataset, Fixture, InputError, Report, Run, evaluate
from tests.comparing import without_names

TRUTHS = {"q1": [["test-1", "test-2"], ["test-3"]], "q2": [["é"], ["ü", "ö"]]}
RESULTS = {"q1": ["test-1", "pred-1", "test-2", "pred-3"], "q2": ["ö", "é"]}
TRUTH_RECORDS = [{"id": query, "ground_truth": truth} for query, truth in TRUTHS.items()]
RUN_RECORDS = [{"id": query, "results": results} for query, results in RESULTS.items()]
BOTH = [truth | run for truth, run in zip(TRUTH_RECORDS, RUN_RECORDS, strict=True)]
EXPECTED = without_names(evaluate(TRUTHS, RESULTS, provenance=True))


def lines(records: list[Any]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


PAIRS = {
    "list.json": (json.dumps(TRUTH_RECORDS), json.dumps(RUN_RECORDS)),
    "indented.json": (json.dumps(TRUTH_RECORDS, indent=2), json.dumps(RUN_RECORDS, indent=2)),
    "map.json": (json.dumps(TRUTHS), json.dumps(RESULTS)),
    "map-of-records.json": (
        json.dumps({query: {"ground_truth": truth} for query, truth in TRUTHS.items()}),
        json.dumps({query: {"results": ranking} for query, ranking in RESULTS.items()}),
    ),
    "lines.jsonl": (lines(TRUTH_RECORDS), lines(RUN_RECORDS)),
    "lines.ndjson": (lines(TRUTH_RECORDS), lines(RUN_RECORDS).strip()),
    "no-suffix": (lines(TRUTH_RECORDS), json.dumps(RESULTS)),
    "autorag.jsonl": (
        lines([{"qid": query, "retrieval_gt": truth} for query, truth in TRUTHS.items()]),
        lines([{"query_id": query, "retrieved_ids": one} for query, one in RESULTS.items()]),
    ),
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", PAIRS)
def test_a_data_set_and_a_run_in_files(name: str, packed: bool, tmp_path: Path) -> None:
    paths = [tmp_path / f"{role}-{name}{'.gz' * packed}" for role in ("truth", "run")]
    for path, text in zip(paths, PAIRS[name], strict=True):
        path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    assert without_names(evaluate(*paths, provenance=True)) == EXPECTED
    assert without_names(evaluate(str(paths[0]), str(paths[1]), provenance=True)) == EXPECTED


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("fixture.json", json.dumps({"name": "n", "queries": BOTH})),
        ("late-head.json", json.dumps({"queries": BOTH, "profile": "autorag"})),
        ("list.json", json.dumps(BOTH)),
        ("lines.jsonl", lines(BOTH)),
    ],
)
def test_both_in_one_file(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    assert without_names(evaluate(path, provenance=True)) == EXPECTED


@pytest.mark.parametrize("text", [lines(BOTH), json.dumps(BOTH), json.dumps({"queries": BOTH})])
def test_both_from_standard_input(text: str) -> None:
    script = "from groupwise import evaluate; print(evaluate('-', provenance=True).to_json())"
    done = subprocess.run(
        [sys.executable, "-c", script], input=text.encode(), capture_output=True, check=True
    )
    report = Report.model_validate(json.loads(done.stdout))
    assert without_names(report) == EXPECTED


@pytest.mark.parametrize(
    ("truths", "results"),
    [
        (Dataset.model_validate(TRUTHS), Run.model_validate(RESULTS)),
        (Dataset.model_validate(TRUTH_RECORDS), Run.model_validate(RUN_RECORDS)),
        (TRUTH_RECORDS, RESULTS),
        (TRUTHS, RUN_RECORDS),
        (tuple(TRUTH_RECORDS), tuple(RUN_RECORDS)),
        (Dataset.model_validate(TRUTHS), RESULTS),
        (list(Dataset.model_validate(TRUTHS)), list(Run.model_validate(RESULTS))),
    ],
)
def test_python_objects(truths: Any, results: Any) -> None:
    assert without_names(evaluate(truths, results, provenance=True)) == EXPECTED


def test_a_fixture_as_an_object() -> None:
    assert (
        without_names(evaluate(Fixture.model_validate({"queries": BOTH}), provenance=True))
        == EXPECTED
    )


def test_a_byte_order_mark_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "marked.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(BOTH).encode())
    report = evaluate(path, provenance=True)
    assert without_names(report.model_copy(update={"warnings": ()})) == EXPECTED
    assert report.warnings == (f"{path} begins with a byte order mark; it was ignored",)


def test_a_pipe_is_read_like_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    script = "import sys; open(sys.argv[1], 'w', encoding='utf-8').write(sys.argv[2])"
    writer = subprocess.Popen([sys.executable, "-c", script, os.fspath(pipe), lines(BOTH)])
    try:
        assert without_names(evaluate(pipe, provenance=True)) == EXPECTED
    finally:
        writer.wait(10)


@pytest.mark.parametrize(
    ("name", "said"), [("no-such.json", "no such file"), (".", "this is a folder, not a file")]
)
def test_what_cannot_be_read_is_an_input_error(name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=said) as error:
        evaluate(tmp_path / name)
    assert str(tmp_path) in str(error.value)


def test_a_name_that_no_file_can_have_is_an_input_error() -> None:
    with pytest.raises(InputError, match="NUL"):
        evaluate("a\0b")


@pytest.mark.skipif(sys.platform != "linux", reason="not allowed: needs /proc")
def test_memory_holds_no_more_than_a_few_blocks_of_a_long_file(tmp_path: Path) -> None:
    """A file of 40 MB, read line by line, takes far less than its own size."""
    path = tmp_path / "long.jsonl"
    record = json.dumps({"id": "%d", "ground_truth": [["a"]], "results": ["x" * 36] * 50})
    with path.open("w") as file:
        file.writelines(record.replace("%d", str(number)) + "\n" for number in range(20_000))
    script = (
        "import re, sys; from groupwise import evaluate\n"
        "peak = lambda: int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1])\n"
        "evaluate(sys.argv[2]); before = peak()\n"
        "evaluate(sys.argv[1], per_query=False)\n"
        "print(peak() - before)"
    )
    small = tmp_path / "small.jsonl"
    small.write_text(record.replace("%d", "q") + "\n")
    done = subprocess.run(
        [sys.executable, "-c", script, path, small], capture_output=True, text=True, check=True
    )
    assert path.stat().st_size > 40_000_000
    assert int(done.stdout) < 30_000
