"""A report as parquet: a row per query, and the rest in the file's own metadata."""

import json
from pathlib import Path

from pyarrow import parquet

from groupwise import evaluate
from tests.cli.shell import spawn
from tests.paths import EXAMPLES

TRUTHS = {"q2": [["a"], ["b"]], "q1": [["c"]], "q3": []}
RUN = {"q2": ["a"], "q1": ["c"], "q3": ["x"]}


def test_a_row_per_query_and_a_column_per_metric(tmp_path: Path) -> None:
    report = evaluate(TRUTHS, RUN, metrics=["recall", "hit_rate@1"])
    path = tmp_path / "report.parquet"
    report.to_parquet(path)
    table = parquet.read_table(path)
    assert table.to_pydict() == {
        "query": ["q1", "q2", "q3"],
        "recall": [1.0, 0.5, None],
        "hit_rate@1": [1.0, 1.0, None],
    }
    summary = json.loads(table.schema.metadata[b"groupwise.report"])
    assert summary["scores"] == {"recall": 0.75, "hit_rate@1": 1.0}
    assert summary["counts"]["unanswerable"] == 1


def test_the_same_report_is_the_same_file_in_any_order(tmp_path: Path) -> None:
    for name, ids in (("a", ["q1", "q2", "q3"]), ("b", ["q3", "q1", "q2"])):
        report = evaluate({one: TRUTHS[one] for one in ids}, RUN)
        report.to_parquet(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_ids_that_are_no_unicode_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / "report.parquet"
    evaluate({"\ud800": [["a"]]}, {"\ud800": ["a"]}).to_parquet(path)
    assert parquet.read_table(path, columns=["query"]).to_pydict() == {"query": ["\\ud800"]}


def test_the_command_line_writes_it_to_a_file(tmp_path: Path) -> None:
    fixture = EXAMPLES / "running-example.json"
    path = tmp_path / "report.parquet"
    done = spawn("evaluate", str(fixture), "-m", "recall", "-o", str(path))
    assert (done.code, done.out) == (0, "")
    assert parquet.read_table(path).num_rows == 1
    refused = spawn("evaluate", str(fixture), "--format", "parquet")
    assert refused.code == 2
    assert "-o FILE" in refused.err
