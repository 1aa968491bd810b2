"""Files of groupwise: JSON, JSON Lines, fixtures, parquet."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from groupwise import Report, convert, evaluate
from tests.differential import writing
from tests.differential.data import Case
from tests.differential.ways.objects import results_by_id, truth_by_id


def from_json_lines(case: Case, folder: Path) -> Report:
    truth, run = folder / "truth.jsonl", folder / "run.jsonl"
    truth.write_text(lines(writing.truth_records(case)), encoding="utf-8")
    run.write_text(lines(writing.run_records(case)), encoding="utf-8")
    return evaluate(truth, run, **writing.options_of(case))


def lines(records: Sequence[Any]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def from_gzip(case: Case, folder: Path) -> Report:
    truth, run = folder / "truth.jsonl.gz", folder / "run.jsonl.gz"
    truth.write_bytes(gzip.compress(lines(writing.truth_records(case)).encode(), 1))
    run.write_bytes(gzip.compress(lines(writing.run_records(case)).encode(), 1))
    return evaluate(truth, run, **writing.options_of(case))


def from_json(case: Case, folder: Path) -> Report:
    truth, run = folder / "truth.json", folder / "run.json"
    truth.write_text(json.dumps(writing.truth_records(case)), encoding="utf-8")
    run.write_text(json.dumps(writing.run_records(case)), encoding="utf-8")
    return evaluate(truth, run, **writing.options_of(case))


def from_json_by_id(case: Case, folder: Path) -> Report:
    truth, run = folder / "truth.json", folder / "run.json"
    truth.write_text(json.dumps(truth_by_id(case)), encoding="utf-8")
    run.write_text(json.dumps(results_by_id(case)), encoding="utf-8")
    return evaluate(truth, run, **writing.options_of(case))


def from_fixture(case: Case, folder: Path) -> Report:
    pairs = zip(writing.truth_records(case), writing.run_records(case), strict=True)
    path = folder / "fixture.json"
    path.write_text(json.dumps({"queries": [{**one, **other} for one, other in pairs]}))
    return evaluate(path, **writing.options_of(case))


def from_parquet(case: Case, folder: Path) -> Report:
    paths = []
    for name, records in (
        ("truth", writing.truth_records(case)),
        ("run", writing.run_records(case)),
    ):
        source, target = folder / f"{name}.jsonl", folder / f"{name}.parquet"
        source.write_text(lines(records), encoding="utf-8")
        convert(source, target, ids=case.policies.get("ids"))
        paths.append(target)
    return evaluate(*paths, **writing.options_of(case))
