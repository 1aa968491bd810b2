"""Row groups of a parquet file are read apart, and number their rows as the whole file does."""

import gzip
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from groupwise import InputError, evaluate
from groupwise.evaluator.formats.opening import records_in
from groupwise.evaluator.reading.ranges import CHANGED
from groupwise.evaluator.reading.records import Reading, Records
from tests.jobs import pretend_processes, through_pickle

ENGINE = "groupwise.evaluator.evaluation.engines.processes"
ROWS = [
    {"id": f"q{number}", "ground_truth": [["a"], [f"d{number}"]], "results": ["x", "a"]}
    for number in range(100)
]


def write(path: Path, rows: int, records: list[dict[str, Any]] = ROWS) -> Path:
    pq.write_table(pa.Table.from_pylist(records), path, row_group_size=rows)
    return path


def read(records: Records) -> list[tuple[Any, int]]:
    return [
        (value, batch.place(number, ())[0])
        for batch in records.batches(Reading())
        for number, value in enumerate(batch.values)
    ]


@pytest.mark.parametrize("count", [1, 2, 3, 9, 50])
@pytest.mark.parametrize("rows", [7, 30, 99, 1000])
def test_parts_hold_the_rows_with_their_numbers(tmp_path: Path, rows: int, count: int) -> None:
    records = records_in(write(tmp_path / "both.parquet", rows))
    parts = records.split(count)
    assert len(parts) == min(count, -(-100 // rows))
    found = [row for part in parts for row in read(through_pickle(part))]
    assert [number for _, number in found] == list(range(1, 101))
    assert found == read(records)


def test_compressed_files_are_one_part(tmp_path: Path) -> None:
    plain = write(tmp_path / "both.parquet", 10)
    packed = tmp_path / "both.parquet.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    records = records_in(packed)
    assert list(records.split(4)) == [records]


def test_a_file_that_changed_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "both.parquet", 10)
    part = records_in(path).split(2)[1]
    os.utime(path, ns=(1, 1))
    with pytest.raises(InputError, match=CHANGED):
        read(part)


def test_several_jobs_report_the_same(tmp_path: Path) -> None:
    both = write(tmp_path / "both.parquet", 9)
    truths = [{name: row[name] for name in ("id", "ground_truth")} for row in ROWS]
    truth = write(tmp_path / "truth.parquet", 30, truths)
    run = [{"id": row["id"], "results": row["results"]} for row in reversed(ROWS[:90])]
    results = write(tmp_path / "run.parquet", 11, run)
    for files in ([both], [truth, results]):
        with pretend_processes(ENGINE, 300) as used:
            assert evaluate(*files, jobs=2).to_json() == evaluate(*files).to_json()
        assert used.tasks > 1


def test_problems_are_those_of_one_job(tmp_path: Path) -> None:
    bad = [*ROWS[:50], {**ROWS[50], "results": [""]}, *ROWS[51:], ROWS[3]]
    path = write(tmp_path / "both.parquet", 9, bad)
    with pytest.raises(InputError) as one:
        evaluate(path)
    with pretend_processes(ENGINE, 300) as used, pytest.raises(InputError) as several:
        evaluate(path, jobs=2)
    assert used.tasks > 1
    assert several.value.problems == one.value.problems
    assert several.value.count == 2


def test_rows_without_query_ids_are_read_in_one_process(tmp_path: Path) -> None:
    truth = write(tmp_path / "t.parquet", 9, [{"id": "a", "ground_truth": [["x"]]}] * 1)
    run = tmp_path / "run.parquet"
    pq.write_table(pa.table({"results": [["x"]]}), run)
    with pretend_processes(ENGINE, 1) as used:
        assert evaluate(truth, run, jobs=2).scores["recall"] == 1.0
    assert not used.tasks
