"""Tables: frames, CSV, and the files of TREC."""

import csv
from pathlib import Path
from typing import Any

from groupwise import File, Report, evaluate
from tests.differential import writing
from tests.differential.data import Case
from tests.differential.ways.fitting import every_result_scored


def from_frames(case: Case, _: Path) -> Report:
    import pandas as pd  # noqa: PLC0415

    frames = [pd.DataFrame(records) for records in frame_records(case)]
    return evaluate(*frames, **writing.options_of(case))


def from_arrow(case: Case, _: Path) -> Report:
    import pyarrow as pa  # noqa: PLC0415

    tables = [pa.Table.from_pylist(records) for records in frame_records(case)]
    return evaluate(*tables, **writing.options_of(case))


def frame_records(case: Case) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Lists of ids, and the columns that any row has in every row."""
    truth = [
        {
            "id": str(query.id),
            "ground_truth": [[one for one, _ in group.alternatives] for group in query.groups],
            "not_relevant": list(query.not_relevant),
        }
        for query in case.queries
    ]
    run = [_run_row(record) for record in writing.run_records(case)]
    return truth, run


def _run_row(record: dict[str, Any]) -> dict[str, Any]:
    scores = record.get("scores")
    doubles = None if scores is None else [float(score) for score in scores]
    return {"id": str(record["id"]), "results": record["results"], "scores": doubles}


def from_csv(case: Case, folder: Path) -> Report:
    truth, run = folder / "truth.csv", folder / "run.csv"
    write_csv(truth, ["query_id", "group", "id", "grade", "weight", "label"], csv_truth(case))
    columns = ["query_id", "rank", "id", *(["score"] if every_result_scored(case) else [])]
    write_csv(run, columns, csv_run(case))
    return evaluate(truth, run, **writing.options_of(case))


def write_csv(path: Path, columns: list[str], rows: list[list[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([row[: len(columns)] for row in rows])


def csv_truth(case: Case) -> list[list[Any]]:
    rows: list[list[Any]] = []
    for query in case.queries:
        rows += [[query.id, "", "", "", "", ""]] * (not query.groups)
        for number, group in enumerate(query.groups):
            rows += [
                [query.id, f"g{number}", one, grade, group.weight, group.label or ""]
                for one, grade in group.alternatives
            ]
        rows += [[query.id, "", one, 0, "", ""] for one in query.not_relevant]
    return rows


def csv_run(case: Case) -> list[list[Any]]:
    rows: list[list[Any]] = []
    for query in (*case.queries, *case.extra):
        if query.results is not None:
            found = enumerate(query.results, 1)
            rows += [[query.id, rank, one.id, one.score] for rank, one in found] or [
                [query.id, "", "", ""]
            ]
    return rows


def from_diversity_files(case: Case, folder: Path) -> Report:
    rows = [
        f"{query.id} {number} {one} {grade}"
        for query in case.queries
        for number, group in enumerate(query.groups, 1)
        for one, grade in group.alternatives
    ]
    rows += [f"{query.id} 1 {one} 0" for query in case.queries for one in query.not_relevant]
    truth = folder / "truth.qrels"
    truth.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return evaluate(
        File(truth, subtopics=True), write_run(case, folder), **writing.options_of(case)
    )


def from_qrels(case: Case, folder: Path) -> Report:
    rows = []
    for query in case.queries:
        judged = dict.fromkeys(query.not_relevant, 0.0)
        for group in query.groups:
            for one, grade in group.alternatives:
                judged[one] = max(judged.get(one, 0), grade)
        rows += [f"{query.id} 0 {one} {grade:g}" for one, grade in judged.items()]
    truth = folder / "truth.qrels"
    truth.write_text("\n".join(rows) + "\n", encoding="utf-8")
    options = {**writing.options_of(case), "profile": "trec"}
    return evaluate(truth, write_run(case, folder), **options)


def write_run(case: Case, folder: Path) -> Path:
    rows = [
        f"{query.id} Q0 {one.id} {rank} {one.score} tag"
        for query in (*case.queries, *case.extra)
        for rank, one in enumerate(query.results or (), 1)
    ]
    path = folder / "run.trec"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path
